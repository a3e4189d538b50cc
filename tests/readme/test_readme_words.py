"""The pages are short enough to be read: words of those that are no reference."""
from __future__ import annotations

import re

from pages import pages, read_page

# Everything that is looked up, not read: the format, all keys and commands, all schemes, all fields.
REFERENCE = {"runtime/SPEC.md", "runtime/published/SPEC.md", "codegen/CONFIGURATION.md", "codegen/JSON.md",
             "codegen/PRESETS.md"}
PROSE_WORDS = 27_000  # of sentences, headings and lists
ALL_WORDS = 35_000  # with tables, figures included
# Not read as words: blocks of code, comments, the addresses of links.
_UNREAD = re.compile(r"^(?P<indent> *)```.*?^(?P=indent)```$|<!--.*?-->|(?<=\])\([^)]*\)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\|.*\n", re.MULTILINE)


def words(text: str) -> int:
    """The words of a text: what spaces or the bars of tables separate, with a letter or digit."""
    return len(re.findall(r"[^\s|]*\w[^\s|]*", text))


def read(text: str) -> str:
    """What a reader of a page reads."""
    return _UNREAD.sub("", text)


def test_words_are_counted_as_they_are_read() -> None:
    text = "# A page\n\nSee [the *other* page](a/b.md), <!-- figure: x.y -->12<!-- --> KB - `osc_mix`.\n\n" \
           "```c\nint code;\n```\n\n| a | b c |\n|---|---:|\n| 1 | **2** |\n"
    assert words(read(text)) == 9 + 5 and words(_TABLE.sub("", read(text))) == 9


def test_the_pages_stay_short() -> None:
    """A page that grows beyond the limits repeats what another states, or belongs to a reference."""
    texts = [read(read_page(page)) for page in {*pages(), "CONTRIBUTING.md", "SECURITY.md"} - REFERENCE]
    assert sum(words(_TABLE.sub("", text)) for text in texts) <= PROSE_WORDS
    assert sum(map(words, texts)) <= ALL_WORDS
    assert REFERENCE <= set(pages())
