"""A scheme as the drivers read it: an enc_scheme."""
from __future__ import annotations

from ossicle.base.encoder_library import declarations
from ossicle.encoding.scheme import Scheme, scheme_numbers


def scheme_bytes(scheme: Scheme) -> bytes:
    ffi = declarations()
    return bytes(ffi.buffer(ffi.new("enc_scheme *", scheme_numbers(scheme))))
