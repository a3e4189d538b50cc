"""Renders the C of a plan and puts the files in place, all of them or none."""
from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import jinja2

from .bank_file import read_bank
from .bank_words import BankProblem, one_line
from .identifiers import name_of_stem
from .joint_sets import JointSets
from .plan import Plan, in_fours, make_plan
from .problem import SettingProblem

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"


def generate(bank_path: Path, out_dir: Path, name: str | None = None,
             embed: bool = False, unroll: Sequence[str] = (), sets: JointSets | None = None,
             matrices: str | None = None, rigid: bool = False) -> list[Path]:
    """Write <name>.h, <name>_tables.c, <name>_pose.c, with embed <name>_bank.c and with skinning
    matrices <name>_skin.c to out_dir.

    name: C identifier that everything generated begins with; None: made of the bank's file stem.
    unroll: how to lay out the code, see unrolling.parse_unroll. sets: joints that get functions of
    their own, patterns by the name of their set. matrices, rigid: the skinning matrices, see
    skin_plan.plan_skin. out_dir is created if it is missing. Returns the
    paths written, header first. The same bank, options and version give the same bytes. BankProblem
    (one line: file, cause, remedy) if the bank or the name cannot be used or a file cannot be
    written, SettingProblem for the unrolling or a set; out_dir is then as it was.
    """
    bank_path, out_dir = Path(bank_path), Path(out_dir)
    bank = read_bank(bank_path)
    try:
        plan = make_plan(bank, name_of_stem(bank_path.stem) if name is None else name, embed,
                         unroll, sets, matrices, rigid)
    except (BankProblem, SettingProblem) as problem:
        raise type(problem)(one_line(f"{bank_path}: {problem}")) from problem
    return write_files(out_dir, render(plan))


def render(plan: Plan) -> dict[str, bytes]:
    """The files of a plan by name, header first, in UTF-8 with line feeds."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters["widest"] = _widest
    environment.filters["in_fours"] = in_fours
    environment.filters["folded"] = _folded
    files = {f"{plan.name}.h": "header.h.j2", f"{plan.name}_tables.c": "tables.c.j2",
             f"{plan.name}_pose.c": "pose.c.j2"}
    if plan.skin:
        files[f"{plan.name}_skin.c"] = "skin.c.j2"
    if plan.embed:
        files[f"{plan.name}_bank.c"] = "bank.c.j2"
    return {file: environment.get_template(template).render(plan=plan).encode("utf-8")
            for file, template in files.items()}


def _widest(items: Iterable[object], attribute: str) -> int:
    """The length of the longest text among an attribute of the items, 0 without items."""
    return max((len(getattr(item, attribute)) for item in items), default=0)


def _folded(text: str) -> list[str]:
    """The text in lines for a comment."""
    return textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)


def write_files(out_dir: Path, files: dict[str, bytes]) -> list[Path]:
    """Write all files or, with a BankProblem, none: whole new files are renamed over old ones, and
    what was replaced or created is put back if one of them fails."""
    created = [folder for folder in (out_dir, *out_dir.parents) if not folder.exists()]
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".ossicle-", dir=out_dir) as scratch:
            for file, content in files.items():
                (Path(scratch) / file).write_bytes(content)
            _replace_all(Path(scratch), out_dir, list(files))
    except OSError as error:
        for folder in created:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise BankProblem(one_line(
            f"{out_dir}: cannot write {', '.join(files)}: {error.strerror or error}; "
            "choose another output directory")) from error
    return [out_dir / file for file in files]


def _replace_all(scratch: Path, out_dir: Path, names: list[str]) -> None:
    """Rename every scratch/name to out_dir/name; on OSError undo the ones already done."""
    with contextlib.ExitStack() as undo:
        for name in names:
            target, kept = out_dir / name, scratch / f"{name}.old"
            existed = target.exists()
            if existed:
                shutil.copy2(target, kept)
            os.replace(scratch / name, target)
            if existed:
                undo.callback(os.replace, kept, target)
            else:
                undo.callback(target.unlink)
        undo.pop_all()
