"""Renders the C of a plan and writes all of its files or none."""
from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import jinja2

from ..bank.file import Bank, read_bank
from ..base.format import number
from ..base.files.output import check_outputs, write_all
from ..base.places import TEMPLATES
from ..base.problem import setting_problems_of
from .code import Code
from .graph_straight import skeleton, tidied
from .identifiers import name_of_stem
from .own_names import with_prefix
from .plan import Plan, in_fours, make_plan


def code_files(bank: Bank, code: Code) -> dict[str, bytes]:
    """Returns the files by name, header first, in UTF-8 with line feeds: <name>.h, <name>_tables.c, <name>_pose.c, with
    skinning matrices also <name>_skin.c, with mirror <name>_mirror.c, for a bank with a graph <name>_graph.h and
    <name>_graph.c, and with embed also <name>_bank.c. The same bank, options and version give the same bytes. Raises
    SettingProblem if they cannot be generated."""
    plan, templates = make_plan(bank, code), environment()
    texts = {file: templates.get_template(template).render(plan=plan)
             for file, template in _templates(plan, plan.embed).items()}
    if plan.graph and plan.graph.straight:
        texts[f"{plan.name}_graph.c"] = tidied(texts[f"{plan.name}_graph.c"])
    return {file: (text if file.endswith(".h") else with_prefix(text, f"{Path(file).stem}_", f"{plan.name}_")
                   ).encode("utf-8") for file, text in texts.items()}


def code_file_names(bank: Bank, code: Code) -> list[str]:
    """Returns the names of code_files. bank: needs no words. Raises SettingProblem for code that is impossible for its
    joints and clips."""
    return list(_templates(make_plan(bank, replace(code, embed=False)), bool(code.embed)))


def generate(bank_path: Path, out_dir: Path, code: Code = Code()) -> list[Path]:
    """Writes code_files to out_dir, which is created if it is missing. Returns the paths, header first.

    Raises BankProblem for an unusable bank, and SettingProblem if a file cannot be generated or written (one line:
    file, cause, remedy); out_dir is then unchanged.
    """
    bank_path, out_dir = Path(bank_path), Path(out_dir)
    bank = read_bank(bank_path)
    with setting_problems_of(bank_path):
        code = replace(code, name=name_of_stem(bank_path.stem)) if code.name is None else code
        files = {out_dir / file: content for file, content in code_files(bank, code).items()}
    check_outputs({bank_path: bank_path}, files)
    write_all(files)
    return list(files)


def _templates(plan: Plan, embed: bool) -> dict[str, str]:
    """Returns the files of a plan, header first, and the template of each."""
    files = {f"{plan.name}.h": "header.h.j2", f"{plan.name}_tables.c": "tables.c.j2",
             f"{plan.name}_pose.c": "pose.c.j2"}
    if plan.skin:
        files[f"{plan.name}_skin.c"] = "skin.c.j2"
    if plan.mirror:
        files[f"{plan.name}_mirror.c"] = "mirror.c.j2"
    if plan.graph:
        files[f"{plan.name}_graph.h"] = "graph.h.j2"
        files[f"{plan.name}_graph.c"] = "graph.c.j2"
    if embed:
        files[f"{plan.name}_bank.c"] = "bank.c.j2"
    return files


def environment() -> jinja2.Environment:
    """Returns the environment that renders templates of C."""
    return _environment(TEMPLATES)


@functools.cache  # stores compiled templates, because compiling takes longer than rendering
def _environment(templates: Path) -> jinja2.Environment:
    result = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    result.globals["skeleton"] = skeleton
    result.globals["state_words"] = number("GRAPH_STATE_WORDS")
    result.filters["widest"] = _widest
    result.filters["in_fours"] = in_fours
    result.filters["folded"] = _folded
    return result


def _widest(items: Iterable[object], attribute: str) -> int:
    """Returns the length of the longest text of an attribute of the items, or 0 without items."""
    return max((len(getattr(item, attribute)) for item in items), default=0)


def _folded(text: str) -> list[str]:
    """Folds a text into lines for a comment."""
    return textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)
