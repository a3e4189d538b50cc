"""Environments in which libraries choose the code that they have for older processors."""
from __future__ import annotations

from numpy.core._multiarray_umath import __cpu_dispatch__, __cpu_features__

PLAIN_NUMPY = {"NPY_DISABLE_CPU_FEATURES": " ".join(
    feature for feature in __cpu_dispatch__ if __cpu_features__[feature])}
# glibc has sines, arc tangents and powers with and without fused products.
PLAIN_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"}
ENVIRONMENTS = {"numpy": PLAIN_NUMPY, "libm": PLAIN_LIBM, "both": PLAIN_NUMPY | PLAIN_LIBM}
LIBM_HAS_A_CHOICE = all(map(__cpu_features__.get, ("FMA3", "AVX2")))  # an x86
