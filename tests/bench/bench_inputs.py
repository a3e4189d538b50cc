"""The clips that the benches measure."""
from __future__ import annotations

from pathlib import Path

from tools.demo import HERO

CORPORA = {"Knight": "corpus/Knight.glb", "bandai": "corpus/bandai/*.bvh"}  # files of ../shared, by corpus
SMALLEST = "measure the demo character alone: shows that the bench works"  # help of --smallest


def files_of_corpora(shared: Path, smallest: bool = False) -> dict[str, list[Path]]:
    """Returns the files of each corpus in `shared`, or with `smallest` only the demo character. Prints a line for each
    corpus that is missing."""
    if smallest:
        return {"hero": [HERO]}
    found = {}
    for corpus, pattern in CORPORA.items():
        if paths := sorted(shared.glob(pattern)):
            found[corpus] = paths
        else:
            print(f"{corpus}: no ../shared/{pattern} beside the checkout; left out")
    return found
