"""The names of the schemes of `ossicle compare`."""
from __future__ import annotations

from collections.abc import Sequence

from ..base.codec import OWN_CODECS
from ..base.problem import SettingProblem, nearest
from ..encoding.presets import PRESETS

AUTO = "auto"


def scheme_names() -> tuple[str, ...]:
    """Returns all schemes that can be compared: auto, the codecs, the presets."""
    return (AUTO, *OWN_CODECS, *PRESETS)


def chosen_schemes(texts: Sequence[str], what: str) -> tuple[str, ...]:
    """Parses texts such as "curve,goodhue-2017"; without texts, returns all schemes. Always includes auto, the
    baseline. Raises SettingProblem for an unknown scheme."""
    known = scheme_names()
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in words:
        if word not in known:
            raise SettingProblem(f"{what} {word!r} is unknown" + nearest(word, known))
    return tuple(name for name in known if name == AUTO or not words or name in words)
