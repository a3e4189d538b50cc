"""The add-on finds the files to write, and writes none if one of them cannot be used. Blender is replaced by a stub."""
import importlib
import sys
import types
from unittest import mock

import pytest
from mentions import mentioning

from ossicle.base.places import BLENDER_ADDON


@pytest.fixture
def measuring(monkeypatch, tmp_path):
    """The module, in a Blender whose file is tmp_path/hero.blend."""
    bpy = mock.MagicMock()
    bpy.path.abspath = lambda path: f"{tmp_path}/{path[2:]}" if path.startswith("//") else path
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    monkeypatch.setitem(sys.modules, "mathutils", mock.MagicMock())
    package = types.ModuleType("stubbed_add_on")
    package.__path__ = [str(BLENDER_ADDON)]
    before = set(sys.modules)
    monkeypatch.setitem(sys.modules, package.__name__, package)
    module = importlib.import_module("stubbed_add_on.measuring")
    monkeypatch.setattr(module, "export", mock.MagicMock())
    yield module
    for name in set(sys.modules) - before:
        if name.startswith("stubbed_add_on."):
            del sys.modules[name]


def rig(config):
    """An armature with one joint, which is dropped."""
    joint = types.SimpleNamespace(name="ik", drop=True)
    return types.SimpleNamespace(
        name="Rig", data=types.SimpleNamespace(bones={"ik": None}),
        ossicle=types.SimpleNamespace(config=str(config), tolerance="2mm", target="", joints=[joint]))


@pytest.mark.parametrize("name", ["walk.bvh", "../hero.glb", "*.glb"])
def test_export_to_another_file_changes_nothing(measuring, tmp_path, name):
    path = tmp_path / "a.toml"
    path.write_text(f'inputs = ["{name}"]\n')
    measuring._seen["Rig", path] = path.read_text()
    with pytest.raises(measuring.Problem, match=mentioning(f"a.toml {name} .glb")):
        measuring.export_source(rig(path))
    assert {item.name: item.read_text() for item in tmp_path.iterdir()} == {"a.toml": f'inputs = ["{name}"]\n'}
    measuring.export.assert_not_called()


@pytest.mark.parametrize("name", ["hero.glb", "HERO.GLB"])
def test_export_to_the_first_input(measuring, tmp_path, name):
    path = tmp_path / "a.toml"
    path.write_text(f'inputs = ["{name}"]\n')
    measuring._seen["Rig", path] = path.read_text()
    measuring.export_source(rig(path))
    assert measuring.export.call_args.args[2] == tmp_path / name
    assert 'tolerance = "2mm"' in path.read_text()


def test_a_path_beside_the_blend_file(measuring, tmp_path, monkeypatch):
    assert measuring.config_path(rig("//a.toml")) == tmp_path / "a.toml"
    monkeypatch.setattr(measuring.bpy.path, "abspath", lambda path: path.removeprefix("//"))  # was never saved
    with pytest.raises(measuring.Problem, match=mentioning("TOML file .toml .blend //")):
        measuring.config_path(rig("//a.toml"))
