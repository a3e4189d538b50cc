"""Inserts the data of a page into its template, which `scons viewer` builds."""
from __future__ import annotations

from html import escape

from ..base.places import IS_INSTALLED, VIEWER_PAGE
from ..base.problem import SettingProblem

DATA = "<!-- data -->"  # of the template: replaced by the data
TITLE = "<!-- title -->"


def page(title: str, data: str) -> bytes:
    """Returns the page as HTML in UTF-8. data: the result of Container.text. Raises SettingProblem if the template is
    missing."""
    try:
        template = VIEWER_PAGE.read_text(encoding="utf-8")
    except OSError as error:
        remedy = "build it with ./bootstrap viewer" if not IS_INSTALLED else (
            "run ./bootstrap viewer and `pip install .` in the checkout, because pip alone cannot build it")
        raise SettingProblem(f"{VIEWER_PAGE}: the page of the viewer is missing ({error.strerror}); "
                             f"{remedy}") from error
    return template.replace(TITLE, escape(title)).replace(DATA, data).encode("utf-8", "replace")
