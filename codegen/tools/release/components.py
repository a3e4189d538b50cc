"""The parts of a release that other projects wrote: their licences, and a list in the format SPDX 2.3."""
from __future__ import annotations

import hashlib
import json
import re
import subprocess
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .archives import Entry, read_entry

NPM = "build/viewer/node_modules"
# Packages of npm and their licences. The page of `ossicle view` contains them.
OF_THE_PAGE = {"three": "MIT", "@dagrejs/dagre": "MIT", "smol-toml": "BSD-3-Clause"}
# The files from which these packages were made: the map of dagre contains its own.
SOURCES_OF_THE_PAGE = ("@dagrejs/dagre/LICENSE", "@dagrejs/dagre/dist/dagre.esm.js.map", "smol-toml/LICENSE",
                       "smol-toml/dist/*.js", "three/LICENSE", "three/src/**/*.js",
                       "three/examples/jsm/controls/OrbitControls.js")
# Files and folders of three.js for WebGPU.
NOT_IN_THE_PAGE = {"nodes", "common", "webgpu", "webgl-fallback", "Three.TSL.js", "Three.WebGPU.js",
                   "Three.WebGPU.Nodes.js"}
DECODER = "build/viewer/meshopt_decoder.mjs"
# Debian packages and their licences. The site contains some of their style sheets and scripts.
OF_THE_SITE = {"furo": "MIT", "sphinx-common": "BSD-2-Clause", "python3-sphinx-inline-tabs": "MIT",
               "python3-pygments": "BSD-2-Clause", "libjs-jquery": "MIT", "libjs-underscore": "MIT",
               "node-normalize.css": "MIT"}
PAGE, SITE = "page of ossicle view (in sdist, wheel and site)", "site"


@dataclass(frozen=True)
class Component:
    """A part of the release that another project wrote. url: its package URL; place: where it is contained; text: its
    licence."""

    name: str
    version: str
    licence: str
    url: str
    place: str
    text: str


def components(root: Path, has_site: bool) -> list[Component]:
    """Returns everything that the release contains of others. root: of the checkout, in which the page is built."""
    found = [_of_npm(root, name, licence) for name, licence in OF_THE_PAGE.items()]
    decoder = (root / DECODER).read_text(encoding="utf-8")
    version, holder = re.search(r"Built from meshoptimizer (\S+)", decoder), re.search(r"Copyright .*", decoder)
    if not version or not holder:
        raise ValueError(f"{DECODER}: does not state its version and its copyright")
    mit = (root / "LICENSE").read_text(encoding="utf-8")
    found.append(Component("meshoptimizer", version[1], "MIT", f"pkg:npm/meshoptimizer@{version[1]}", PAGE,
                           re.sub(r"Copyright .*", holder[0], mit)))
    return found + [_of_debian(name, licence) for name, licence in OF_THE_SITE.items() if has_site]


def _of_npm(root: Path, name: str, licence: str) -> Component:
    folder = root / NPM / name
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    return Component(name, version, licence, f"pkg:npm/{name.replace('@', '%40')}@{version}", PAGE,
                     (folder / "LICENSE").read_text(encoding="utf-8"))


def _of_debian(name: str, licence: str) -> Component:
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], check=True, capture_output=True,
                             text=True).stdout
    text = Path("/usr/share/doc", name, "copyright").read_text(encoding="utf-8")
    return Component(name, version, licence, f"pkg:deb/debian/{name}@{version}", SITE, text)


def sources_of_the_page(root: Path) -> dict[str, Entry]:
    """Returns the sources of the packages in the page of `ossicle view`, and their licences."""
    modules = root / NPM
    paths = [path.relative_to(modules) for pattern in SOURCES_OF_THE_PAGE for path in modules.glob(pattern)]
    return {path.as_posix(): read_entry(modules / path) for path in paths if NOT_IN_THE_PAGE.isdisjoint(path.parts)}


def licences(root: Path, contained: list[Component]) -> str:
    """Returns the licence of Ossicle, and those of the components."""
    texts = [f"Ossicle\n\n{(root / 'LICENSE').read_text(encoding='utf-8')}"]
    texts += [f"{part.name} {part.version}: {part.place}\n\n{part.text}" for part in contained]
    return f"\n{'=' * 100}\n\n".join(text.strip() + "\n" for text in texts)


def bill_of_materials(root: Path, version: str, epoch: int, contained: list[Component],
                      files: Mapping[str, bytes]) -> str:
    """Returns an SPDX document of the release's files, of the components, and of the Python packages that the command
    needs. epoch: the date, in seconds since 1970."""
    needed = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    packages = [_package("ossicle", version, "MIT", f"pkg:pypi/ossicle@{version}")]
    packages += [_package(part.name, part.version, part.licence, part.url) for part in contained]
    packages += [_package(name, "", "NOASSERTION", f"pkg:pypi/{name}") for name in needed]
    [main, *others] = [package["SPDXID"] for package in packages]
    kinds = ["CONTAINS"] * len(contained) + ["DEPENDS_ON"] * len(needed)
    listed = [{"SPDXID": f"SPDXRef-File-{index}", "fileName": f"./{name}",
               "checksums": [{"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, data).hexdigest()}
                             for algorithm in ("sha1", "sha256")],
               "copyrightText": "NOASSERTION", "licenseConcluded": "NOASSERTION"}
              for index, (name, data) in enumerate(sorted(files.items()))]
    sums = hashlib.sha256("".join(str(file["checksums"]) for file in listed).encode()).hexdigest()
    edges = [("SPDXRef-DOCUMENT", "DESCRIBES", main), *((main, kind, other) for kind, other in zip(kinds, others)),
             *((main, "CONTAINS", str(file["SPDXID"])) for file in listed)]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"ossicle-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/ossicle-{version}-{sums}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
                         "creators": ["Tool: ossicle-dist"]},
        "packages": packages, "files": listed,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in edges]}
    return json.dumps(document, indent=2) + "\n"


def _package(name: str, version: str, licence: str, url: str) -> dict[str, object]:
    return {"SPDXID": f"SPDXRef-Package-{re.sub('[^A-Za-z0-9.]', '-', name)}", "name": name,
            **({"versionInfo": version} if version else {}), "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": url}]}
