"""bootstrap: installs only missing packages, names them, then runs scons. The programs that
it calls are replaced by scripts that write down how they were called."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OS_RELEASE = Path("/etc/os-release")
IS_DEBIAN_12 = OS_RELEASE.is_file() and {"ID=debian", 'VERSION_ID="12"'} <= set(
    OS_RELEASE.read_text(encoding="utf-8").splitlines())
debian_12 = pytest.mark.skipif(not IS_DEBIAN_12, reason="the packages are those of Debian 12")


class Machine:
    """A checkout with only bootstrap in it, and a PATH on which some packages are missing."""

    def __init__(self, folder: Path, missing: list[str], user_id: int = 0, sudo: bool = True):
        self.folder, self.log = folder, folder / "log"
        self.log.touch()
        self.checkout = folder / "check out"
        self.checkout.mkdir()
        shutil.copy(ROOT / "bootstrap", self.checkout)
        self.path = folder / "bin"
        self.path.mkdir()
        for needing in ("targets/pico", "codegen/viewer"):
            (self.checkout / needing).mkdir(parents=True)
            for name in ("package.json", "package-lock.json"):
                shutil.copy(ROOT / needing / name, self.checkout / needing)
        for tool in ("dirname", "bash", "cat", "env", "realpath", "cmp", "cp", "mkdir"):
            (self.path / tool).symlink_to(shutil.which(tool) or tool)
        self._script("dpkg-query", f'case " {" ".join(missing)} " in *" $3 "*) exit 1;; esac; '
                                   "printf installed")
        self._script("id", f"echo {user_id}")
        for tool in ("apt-get", "scons"):
            self._script(tool, f'echo "{tool} $*" >> "{self.log}"')
        self.npm_log = folder / "npm"
        self._script("npm", f'echo "$*" >> "{self.npm_log}"; mkdir -p "${{@: -1}}/node_modules"')
        if sudo:
            self._script("sudo", f'echo -n "sudo " >> "{self.log}"; exec "$@"')

    def _script(self, name: str, body: str) -> None:
        path = self.path / name
        path.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code and output of bootstrap, run from another folder, and the calls it made."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        result = subprocess.run(
            [str(self.checkout / "bootstrap"), *arguments], cwd=elsewhere, check=False, text=True,
            env={"PATH": str(self.path)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout, self.log.read_text(encoding="utf-8")


def test_no_goal_and_wrong_goals_print_usage(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["gcc"])
    for arguments, first in (([], "usage: bootstrap demo [FILE]"), (["tset"], "bootstrap: unknown goal 'tset'")):
        code, output, calls = machine.run(*arguments)
        assert code == 2 and output.startswith(first) and "bootstrap test" in output
        assert calls == ""
    assert machine.run("--help")[0] == 0


def test_a_missing_file_is_found_before_anything_is_installed(tmp_path: Path) -> None:
    code, output, calls = Machine(tmp_path, ["gcc"]).run("demo", "no.glb")
    assert (code, output.count("\n"), calls) == (2, 1, "") and "bootstrap: no.glb: " in output


@debian_12
def test_only_missing_packages_are_installed(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["qemu-system-arm", "clang", "python3-rich"])
    code, output, calls = machine.run("test", "TEST_WORKERS=1")
    assert code == 0
    assert "bootstrap: installing python3-rich qemu-system-arm clang\n" in output
    assert calls.splitlines() == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3-rich qemu-system-arm clang",
        f"scons -Q -C {machine.checkout} test TEST_WORKERS=1"]


@debian_12
@pytest.mark.parametrize(("goal", "packages"), [
    ("coverage", ["gcovr"]), ("prove", ["frama-c-base"]), ("roots", ["wine"]),
    ("long", ["wine", "gcovr", "frama-c-base"])])
def test_goals_with_tools_of_their_own_install_them(tmp_path: Path, goal: str, packages: list[str]) -> None:
    machine = Machine(tmp_path, ["gcc", "gcovr", "frama-c-base", "wine"])
    code, _, calls = machine.run(goal)
    install = ["apt-get", "install", "-y", "--no-install-recommends"]
    assert code == 0
    assert sorted(calls.splitlines()[1].split()) == sorted([*install, "gcc", *packages])
    assert calls.splitlines()[2] == f"scons -Q -C {machine.checkout} {goal}"


@debian_12
def test_packages_of_npm_are_installed_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path, [])
    assert machine.run("demo")[0] == 0 and not machine.npm_log.exists()
    assert machine.run("test")[0] == machine.run("roots")[0] == 0
    pico, viewer = (f"ci --no-audit --no-fund --prefix {machine.checkout}/build/{name}\n"
                    for name in ("pico", "viewer"))
    assert machine.npm_log.read_text(encoding="utf-8") == pico + viewer
    (machine.checkout / "targets/pico/package-lock.json").write_text("{}", encoding="utf-8")
    assert machine.run("test")[0] == 0
    assert machine.npm_log.read_text(encoding="utf-8") == pico + viewer + pico


@debian_12
def test_the_page_of_the_viewer_needs_no_boards(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["nodejs", "lld", "qemu-system-arm"])
    code, _, calls = machine.run("viewer")
    assert code == 0
    assert calls.splitlines()[1:] == ["apt-get install -y --no-install-recommends lld nodejs",
                                      f"scons -Q -C {machine.checkout} viewer host"]
    assert machine.npm_log.read_text(encoding="utf-8").endswith("/build/viewer\n")


@debian_12
def test_demo_installs_the_emulator_of_the_pico(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["nodejs"])
    assert "apt-get install -y --no-install-recommends nodejs\n" in machine.run("demo", "TARGET=pico")[2]
    assert machine.npm_log.exists()


@debian_12
def test_a_machine_without_npm_gets_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["npm"])
    (machine.path / "npm").unlink()
    assert "apt-get install -y --no-install-recommends npm\n" in machine.run("test")[2]


@debian_12
def test_mutations_need_what_the_tests_need(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["valgrind", "libcmocka-dev"])
    code, _, calls = machine.run("mutate", "MUTATE_ONLY=runtime/")
    assert code == 0
    assert calls.splitlines()[1:] == [
        "apt-get install -y --no-install-recommends valgrind libcmocka-dev",
        f"scons -Q -C {machine.checkout} mutate MUTATE_ONLY=runtime/"]


@debian_12
def test_demo_needs_less_and_takes_a_file(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ["clang", "libcmocka-dev"])
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "my hero.glb").touch()
    code, output, calls = machine.run("demo", "my hero.glb", "TOLERANCE=2mm")
    assert code == 0 and "packages are installed" in output
    assert calls.splitlines() == [f"scons -Q -C {machine.checkout} demo "
                                  f"FILE={tmp_path / 'elsewhere' / 'my hero.glb'} TOLERANCE=2mm"]


@debian_12
def test_demo_installs_the_emulator_of_another_console(tmp_path: Path) -> None:
    _, _, calls = Machine(tmp_path, ["desmume"]).run("demo", "TARGET=nds")
    assert "apt-get install -y --no-install-recommends desmume\n" in calls


@debian_12
def test_a_user_needs_sudo(tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    code, _, calls = Machine(tmp_path / "with", ["scons"], user_id=1000).run("demo")
    assert code == 0 and calls.count("sudo ") == 2
    (tmp_path / "without").mkdir()
    code, output, calls = Machine(tmp_path / "without", ["scons"], 1000, sudo=False).run("demo")
    assert code == 1 and calls == ""
    assert "apt-get install --no-install-recommends scons\n" in output
