"""Lists the messages of the package and its tools in messages.txt: problems, warnings, progress and printed text.

A language review reads that file. Without arguments the script rewrites it."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("messages.txt")
SOURCES = ("codegen/ossicle", "codegen/tools", "codegen/rules", "codegen/blender")
# CONFIGURATION.md has the help texts of these, and a page is written by reference.py and reference_of_graphs.py.
HELP = ("command_options.py", "command_table.py", "option_table.py", "source_options.py", "reference.py",
        "reference_of_graphs.py", "completion.py")
SHORTEST = 2  # words of a message
# SQL, C, markup, tables of a .bvh file, and regular expressions are not language.
_OTHER_LANGUAGES = re.compile(
    r"(SELECT|INSERT|UPDATE|DELETE|CREATE|ROOT|OFFSET|CHANNELS|IS NOT|Xposition|Zrotation) |[{};]\n|^\s*[<#]|\\[wdsS]"
    r"|\(\?|\[\^|::|^[\w-]+[:=] ?[\w-]+;|^(label|name|row|joint) (idle|joint|strong|quiet|alone)$"
    r"|^[a-z0-9-]+ [a-z0-9]+-[a-z0-9 +-]+$", re.S)


def template(node: ast.AST) -> str | None:
    """The text of a constant, an f-string, or a sum of these, with `{expression}` for what is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{" + ast.unparse(part.value) + "}"
                       for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = template(node.left), template(node.right)
        if left is not None or right is not None:
            return "".join("{" + ast.unparse(part) + "}" if text is None else text
                           for part, text in ((node.left, left), (node.right, right)))
    return None


def words_of(text: str) -> list[list[str]]:
    """The runs of words of a message or a quotation, between values, signs and the ends of sentences."""
    plain = re.sub(r"\{[^{}]*\}|\\\W|\\[dwsS]|\.[*+]", "\0", text)
    return [re.findall(r"[A-Za-z']+", run) for run in re.split(r"[^A-Za-z' ,;:()\n]|--", plain)]


def is_message(text: str) -> bool:
    plain = re.sub(r"\{[^{}]*\}", "\0", text)
    return (len(re.findall(r"(?<![\w./<-])[A-Za-z][a-z']+(?![\w/=])", plain)) >= SHORTEST and " " in text.strip()
            and not _OTHER_LANGUAGES.search(text))


def nodes_of(tree: ast.Module) -> Iterator[ast.AST]:
    """The outermost expressions of a module that make messages, in their order."""
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            left_out |= {id(argument) for argument in node.args[:1]}
        if isinstance(node, ast.Attribute) and node.attr == "split":
            left_out.add(id(node.value))
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(text := template(node), str):
            if id(node) not in left_out and is_message(text):
                yield node
        else:
            pending += reversed(list(ast.iter_child_nodes(node)))


def modules() -> list[Path]:
    return sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py") if path.name not in HELP)


def messages_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return list(dict.fromkeys(str(template(node)).replace("\n", "\\n") for node in nodes_of(tree)))


def listing() -> str:
    """The whole file: the path of each module, and below it a line for each of its messages."""
    lines = []
    for path in modules():
        if found := messages_of(path):
            lines += [str(path.relative_to(ROOT)), *(f"    {message}" for message in found)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LIST.write_text(listing(), encoding="utf-8")
