"""Reads the glTF 2.0 container: .glb chunks, JSON, and buffers (external, embedded, or in the binary chunk)."""
from __future__ import annotations

import base64
import binascii
import os
import re
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import numpy as np

from ...base.arrays import Array
from ...base.option_names import named
from ...base.files.path_names import refused_character
from ...base.files.reading import read_file
from ...model.clip import ImportProblem
from ..suffixes import BINARY_GLTF
from . import json_values as gltf_json
from . import meshopt
from .json_values import REEXPORT

_GLB_MAGIC = b"glTF"
_GLB_HEADER = struct.Struct("<4sII")
_CHUNK_HEADER = struct.Struct("<II")
_JSON_CHUNK = 0x4E4F534A
_BINARY_CHUNK = 0x004E4942
_URI_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_URI_KEY = re.compile(rb"uri|\\u00[67]")  # also if it has escapes
_MAX_BYTES = 1 << 32  # of a buffer, which is read as a whole
# Extensions that compress buffer views in their own format.
_COMPRESSION = (*meshopt.EXTENSIONS, "MESHOPT_compression")

# Required extensions that do not affect nodes, skins or animations.
_HARMLESS = re.compile(
    r"KHR_(materials_\w+|texture_\w+|mesh_quantization|draco_mesh_compression|lights_punctual|"
    r"animation_pointer|xmp\w*|node_\w+)|EXT_(texture|lights|mesh)_\w+|MSFT_texture_dds|VRMC?_?\w*"
)


def may_name_files(data: bytes) -> bool:
    """Returns whether a file may name others, without parsing it: most binary files name none."""
    return _URI_KEY.search(data) is not None


class GltfFile:
    """A parsed file. root: the JSON object; binary: the binary chunk, if there is one. Views are read on demand, so
    that a missing texture, or an extension that only affects meshes, is no error."""

    def __init__(self, path: Path, data: bytes, outside: bool = False):
        """outside: whether files outside the folder may be read too. Raises ImportProblem if the container, the JSON or
        the version is invalid."""
        self._folder, self._outside = path.parent, outside
        self._roots = {os.path.realpath(path.parent), os.path.dirname(os.path.realpath(path))}
        self.warnings: list[str] = []
        self.binary: bytes | None = None
        if data[:4] == _GLB_MAGIC:
            json_bytes = self._split_chunks(data)
        elif path.suffix.lower() in BINARY_GLTF:
            raise ImportProblem("is not binary glTF (the magic glTF is missing); export it again")
        else:
            json_bytes = data
        self.root = gltf_json.parse(json_bytes)
        self._check_asset()
        self._views = gltf_json.objects(self.root, "bufferViews")
        self._buffers = gltf_json.objects(self.root, "buffers")
        self._loaded: dict[int, bytes] = {}
        self._decoder = meshopt.MeshoptDecoder()
        self._decoded: dict[int, bytes] = {}
        self._required = gltf_json.items(self.root, "extensionsRequired")
        for name in self._required:
            if name in _COMPRESSION or (isinstance(name, str) and _HARMLESS.fullmatch(name)):
                continue
            self.warnings.append(
                f"requires the extension {name}, which is unknown and was ignored"
            )

    def _split_chunks(self, data: bytes) -> bytes:
        """Stores the binary chunk and returns the JSON chunk."""
        if len(data) < _GLB_HEADER.size:
            raise ImportProblem(f"is truncated: {len(data)} bytes; copy or export it again")
        _, version, length = _GLB_HEADER.unpack_from(data)
        if version != 2:
            raise ImportProblem(f"is binary glTF version {version}, expected 2; export as glTF 2.0")
        if length > len(data):
            raise ImportProblem(
                f"is truncated: {len(data)} of {length} bytes; copy or export it again"
            )
        if length < len(data):
            self.warnings.append(f"has {len(data) - length} bytes after its end, ignored")
        chunks = []
        at = _GLB_HEADER.size
        while at < length:
            if at + _CHUNK_HEADER.size > length:
                raise ImportProblem(f"has a cut-off chunk at byte {at}; copy or export it again")
            size, kind = _CHUNK_HEADER.unpack_from(data, at)
            at += _CHUNK_HEADER.size
            if size > length - at:
                raise ImportProblem(
                    f"chunk of {size} bytes at byte {at} reaches beyond the file's {length}; "
                    "copy or export it again"
                )
            chunks.append((kind, data[at: at + size]))
            at += size
        if not chunks or chunks[0][0] != _JSON_CHUNK:
            raise ImportProblem(f"the first chunk is not JSON; {REEXPORT}")
        if len(chunks) > 1 and chunks[1][0] == _BINARY_CHUNK:
            self.binary = chunks[1][1]
        return chunks[0][1]

    def _check_asset(self) -> None:
        asset = gltf_json.mapping(self.root, "asset")
        # Old exporters wrote the version as a number.
        version = str(asset.get("version", "(none)"))
        if not re.fullmatch(r"2(\.\d+)?", version):
            raise ImportProblem(f"is glTF version {version}, expected 2.0; export as glTF 2.0")
        minimum = gltf_json.text(asset, "minVersion", "asset", "2.0")
        if minimum != "2.0":
            raise ImportProblem(f"needs at least glTF {minimum}; export as glTF 2.0")

    def view(self, index: int, where: str) -> tuple[Array, int | None]:
        """Returns the bytes (uint8, read-only) and the byteStride of a buffer view, whose index must be in range."""
        view = self._views[index]
        location = f"{where}: buffer view {index}"
        stride = gltf_json.integer(view, "byteStride", location, _MAX_BYTES, 1, default=None)
        extensions = gltf_json.mapping(view, "extensions", location)
        number = gltf_json.integer(view, "buffer", location, len(self._buffers))
        for name in _COMPRESSION:
            if name in extensions and (name in self._required or not self._has_data(number)):
                if index not in self._decoded:
                    self._decoded[index] = self._decode(name, gltf_json.mapping(extensions, name, location), location)
                return np.frombuffer(self._decoded[index], np.uint8), stride
        return self._slice(view, location), stride

    def plain_view(self, index: Any) -> tuple[bytes, int, int] | None:
        """Returns the buffer of a buffer view, its offset and its size, if the view is valid, without a stride and
        extensions, and its buffer was read; otherwise None. index: as in the file."""
        view = self._views[index] if type(index) is int and 0 <= index < len(self._views) else None
        if view is None or "byteStride" in view or "extensions" in view:
            return None
        number, offset, size = view.get("buffer"), view.get("byteOffset", 0), view.get("byteLength")
        data = self._loaded.get(number) if type(number) is int else None
        if data is None or type(offset) is not int or type(size) is not int or not 0 <= offset <= len(data) - size:
            return None
        return data, offset, size

    def _decode(self, name: str, packed: dict[str, Any], location: str) -> bytes:
        if name not in meshopt.EXTENSIONS:
            raise ImportProblem(f"{location}: is compressed with {name}; export without it, or with "
                                f"{meshopt.EXTENSIONS[0]}")
        return self._decoder.decode(packed, self._slice(packed, f"{location}: {name}").tobytes(), location)

    def _slice(self, view: dict[str, Any], location: str) -> Array:
        """Returns the bytes of a buffer to which a view, or its extension, refers."""
        number = gltf_json.integer(view, "buffer", location, len(self._buffers))
        data = self._buffer(number)
        offset = gltf_json.integer(view, "byteOffset", location, _MAX_BYTES, default=0)
        size = gltf_json.integer(view, "byteLength", location, _MAX_BYTES)
        if offset + size > len(data):
            raise ImportProblem(
                f"{location}: bytes {offset} to {offset + size} reach beyond the {len(data)} bytes of "
                f"buffer {number}; {REEXPORT}"
            )
        return np.frombuffer(data, np.uint8, size, offset)

    def named_files(self) -> list[Path]:
        """Returns the files that buffers, images and extensions name and that may be read, even if they do not
        exist."""
        names: set[str] = set()
        pending: list[Any] = [self.root]
        while pending:
            owner = pending.pop()
            inside = owner.values() if isinstance(owner, dict) else owner
            pending += [value for value in inside if isinstance(value, (dict, list))]
            uri = owner.get("uri") if isinstance(owner, dict) else None
            if isinstance(uri, str) and not uri.startswith("data:"):
                names |= {uri, unquote(uri.removeprefix("file://"))}  # some exporters do not quote
        return [self._folder / name for name in sorted(names) if not refused_character(name) and self._may_read(name)]

    def _may_read(self, name: str) -> bool:
        """Returns whether a file may be read: with `outside` any file, otherwise only files in or below the folder of
        this one, after following links."""
        path = Path(os.path.realpath(self._folder / name))
        return self._outside or any(path.is_relative_to(root) for root in self._roots)

    @property
    def view_count(self) -> int:
        return len(self._views)

    def _has_data(self, index: int) -> bool:
        """Returns whether a buffer has its data; the file of a fallback buffer may be missing."""
        uri = self._buffers[index].get("uri")
        if isinstance(uri, str) and not uri.startswith("data:"):
            name = unquote(uri)
            return not refused_character(name) and self._may_read(name) and os.path.isfile(self._folder / name)
        return uri is not None or (index == 0 and self.binary is not None)

    def _buffer(self, index: int) -> bytes:
        if index not in self._loaded:
            location = f"buffer {index}"
            size = gltf_json.integer(self._buffers[index], "byteLength", location, _MAX_BYTES)
            data = self._load(self._buffers[index], index, location, size)
            if len(data) < size:
                raise ImportProblem(
                    f"{location}: has {len(data)} of {size} bytes; copy or export its data again"
                )
            self._loaded[index] = data[:size]
        return self._loaded[index]

    def _load(self, buffer: dict[str, Any], index: int, location: str, size: int) -> bytes:
        uri = gltf_json.text(buffer, "uri", location, None)
        if uri is None:
            if index == 0 and self.binary is not None:
                return self.binary
            raise ImportProblem(f"{location}: has no data; {REEXPORT}")
        return self.linked(uri, location, size)

    def linked(self, uri: str, location: str, size: int = -1) -> bytes:
        """Returns the content of an address: embedded data or another file. size: the number of bytes that suffice."""
        if uri.startswith("data:"):
            return _decode_data_uri(uri, location)
        if _URI_SCHEME.match(uri) and not re.match(r"[A-Za-z]:[\\/]", uri):
            scheme = uri.split(":", 1)[0]
            raise ImportProblem(
                f"{location}: is at a {scheme}: address, which is not downloaded; put the file next to the .gltf"
            )
        name = unquote(uri)
        if bad := refused_character(name):
            raise ImportProblem(f"{location}: the name of its file contains the character U+{ord(bad):04X}; {REEXPORT}")
        if not self._may_read(name):
            raise ImportProblem(f"{location}: file '{name}' is outside the folder of this file; move it there, or "
                                f"allow it with {named('--outside', True)} if you trust this file")
        try:
            return read_file(self._folder / name, size)
        except FileNotFoundError as error:
            raise ImportProblem(f"{location}: file '{name}' is missing; put it next to the .gltf") \
                from error
        except OSError as error:
            raise ImportProblem(f"{location}: file '{name}' cannot be read ({error.strerror}); check the "
                                "file") from error


def _decode_data_uri(uri: str, location: str) -> bytes:
    head, comma, payload = uri.partition(",")
    if not comma:
        raise ImportProblem(f"{location}: data address without data; {REEXPORT}")
    try:
        raw = unquote_to_bytes(payload)
        return base64.b64decode(raw, validate=True) if head.endswith(";base64") else raw
    except (binascii.Error, ValueError) as error:
        raise ImportProblem(f"{location}: base64 is damaged ({error}); {REEXPORT}") from error
