"""Converts reports of the encoder to bytes and back."""
from __future__ import annotations

import struct
from collections.abc import Iterator

from ..base.encoder_library import declarations
from .native import Report

_REPORT_FORMS = {"double": "<d", "int32_t": "<i", "uint32_t": "<I"}


def _report_fields() -> Iterator[tuple[str, str, int]]:
    """Yields the fields of a report: name, form, and number of elements."""
    for name, field in declarations().typeof("enc_report").fields:
        array = field.type.kind == "array"
        yield name, _REPORT_FORMS[(field.type.item if array else field.type).cname], field.type.length if array else 0


def report_bytes(report: Report) -> bytes:
    """Returns all numbers of a report, little endian."""
    return b"".join(struct.pack(form, number) for name, form, count in _report_fields()
                    for number in (getattr(report, name) if count else [getattr(report, name)]))


def report_of(content: bytes) -> Report | None:
    """Returns the report of these bytes, or None if they are invalid."""
    report, at = declarations().new("enc_report *"), 0
    try:
        for name, form, count in _report_fields():
            numbers = [struct.unpack_from(form, content, at + i * struct.calcsize(form))[0] for i in range(count or 1)]
            at += len(numbers) * struct.calcsize(form)
            setattr(report, name, numbers if count else numbers[0])
    except struct.error:
        return None
    return report if at == len(content) else None
