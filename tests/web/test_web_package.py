"""The npm package of codegen/web: packed, installed in an empty folder, and run by node."""
from __future__ import annotations

import json
import os
import re
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest
from figures import figure
from ossicle.base.version import versions
from ossicle.cli.main import main
from ossicle.encoding.native import pose_hash
from pages import read_blocks, read_page
from pose_driver import Driver, Query

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "build/web/ossicle"
HERO = ROOT / "codegen/demo/hero.glb"
PAGE = "codegen/web/README.md"
THREE = ROOT / "build/viewer/node_modules/three"
OFFLINE = {"npm_config_offline": "true", "npm_config_audit": "false", "npm_config_fund": "false",
           "npm_config_update_notifier": "false"}
ONCE = 1


def run(*words: object, cwd: Path, **environment: object) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=120,
                          check=False, env=os.environ | {name: str(value) for name, value in environment.items()})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package in node_modules of an empty project, as npm installs it."""
    assert (PACKAGE / "ossicle.wasm").is_file(), "run `scons web`"
    folder = tmp_path_factory.mktemp("game")
    settings = OFFLINE | {"npm_config_cache": folder / "cache"}
    run("npm", "pack", "--silent", PACKAGE, cwd=folder, **settings)
    [archive] = folder.glob("ossicle-*.tgz")
    run("npm", "install", "--silent", archive, cwd=folder, **settings)
    return folder


@pytest.fixture(scope="module")
def address(installed: Path) -> str:
    return (installed / "node_modules/ossicle/index.js").as_uri()


def encode(bank: Path, *options: object) -> Path:
    assert main(["encode", str(HERO), "-o", str(bank), "--quiet", *map(str, options)]) == 0
    return bank


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    return encode(tmp_path_factory.mktemp("web") / "hero.ossb", "--loop", "Walk", "--loop", "Run", "--loop", "Idle")


def matrices(words: list[int]) -> list[float]:
    """Integer 3x4 matrices as column-major 4x4 matrices of singles."""
    rows = np.array(words, np.int32).astype(np.float32).reshape(-1, 3, 4) / np.float32(1 << 20)
    whole = np.concatenate([rows, np.tile(np.array([[[0, 0, 0, 1]]], np.float32), (len(rows), 1, 1))], axis=1)
    return whole.transpose(0, 2, 1).ravel().tolist()


def locals_of(words: list[int], joints: int) -> list[float]:
    """The runtime's arrays of a pose as records of a joint."""
    numbers = np.array(words, np.int32).astype(np.float32) / np.float32(1 << 20)
    rotations, rest = numbers[:4 * joints].reshape(joints, 4), numbers[4 * joints:]
    translations = rest[:3 * joints].reshape(joints, 3)
    scales = rest[3 * joints:].reshape(-1, 3) if len(rest) > 3 * joints else np.ones((joints, 3), np.float32)
    return np.concatenate([translations, rotations, scales], axis=1).ravel().tolist()


@pytest.mark.parametrize("codec", ["auto", "transform"])
def test_its_poses_are_those_of_the_host(codec: str, address: str, tmp_path: Path, driver: Driver) -> None:
    bank = encode(tmp_path / "hero.ossb", "--skin-matrices", *(["--codec", codec] if codec != "auto" else []))
    words = np.fromfile(bank, "<u4")
    played = json.loads(run("node", HERE / "play_all.mjs", address, bank, cwd=tmp_path))
    assert played["hash"] == pose_hash(words)
    joints = len(played["joints"])
    queries = [Query(clip, ONCE, pose["position"]) for clip, pose in enumerate(played["poses"])]
    *_, answers = driver.ask(words.tobytes(), queries)
    for pose, answer in zip(played["poses"], answers, strict=True):
        assert pose["local"] == locals_of(answer.pose, joints)
        assert pose["model"] == matrices(answer.model)
        assert len(pose["skin"]) == 16 * joints and pose["skin"] != pose["model"]


def test_its_clips_and_joints_are_those_of_the_bank(address: str, hero: Path,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    played = json.loads(run("node", HERE / "play_all.mjs", address, hero, cwd=hero.parent))
    assert main(["inspect", str(hero), "--json"]) == 0
    bank = json.loads(capsys.readouterr().out)
    assert [clip["name"] for clip in played["clips"]] == [clip["name"] for clip in bank["clips"]]
    assert [clip["frames"] for clip in played["clips"]] == [clip["frames"] for clip in bank["clips"]]
    assert [joint["name"] for joint in played["joints"]] == [joint["name"] for joint in bank["joints"]]
    assert {clip["name"] for clip in played["clips"] if clip["loop"]} == {"Walk", "Run", "Idle"}


def test_the_package_in_node(address: str, hero: Path, tmp_path: Path) -> None:
    config = tmp_path / "additive.toml"
    config.write_text("[clips.Wave]\nadditive = 'Idle@5'\n")
    additive = encode(tmp_path / "additive.ossb", "--config", config)
    run("node", "--test", HERE / "package.test.mjs", cwd=tmp_path, PACKAGE=address, BANK=hero, ADDITIVE=additive)


def test_a_published_scheme_is_refused(address: str, tmp_path: Path) -> None:
    bank = encode(tmp_path / "hero.ossb", "--preset", "acl-2017")
    script = f"import {{ openBank }} from '{address}'; import {{ readFileSync }} from 'node:fs'; " \
             f"try {{ await openBank(readFileSync('{bank}')) }} catch ({{ code }}) {{ console.log(code) }}"
    assert run("node", "--input-type=module", "--eval", script, cwd=tmp_path) == "OSC_ERROR_CODEC\n"


def test_the_page_animates_bones(installed: Path, hero: Path) -> None:
    """The blocks of the page, on bones with the names that GLTFLoader gives."""
    if not THREE.is_dir():
        pytest.skip("three.js is not in build/viewer: ./bootstrap viewer")
    modules = installed / "node_modules"
    if not (modules / "three").exists():
        (modules / "three").symlink_to(THREE)
    example, change = [block.text for block in read_blocks(read_page(PAGE), PAGE) if block.language == "js"]
    (installed / "page.mjs").write_text(f"""
import {{ readFileSync }} from "node:fs";
import {{ Bone }} from "three";
const bytes = readFileSync({json.dumps(str(hero))});
globalThis.fetch = async () => ({{ arrayBuffer: async () => Uint8Array.from(bytes).buffer }});
const model = new Bone();
for (const {{ name }} of (await openBank(bytes)).joints) {{
    const bone = new Bone();
    bone.name = PropertyBinding.sanitizeNodeName(name);
    model.add(bone);
}}
{example}
animate(0.3);
const before = bones.map(({{ quaternion }}) => quaternion.toArray());
const lengths = bones.map(({{ quaternion }}) => quaternion.length());
{change}
animate(0.3);
const moved = bones.filter(({{ quaternion }}, i) => quaternion.toArray().some((x, k) => x !== before[i][k]));
console.log(JSON.stringify([moved.length, Math.min(...lengths), Math.max(...lengths)]));
""", encoding="utf-8")
    moved, least, most = json.loads(run("node", "page.mjs", cwd=installed))
    assert moved > 5 and abs(least - 1) < 2**-11 and abs(most - 1) < 2**-11


def test_its_size() -> None:
    module = (PACKAGE / "ossicle.wasm").read_bytes()
    packer = zlib.compressobj(9, wbits=31)
    packed = packer.compress(module) + packer.flush()
    for content, most in ((module, figure("web.most_bytes")), (packed, figure("web.most_gzip_bytes"))):
        assert 0.9 * most < len(content) < most


def test_its_version_and_constants() -> None:
    package = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == versions().library
    script = (PACKAGE / "index.js").read_text(encoding="utf-8")
    headers = "".join(path.read_text(encoding="utf-8") for path in [
        *(ROOT / "runtime").glob("*.h"), ROOT / "runtime/bank/osc_format.h"])
    for number, name in re.findall(r'^ *"?\[?(-\d+|NO_MEMORY)\]?"?: \["(OSC_ERROR_\w+)"', script, re.M):
        value = -10 if number == "NO_MEMORY" else int(number)
        assert re.search(rf"\b{name} = {value}\b", headers), name
    for value, name in re.findall(r"= (\w+); // (OSC_\w+)$", script, re.M):
        found = re.search(rf"\b{name} (?:= )?(-?\w+)", headers)
        assert found and int(found[1].rstrip("u"), 0) == int(value, 0) if value != "-10" else True, name
