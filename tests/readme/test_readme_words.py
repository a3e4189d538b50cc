"""The pages are short enough to be read: words of those that are no reference."""
from __future__ import annotations

import re

from pages import pages, read_page

# Everything that is looked up, not read: the format, all keys and commands, all schemes, all fields.
REFERENCE = {"runtime/SPEC.md", "runtime/published/SPEC.md", "codegen/CONFIGURATION.md", "codegen/JSON.md",
             "codegen/PRESETS.md"}
FOR_CONTRIBUTORS = {"CONTRIBUTING.md", "SECURITY.md", *(page for page in pages() if page.startswith("tests/"))}
USER_WORDS = 27_000  # most words in pages for users, tables included
PROSE_WORDS = 27_000  # most words in all pages, tables excluded
# Not read as words: blocks of code, comments, the addresses of links.
_UNREAD = re.compile(r"^(?P<indent> *)```.*?^(?P=indent)```$|<!--.*?-->|(?<=\])\([^)]*\)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\|.*\n", re.MULTILINE)


def words(text: str) -> int:
    """The words of a text: what spaces or the bars of tables separate, if it has a letter; figures are no words."""
    return len(re.findall(r"[^\s|]*[^\W\d_][^\s|]*", text))


def read(page: str) -> str:
    """Returns the text of a page without code, comments and addresses."""
    return _UNREAD.sub("", read_page(page))


def test_words_are_counted_as_they_are_read() -> None:
    text = "# A page\n\nSee [the *other* page](a/b.md), <!-- figure: x.y -->12<!-- --> KB - `osc_mix`.\n\n" \
           "```c\nint code;\n```\n\n| a | b c |\n|---|---:|\n| 1 | **2** |\n"
    seen = _UNREAD.sub("", text)
    assert words(seen) == 8 + 3 and words(_TABLE.sub("", seen)) == 8


def test_the_pages_stay_short() -> None:
    """A page that grows beyond the limits repeats what another states, or belongs to a reference."""
    assert REFERENCE <= set(pages())
    read_pages = {*pages(), *FOR_CONTRIBUTORS} - REFERENCE
    assert sum(words(read(page)) for page in read_pages - FOR_CONTRIBUTORS) <= USER_WORDS
    assert sum(words(_TABLE.sub("", read(page))) for page in read_pages) <= PROSE_WORDS
