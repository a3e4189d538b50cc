"""Converts a file to binary glTF with the library Assimp: `convert.py SUFFIX < FILE > RESULT`.

Files are untrusted, and the library has had memory errors. It therefore runs in this process, which has limits of time
and memory and, where the system has such limits, cannot open files after loading the library (see _limit). It imports
nothing of the package. The result is a line of
JSON, followed by the glTF file unless the line has an error.
"""
from __future__ import annotations

import ctypes
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

MEMORY_BYTES = 4 << 30
CPU_SECONDS = 60
MISSING = "missing"  # the error if there is no library
NAMED = "OSSICLE_ASSIMP"  # in the environment: the library to use

_NAMES = ("libassimp.so.6", "libassimp.so.5", "libassimp.so", "libassimp.dylib", "assimp.dll", "assimp-vc143-mt.dll")
_READ = "aiImportFileFromMemoryWithProperties"
_WHEEL = "cmeel.prefix/lib"  # the folder of libraries in site-packages, from cmeel-assimp
# aiMetadataType: the types of numbers
_NUMBERS: dict[int, Any] = {1: ctypes.c_int32, 2: ctypes.c_uint64, 3: ctypes.c_float, 4: ctypes.c_double}


class _String(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint32), ("data", ctypes.c_char * 1024)]


class _Entry(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("data", ctypes.c_void_p)]


class _Metadata(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("keys", ctypes.POINTER(_String)), ("values", ctypes.POINTER(_Entry))]


def _list_of(name: str, kind: Any) -> list[tuple[str, Any]]:
    """Returns the fields of a list: its count and its address."""
    return [(f"{name}_count", ctypes.c_uint), (name, ctypes.POINTER(kind))]


class _Shape(ctypes.Structure):
    """The first field of aiAnimMesh."""

    _fields_ = [("name", _String)]


class _Mesh(ctypes.Structure):
    """The first fields of aiMesh."""

    _fields_ = [("sizes", ctypes.c_uint * 3), ("vertices", ctypes.c_void_p * 20), ("components", ctypes.c_uint * 8),
                ("faces", ctypes.c_void_p), *_list_of("bones", ctypes.c_void_p), ("material", ctypes.c_uint),
                ("name", _String), *_list_of("shapes", ctypes.POINTER(_Shape))]


class _WeightKey(ctypes.Structure):
    _fields_ = [("time", ctypes.c_double), ("shapes", ctypes.POINTER(ctypes.c_uint)),
                ("weights", ctypes.POINTER(ctypes.c_double)), ("count", ctypes.c_uint)]


class _Weights(ctypes.Structure):
    _fields_ = [("name", _String), *_list_of("keys", _WeightKey)]


class _Animation(ctypes.Structure):
    _fields_ = [("name", _String), ("duration", ctypes.c_double), ("ticks_per_second", ctypes.c_double),
                *_list_of("joints", ctypes.c_void_p), *_list_of("meshes", ctypes.c_void_p),
                *_list_of("weights", ctypes.POINTER(_Weights))]


class _Scene(ctypes.Structure):
    """The first fields of aiScene."""

    _fields_ = [("flags", ctypes.c_uint), ("root", ctypes.c_void_p), *_list_of("meshes", ctypes.POINTER(_Mesh)),
                *_list_of("materials", ctypes.c_void_p), *_list_of("animations", ctypes.POINTER(_Animation)),
                *_list_of("textures", ctypes.c_void_p), *_list_of("lights", ctypes.c_void_p),
                *_list_of("cameras", ctypes.c_void_p), ("metadata", ctypes.POINTER(_Metadata))]


class _Blob(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]


def _load() -> ctypes.CDLL | None:
    """Returns the library, if there is one. NAMED in the environment names another one."""
    named = os.environ.get(NAMED)
    folders = [Path(folder) / _WHEEL for folder in sys.path]
    for name in (named,) if named else (*_NAMES, *(str(folder / name) for folder in folders for name in _NAMES)):
        with suppress(OSError):
            library = ctypes.CDLL(name)
            if hasattr(library, _READ):
                return library
    return None


def _limit() -> None:
    """Sets the limits of this process, where the system has them."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_SECONDS),
                       (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 0)):
        with suppress(OSError, ValueError):  # a lower limit
            resource.setrlimit(what, (most, most))


def _text(string: _String) -> str:
    text: bytes = string.data
    return text.decode(errors="replace")


def _numbers_of(metadata: _Metadata) -> dict[str, float]:
    """Returns the numbers of a scene's metadata."""
    found: dict[str, float] = {}
    for index in range(metadata.count):
        key, value = metadata.keys[index], metadata.values[index]
        if value.type in _NUMBERS and value.data:
            found[_text(key)] = _NUMBERS[value.type].from_address(value.data).value
    return found


def _shapes_of(scene: _Scene) -> dict[str, list[str]]:
    """Returns the names of blend shapes by mesh."""
    meshes = [scene.meshes[index].contents for index in range(scene.meshes_count)]
    return {_text(mesh.name): [_text(mesh.shapes[index].contents.name) for index in range(mesh.shapes_count)]
            for mesh in meshes if mesh.shapes_count}


def _weights_of(animation: _Animation) -> dict[str, list[Any]]:
    """Returns the weights of blend shapes by node: a list of seconds, shape and weight."""
    found: dict[str, list[Any]] = {}
    for index in range(animation.weights_count):
        track = animation.weights[index].contents
        keys = found.setdefault(_text(track.name).rpartition("*")[0], [])
        for key in (track.keys[number] for number in range(track.keys_count)):
            keys += [(key.time / animation.ticks_per_second, key.shapes[number], key.weights[number])
                     for number in range(key.count)]
    return found


def _convert(library: ctypes.CDLL, data: bytes, suffix: str) -> tuple[dict[str, Any], bytes]:
    address, text = ctypes.c_void_p, ctypes.c_char_p
    library.aiCreatePropertyStore.restype = address
    library.aiSetImportPropertyInteger.argtypes = [address, text, ctypes.c_int]
    read, write = getattr(library, _READ), library.aiExportSceneToBlob
    read.argtypes, read.restype = [text, ctypes.c_uint, ctypes.c_uint, text, address], ctypes.POINTER(_Scene)
    write.argtypes, write.restype = [address, text, ctypes.c_uint], ctypes.POINTER(_Blob)
    library.aiGetErrorString.restype = text
    properties = library.aiCreatePropertyStore()
    # document.py applies both: version 5.2 loses the motion of joints with pivots if it does, and only later
    # versions know axes
    library.aiSetImportPropertyInteger(properties, b"IMPORT_FBX_PRESERVE_PIVOTS", 1)
    library.aiSetImportPropertyInteger(properties, b"AI_CONFIG_IMPORT_FBX_IGNORE_UP_DIRECTION", 1)
    scene = read(data, len(data), 0, suffix.encode(), properties)
    blob = write(scene, b"glb2", 0) if scene else None
    if not blob:
        return {"error": (library.aiGetErrorString() or b"").decode(errors="replace")}, b""
    found = scene.contents
    return {"metadata": _numbers_of(found.metadata.contents) if found.metadata else {}, "shapes": _shapes_of(found),
            "weights": [_weights_of(found.animations[index].contents) for index in range(found.animations_count)]}, \
        ctypes.string_at(blob.contents.data, blob.contents.size)


def _main() -> None:
    data = sys.stdin.buffer.read()
    library = _load()
    _limit()
    head, glb = _convert(library, data, sys.argv[1]) if library else ({"error": MISSING}, b"")
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + glb)


if __name__ == "__main__":
    _main()
