"""The Debian package: built from the source archive of a release without a network, and checked by lintian."""
from __future__ import annotations

import io
import os
import posixpath
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from ossicle.base.version import versions
from pages import ROOT
from tools.dist import read_release, source_archive
from tools.release.components import components, sources_of_the_page

PAGE = ROOT / "build/viewer/page.html"
PLAIN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OSSICLE_ENCODER")}
HERO = ROOT / "codegen/demo/hero.glb"
needs_page = pytest.mark.skipif(not PAGE.is_file(), reason="./bootstrap viewer builds the page")


def run(*words: object, cwd: Path, environment: dict[str, str]) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def test_its_version_is_that_of_the_library() -> None:
    first = (ROOT / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
    assert re.match(r"ossicle \(([^)]+)\)", first)[1] == versions().library  # type: ignore[index]


@needs_page
def test_its_licences_are_those_of_everything_included() -> None:
    stated = (ROOT / "debian/copyright").read_text(encoding="utf-8")
    for part in components(ROOT, False):
        [holder] = re.findall(r"^Copyright (?:\(c\)|©|\(C\)) (.*?)(?:, All rights reserved\.|\(.*)?$", part.text,
                              re.MULTILINE | re.IGNORECASE)[:1]
        assert holder.replace(", by", "").strip() in stated and part.licence in stated, part.name


@needs_page
def test_the_sources_of_the_page_are_whole() -> None:
    """They import others by relative paths; the page imports packages, and files of packages, by their names."""
    sources = sources_of_the_page(ROOT)
    for name in sources:
        if name.endswith(".js"):
            text = sources[name].content.decode()
            for imported in re.findall(r"^(?:import|export|\}) .*?from '(\.[^']+)'", text, re.MULTILINE):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), imported)) in sources, name
    assert {"three/src/Three.js", "smol-toml/dist/index.js"} <= sources.keys()
    assert b"sourcesContent" in sources["@dagrejs/dagre/dist/dagre.esm.js.map"].content
    own = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "codegen/viewer/src").rglob("*.js"))
    assert set(re.findall(r'from "(three/[^"]+)"', own)) <= sources.keys()


@needs_page
@pytest.mark.exhaustive
def test_the_package_is_built_without_a_network(tmp_path: Path) -> None:
    if not shutil.which("dpkg-buildpackage") or not shutil.which("lintian"):
        pytest.skip("./bootstrap dist installs the tools of Debian packages")
    release = read_release(ROOT)
    with tarfile.open(fileobj=io.BytesIO(source_archive(release))) as archive:
        archive.extractall(tmp_path)
    quick = PLAIN | {"DEB_BUILD_OPTIONS": "noopt"}  # banks do not depend on the level
    run("unshare", "--map-root-user", "--net", "dpkg-buildpackage", "-us", "-uc", cwd=tmp_path / release.stem,
        environment=quick)
    [changes] = tmp_path.glob("*.changes")
    assert run("lintian", "--allow-root", "--fail-on", "error,warning", changes, cwd=tmp_path, environment=PLAIN) == ""
    [package] = (path for path in tmp_path.glob("*.deb") if "dbgsym" not in path.name)
    run("dpkg-deb", "--extract", package, "root", cwd=tmp_path, environment=PLAIN)
    installed = PLAIN | {"PYTHONPATH": str(tmp_path / "root/usr/lib/python3/dist-packages")}
    command = tmp_path / "root/usr/bin/ossicle"
    run(command, "encode", HERO, "-o", "hero.ossb", "--effort", "fast", cwd=tmp_path, environment=installed)
    run(command, "generate", "hero.ossb", "-o", "hero", cwd=tmp_path, environment=installed)
    expected = PLAIN | {"PYTHONPATH": str(ROOT / "codegen")}
    run("/usr/bin/python3", "-m", "ossicle", "encode", HERO, "-o", "expected.ossb", "--effort", "fast", cwd=tmp_path,
        environment=expected)
    assert (tmp_path / "hero.ossb").read_bytes() == (tmp_path / "expected.ossb").read_bytes()
    runtime, platforms = (Path(run(command, "paths", name, cwd=tmp_path, environment=installed).strip())
                          for name in ("runtime", "platforms"))
    assert tmp_path in runtime.parents
    run("gcc", "-std=c99", "-fsyntax-only", f"-I{runtime}", f"-I{platforms / 'scalar'}", "hero/hero_pose.c",
        *runtime.rglob("*.c"), cwd=tmp_path, environment=PLAIN)
