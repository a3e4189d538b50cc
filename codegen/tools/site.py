"""Makes the site: `python3 -m tools.site`, called by `scons site`.

Gathers the pages of the checkout, a page for each public header and the live page of the demo character in a folder,
from which Sphinx makes HTML that needs no network. Links between pages work in the checkout and on the site, because
pages keep their places.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ossicle.base.problem import SettingProblem
from ossicle.cli.main import guarded

from .c_reference import page as header_page

ROOT = Path(__file__).resolve().parents[2]
OWN, OUTPUT = ROOT / "codegen/site", "build/site"
HEADERS = ("runtime/ossicle.h", "runtime/osc_mix.h", "runtime/osc_ik.h", "runtime/osc_motion.h", "runtime/osc_graph.h",
           "runtime/osc_crowd.h", "runtime/osc_skin.h", "runtime/osc_stream.h", "targets/hal.h", "targets/screen.h",
           "targets/media/osc_spi_nor.h", "targets/media/osc_block_medium.h", "targets/testing/mock_spi_nor.h",
           "targets/testing/mock_card.h", "targets/testing/mock_clock.h", "targets/testing/mock_display.h",
           "targets/testing/faulty_medium.h")
# The order of the pages. Those of HEADERS follow under "Reference".
SECTIONS = {
    "Start": ("codegen/START.md", "README.md"),
    "Artists": ("codegen/ARTISTS.md", "codegen/VIEWING.md"),
    "Games": ("codegen/README.md", "runtime/README.md", "runtime/POSES.md", "runtime/STREAMING.md",
              "codegen/LIBRARIES.md", "codegen/rules/README.md", "codegen/web/README.md", "targets/testing/README.md"),
    "Consoles and boards": ("targets/README.md", "platforms/README.md", "targets/media/README.md"),
    "Reference": ("codegen/CONFIGURATION.md", "codegen/JSON.md"),
    "How it works": ("codegen/CODECS.md",),
    "Comparisons": ("codegen/COMPARISONS.md", "codegen/PRESETS.md"),
    "Specification": ("runtime/SPEC.md", "runtime/published/SPEC.md"),
    "The project": ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md", "tests/coverage/README.md",
                    "tests/mutate/README.md", "tests/prove/README.md"),
}
TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end of tabs -->\n", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)]+)?\))")
LIVE = "live.html"
INDEX = """# See it

The demo character, decoded in your browser by the runtime that games ship, compiled to WebAssembly. Drag to turn it,
choose a clip, and see what it costs and where it deviates from its source.
<a href="LIVE">The whole page</a> has more room.

<iframe class="live" src="LIVE" title="The demo character in the page of ossicle view"></iframe>

Ossicle compresses skeletal animation to an error that you state in millimetres, and plays it on machines with little
memory. [Start in five minutes](codegen/START.md) on your machine, or read [what it costs](README.md#what-it-costs).
"""


def _listed(caption: str, pages: tuple[str, ...]) -> str:
    names = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"


def index() -> str:
    """Returns the first page, with the order of the others."""
    reference = tuple(f"{header}.md" for header in HEADERS)
    lists = (_listed(caption, (*pages, *(reference if caption == "Reference" else ())))
             for caption, pages in SECTIONS.items())
    return INDEX.replace("LIVE", LIVE) + "".join(lists)


def with_tabs(text: str) -> str:
    """Returns a page in which the sections between `<!-- tabs -->` and `<!-- end of tabs -->` are tabs."""
    def tabs(match: re.Match[str]) -> str:
        _, *sections = re.split(r"^## (.+)\n", match[1], flags=re.MULTILINE)
        return "".join(f"`````{{tab}} {title}\n{body.strip()}\n`````\n\n"
                       for title, body in zip(sections[::2], sections[1::2], strict=True))
    return TABS.sub(tabs, text)


def gather(folder: Path) -> list[str]:
    """Writes all that Sphinx reads to a folder, and returns the pages by their paths."""
    pages = [page for listed in SECTIONS.values() for page in listed]
    for page in pages:
        place = folder / page
        place.parent.mkdir(parents=True, exist_ok=True)

        def moved(match: re.Match[str], page: str = page) -> str:
            target = Path(os.path.normpath(ROOT / Path(page).parent / match[2])).relative_to(ROOT).as_posix()
            if target in HEADERS:
                return f"{match[1]}{match[2]}.md{match[3]}"
            if target not in pages:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / target, folder / target)
            return match[0]

        text = with_tabs((ROOT / page).read_text(encoding="utf-8"))
        place.write_text(LINK.sub(moved, text), encoding="utf-8")
    for header in HEADERS:
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{header}.md").write_text(header_page(ROOT / header), encoding="utf-8")
    (folder / "index.md").write_text(index(), encoding="utf-8")
    shutil.copyfile(OWN / "conf.py", folder / "conf.py")
    (folder / "_static").mkdir()
    shutil.copyfile(OWN / "site.css", folder / "_static/site.css")
    return pages


def _run(*words: object) -> None:
    done = subprocess.run([sys.executable, "-m", *map(str, words)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    if done.returncode:
        raise SettingProblem(f"{words[0]} failed:\n{done.stdout.strip()}")


def make_site() -> Path:
    """Writes the site, and returns its folder. Raises SettingProblem with the messages of Sphinx, such as those about
    links that lead nowhere."""
    output = ROOT / OUTPUT
    shutil.rmtree(output, ignore_errors=True)
    pages, live, demo = output / "pages", output / "pages/extra" / LIVE, ROOT / "codegen/demo"
    live.parent.mkdir(parents=True)
    gather(pages)
    _run("ossicle", "build", demo / "hero.toml", "-o", output / "demo", "--quiet")
    _run("ossicle", "view", output / "demo/hero.ossb", "--source", demo / "hero.glb", "-o", live, "--no-open",
         "--quiet")
    _run("sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", output / "doctrees", pages, output / "html")
    for name in (".buildinfo", "objects.inv"):  # files that readers do not need
        (output / "html" / name).unlink(missing_ok=True)
    _mend(output / "html")
    return output / "html"


def _mend(html: Path) -> None:
    """Corrects what Sphinx and Debian's Furo write: headings without levels, code that keys cannot scroll, a style
    sheet of another folder, and a dark theme that ignores the setting of the system."""
    for path in html.rglob("*.html"):
        if path.name != LIVE:
            text = path.read_text(encoding="utf-8").replace('role="heading"', 'role="heading" aria-level="2"')
            text = text.replace("<pre>", '<pre tabindex="0">')
            path.write_text(text.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
                            encoding="utf-8")
    path = html / "_static/styles/furo.css"
    text = path.read_text(encoding="utf-8")
    dark = re.search(r'body\[data-theme="dark"\] (\{.*?\})', text, re.DOTALL)
    if dark and "prefers-color-scheme" not in text:
        text += f'\n@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark[1]} }}\n'
    path.write_text(re.sub(r"@import url\((/javascript/[^)]*)\);",
                           lambda found: Path("/usr/share" + found[1]).read_text(encoding="utf-8"), text),
                    encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    """Runs the command line. Returns 0, or 1 after a message on stderr."""
    argparse.ArgumentParser(prog=f"python3 -m {__spec__.name}",
                            description=f"Makes the site in {OUTPUT}.").parse_args(argv)

    def run() -> int:
        print(f"wrote {make_site() / 'index.html'}")
        return 0

    return guarded(run, argv is None)


if __name__ == "__main__":
    sys.exit(main())
