"""Renders the C of a plan and writes the files, all of them or none."""
from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from ..bank.file import Bank, read_bank
from ..base.output import check_outputs, write_all
from ..base.places import TEMPLATES
from ..base.problem import said_in
from .identifiers import name_of_stem
from .joint_sets import JointSets
from .masks import Masks
from .own_names import with_prefix
from .plan import Plan, in_fours, make_plan
from ..model.sides import Mirror


@dataclass(frozen=True)
class Code:
    """The code to generate. name: the C identifier with which all generated names begin; embed:
    whether to generate the bank, too, or embedding.BASE, the bank without its tiers; unroll: the layout of
    the code, see unrolling.parse_unroll; sets: the joints with functions of their own, as patterns by
    the name of their set; matrices, rigid: the skinning matrices, see skin_plan.plan_skin; fast_rows:
    whether the header asks for OSC_FAST_ROWS if the bank has curve clips; cold: see
    placement.cold_codecs; masks: see masks.Mask; mirror: see mirror_plan.plan_mirror."""

    name: str
    embed: bool | str = False
    unroll: Sequence[str] = ()
    sets: JointSets | None = None
    matrices: str | None = None
    rigid: bool = False
    fast_rows: bool = False
    cold: Sequence[str] = ()
    masks: Masks | None = None
    mirror: Mirror | None = None

    def files(self, bank: Bank) -> dict[str, bytes]:
        """Returns the files by name, header first: <name>.h, <name>_tables.c, <name>_pose.c, with
        skinning matrices also <name>_skin.c, with mirror <name>_mirror.c, and with embed also <name>_bank.c. The same
        bank, options and version give the same bytes. Raises SettingProblem if they cannot be
        generated."""
        return render(make_plan(bank, self.name, self.embed, self.unroll, self.sets, self.matrices,
                                self.rigid, self.fast_rows, self.cold, self.masks, self.mirror))


def generate(bank_path: Path, out_dir: Path, name: str | None = None,
             embed: bool | str = False, unroll: Sequence[str] = (), sets: JointSets | None = None,
             matrices: str | None = None, rigid: bool = False,
             fast_rows: bool = False, cold: Sequence[str] = (), masks: Masks | None = None,
             mirror: Mirror | None = None) -> list[Path]:
    """Writes the files of Code to out_dir, which is created if it is missing. Returns the paths,
    header first.

    name: None means a name derived from the bank's file stem. Raises BankProblem for an unusable
    bank, and SettingProblem if a file cannot be generated or written (one line: file, cause,
    remedy); out_dir is then unchanged.
    """
    bank_path, out_dir = Path(bank_path), Path(out_dir)
    bank = read_bank(bank_path)
    code = Code(name_of_stem(bank_path.stem) if name is None else name, embed, unroll, sets, matrices,
                rigid, fast_rows, cold, masks, mirror)
    with said_in(bank_path):
        files = {out_dir / file: content for file, content in code.files(bank).items()}
    check_outputs({bank_path: bank_path}, files)
    write_all(files)
    return list(files)


def environment() -> jinja2.Environment:
    """Returns what renders the templates of C."""
    return _environment(TEMPLATES)


@functools.cache  # it keeps compiled templates: compiling takes longer than rendering
def _environment(templates: Path) -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    made.filters["widest"] = _widest
    made.filters["in_fours"] = in_fours
    made.filters["folded"] = _folded
    return made


def render(plan: Plan) -> dict[str, bytes]:
    """Returns the files of a plan by name, header first, in UTF-8 with line feeds."""
    made = environment()
    files = {f"{plan.name}.h": "header.h.j2", f"{plan.name}_tables.c": "tables.c.j2",
             f"{plan.name}_pose.c": "pose.c.j2"}
    if plan.skin:
        files[f"{plan.name}_skin.c"] = "skin.c.j2"
    if plan.mirror:
        files[f"{plan.name}_mirror.c"] = "mirror.c.j2"
    if plan.embed:
        files[f"{plan.name}_bank.c"] = "bank.c.j2"
    texts = {file: made.get_template(template).render(plan=plan)
             for file, template in files.items()}
    return {file: (text if file.endswith(".h") else with_prefix(text, f"{Path(file).stem}_")).encode("utf-8")
            for file, text in texts.items()}


def _widest(items: Iterable[object], attribute: str) -> int:
    """The length of the longest text among an attribute of the items, or 0 without items."""
    return max((len(getattr(item, attribute)) for item in items), default=0)


def _folded(text: str) -> list[str]:
    """Breaks the text into lines for a comment."""
    return textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)
