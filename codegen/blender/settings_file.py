"""Reads and changes single keys of a TOML file, and keeps everything else, with comments and order.

Blender before 4.1 has no parser for TOML. This one splits a file into statements and reads strings and lists of strings;
the check of the whole file is left to `ossicle`.
"""
import json
import os
import re

from .command import Problem

_QUOTED = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)


class SettingsFile:
    """The text of a file, which need not exist yet."""

    def __init__(self, path):
        self.path = path
        try:
            self.text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise Problem(f"{path}: cannot be read ({error}); check the path, or save it as UTF-8") from error
        for table, key, *_ in self._statements():
            if table.split(".")[0] in ("character", "folder") or key.split(".")[0] in ("import", "character"):
                raise self._unknown(key or table)

    def write(self):
        """Replaces the file, completely or not at all."""
        new = self.path.with_name(f"{self.path.name}.new")
        try:
            new.write_bytes(self.text.encode())
            os.replace(new, self.path)
        except OSError as error:
            raise Problem(f"{self.path}: cannot be written ({error.strerror}); check the folder") from error

    def strings(self, key, table=""):
        """Returns the strings of a key, none if the file lacks it."""
        for start, end in self._values(key, table):
            value = self.text[start:end]
            if '"""' in value or "'''" in value or re.sub(r"[\s,\[\]]", "", _QUOTED.sub("", value)):
                raise self._unknown(key)
            try:
                return [json.loads(text) if text[0] == '"' else text[1:-1]
                        for text in _QUOTED.findall(value) if text[0] != "#"]
            except ValueError as error:
                raise self._unknown(key) from error
        return []

    def change(self, key, value, table=""):
        """Gives a key a string or a list of strings. An empty value removes it."""
        text = json.dumps(value, ensure_ascii=False)
        for start, end in self._values(key, table):
            if not value:  # the whole line
                start, end = self.text.rfind("\n", 0, start) + 1, (self.text + "\n").index("\n", end) + 1
                text = ""
            self.text = self.text[:start] + text + self.text[end:]
            return
        if value:
            self.text += "\n" if self.text and not self.text.endswith("\n") else ""
            ends = [end for name, _, _, end in self._statements() if name == table]
            at = self.text.index("\n", ends[-1]) + 1 if ends else len(self.text) if table else 0
            header = f"\n[{table}]\n" if table and not ends else ""
            self.text = f"{self.text[:at]}{header}{key} = {text}\n{self.text[at:]}"

    def _values(self, key, table):
        return [(start, end) for name, found, start, end in self._statements() if (name, found) == (table, key)]

    def _statements(self):
        """Yields table, key, and where the value begins and ends, without comments; for headers, the key is empty."""
        masked = _QUOTED.sub(lambda found: (" " if found[0][0] == "#" else "_") * len(found[0]), self.text)
        table, start, depth = "", 0, 0
        for token in re.finditer(r"[\[\]{}\n]|\Z", masked):
            depth += (token[0] in ("[", "{")) - (token[0] in ("]", "}"))
            if token[0] not in ("\n", "") or depth > 0 and token[0]:
                continue
            line = masked[start:token.end()]
            end = start + len(line.rstrip())
            if line.lstrip().startswith("["):
                table = re.sub(r"""[\s"']""", "", self.text[start:end]).strip("[]")
                yield table, "", end, end
            elif "=" in line:
                value = start + line.index("=") + 1
                key = re.sub(r"""[\s"']""", "", self.text[start:value - 1])
                yield table, key, value + len(masked[value:end]) - len(masked[value:end].lstrip()), end
            start, depth = token.end(), 0

    def _unknown(self, key):
        return Problem(f"{self.path}: {key} has a form that the add-on does not change; edit the file as text, or name "
                       "another file for the add-on")
