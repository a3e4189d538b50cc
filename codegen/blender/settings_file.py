"""Changes strings and lists of strings in a TOML file, and keeps the rest. Blender before 4.1 has no parser for it."""
import json
import os
import re

from .command import Problem

_QUOTED = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)


class SettingsFile:
    """The text of a file, which need not exist yet."""
    def __init__(self, path):
        self.path = path
        self.text = path.read_bytes().decode("utf-8-sig", "surrogateescape") if path.exists() else ""
        self._before = self.text
        for table, key, *_ in self._statements():
            if table.split(".")[0] in ("character", "folder") or key.split(".")[0] in ("import", "character"):
                raise Problem(f"{path}: {key or table} is beyond the add-on; name another file, or edit it as text")

    def write(self):
        """Replaces the file, or that of a link, completely or not at all, if its text has changed. Keeps its mode."""
        if self.text != self._before:
            target = self.path.resolve()
            if target.exists() and not os.access(target, os.W_OK):
                raise Problem(f"{self.path}: cannot be written; change its permissions, or name another file")
            new = target.with_name(f".ossicle-{os.urandom(8).hex()}")
            try:
                new.write_bytes(self.text.encode("utf-8", "surrogateescape"))
                if target.exists():
                    new.chmod(target.stat().st_mode)
                os.replace(new, target)
            finally:
                new.unlink(missing_ok=True)

    def strings(self, key, table=""):
        """Returns the strings of a key, none if the file lacks it."""
        for start, end in self._values(key, table):
            value = self.text[start:end]
            try:
                if '"""' in value or "'''" in value or re.sub(r"[\s,\[\]]", "", _QUOTED.sub("", value)):
                    raise ValueError
                return [json.loads(text) if text[0] == '"' else text[1:-1]
                        for text in _QUOTED.findall(value) if text[0] != "#"]
            except ValueError as error:
                raise Problem(f"{self.path}: {key} is beyond the add-on; write it as a plain string or list") from error
        return []

    def dropped(self):
        return self.strings("drop") or self.strings("drop", "import")

    def change(self, key, value, table=""):
        """Gives a key a string or a list of strings. An empty value removes it. Problem for lists with comments."""
        if self.strings(key, table) == ([value] if isinstance(value, str) and value else list(value)):
            return
        text, line_end = json.dumps(value, ensure_ascii=False), "\r\n" if "\r\n" in self._before else "\n"
        for start, end in self._values(key, table):
            if any(part[0] == "#" for part in _QUOTED.findall(self.text[start:end])):
                raise Problem(f"{self.path}: {key} has comments in its list; move them above it, or change it as text")
            if not value:  # the whole line
                start, end, text = self.text.rfind("\n", 0, start) + 1, (self.text + "\n").index("\n", end) + 1, ""
            self.text = self.text[:start] + text + self.text[end:]
            return
        if value:
            self.text += line_end if self.text and not self.text.endswith("\n") else ""
            ends = [end for name, _, _, end in self._statements() if name == table]
            at = self.text.index("\n", ends[-1]) + 1 if ends else len(self.text) if table else 0
            line = (f"{line_end}[{table}]{line_end}" if table and not ends else "") + f"{key} = {text}{line_end}"
            self.text = self.text[:at] + line + self.text[at:]

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
