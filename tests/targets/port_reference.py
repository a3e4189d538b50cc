"""Computes the output of programs/port for operations that SPEC.md states as formulas, with the integers of
tests/golden. The random words are drawn in the order in which the program draws them."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from chord_limit import CHORD_LIMIT_STEPS
from random_words import Hash, random_words, value

import fixed
import mix_reference as mix

KINDS = 6
UNIT, SHORT, APART = 3, 4, 5  # kinds of rotations beyond those of next_value
BLEND_CASES, BLEND_EVERY, COMPOSE_CASES, MIX_CASES = 64, 32, 64, 65
ROTATIONS = 13  # of a run that is mixed
BITS = range(8, 19)  # of fraction, in the translations of small matrices
ONE = [1 << 20 if i % 5 == 0 else 0 for i in range(12)]  # a matrix that does not turn
LEFT_W = 945225  # of a unit quaternion whose x y z are -2^18


def expected() -> list[str]:
    """Lines as the program prints them."""
    return [*_blended(), *_composed(), *_mixed()]


def _line(operation: str, kind: int, digest: int) -> str:
    return f"{operation}, words {kind}: {digest}"


def _blended() -> Iterator[str]:
    random = random_words()
    for kind in range(3):
        rotations, vectors = Hash(), Hash()
        for case in range(BLEND_CASES):
            fractions = range(first := next(random) >> 21, first + 1)
            pairs = [(value(next(random), kind), value(next(random), kind)) for _ in range(16)]
            left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            for a in range(2048) if case % BLEND_EVERY == 0 else fractions:
                for first in (0, 4, 8, 12, 4):
                    rotations.add(fixed.blend_rotation(left[first:first + 4], right[first:first + 4], a))
                lerped = [fixed.lerp(*pair, a) for pair in pairs]
                vectors.add(lerped[:12] + lerped[13:])
        yield _line("osc_blend_rotation", kind, rotations.value)
        yield _line("osc_blend_vector", kind, vectors.value)
    for number, step in enumerate(CHORD_LIMIT_STEPS.values()):
        limit = Hash()
        begin = [-(1 << 18)] * 3 + [LEFT_W]
        lanes = [([*begin[i:], *begin[:i]], [*step[i:], *step[:i]]) for i in range(4)]
        for a in range(2048):
            for here, direction in [*lanes, lanes[1]]:
                there = [value + more for value, more in zip(here, direction, strict=True)]
                limit.add(fixed.blend_rotation(here, there, a))
        yield _line("osc_blend_rotation at the limit", number, limit.value)


def _composed() -> Iterator[str]:
    random = random_words()
    for kind in range(3):
        names = ("osc_local_matrix", "osc_local_matrix with a scale", "osc_matrix_product",
                 "osc_matrix_product in place", "osc_child_matrix", "osc_child_matrix with a scale",
                 "osc_child_matrix_q14", "osc_child_matrix_q14 with a scale",
                 "osc_skin_matrix_q14", "osc_skin_offset_q14", "osc_child_matrix_q14 at rest")
        words: dict[str, list[int]] = {name: [] for name in names}
        for case in range(COMPOSE_CASES):
            q, t, k, parent = ([value(next(random), kind) for _ in range(n)] for n in (4, 3, 3, 12))
            words["osc_local_matrix"] += fixed.local_matrix(q, t, None)
            words["osc_local_matrix with a scale"] += fixed.local_matrix(q, t, k)
            other = [value(next(random), kind) for _ in range(12)]
            product = fixed.matrix_multiply(parent, other)
            words["osc_matrix_product"] += product
            words["osc_matrix_product in place"] += product
            bits = BITS[case % len(BITS)]
            for suffix, scale in (("", None), (" with a scale", k)):
                words[f"osc_child_matrix{suffix}"] += fixed.matrix_multiply(parent, fixed.local_matrix(q, t, scale))
                words[f"osc_child_matrix_q14{suffix}"] += fixed.matrix_multiply_q14(
                    parent, fixed.local_matrix_q14(q, t, scale, bits))
            words["osc_skin_matrix_q14"] += _with_gap(fixed.skin_matrix_q14(parent, other, bits))
            words["osc_skin_offset_q14"] += _with_gap(fixed.skin_matrix_q14(
                parent, [word if i % 4 == 3 else ONE[i] for i, word in enumerate(other)], bits))
            words["osc_child_matrix_q14 at rest"] += fixed.matrix_multiply_q14(
                parent, fixed.local_matrix_q14([0, 0, 0, 1 << 20], t, None, bits))
        for name, result in words.items():
            yield _line(name, kind, fixed.fnv1a(map(fixed.uwrap, result)))


def _with_gap(matrix: list[int]) -> list[int]:
    """The words of a small matrix in memory, where zero follows the turn."""
    return [*matrix[:9], 0, *matrix[9:]]


def _unit(random: Iterator[int]) -> list[int]:
    """fill_unit"""
    chosen = next(random)
    q, last = [value(next(random), 1) >> 1 for _ in range(4)], chosen >> 30
    rebuilt = fixed.rebuild([q[(last + i) & 3] for i in (1, 2, 3)])
    q[last] = -rebuilt if chosen >> 29 & 1 else rebuilt
    return q


def _rotation(random: Iterator[int], kind: int) -> list[int]:
    """fill_rotation"""
    if kind < UNIT:
        return [value(next(random), kind) for _ in range(4)]
    q = _unit(random)
    shift = (next(random) >> 9) % 22 if kind == SHORT else 0
    return [x >> shift for x in q]


def _rotations(random: Iterator[int], kind: int) -> tuple[list[int], list[int]]:
    """fill_rotations"""
    a = _rotation(random, kind)
    if kind != APART:
        return a, _rotation(random, kind)
    choice = next(random) >> 29
    if choice == 1:
        return [0] * 4, _unit(random)
    x, y, z, w = a
    return a, {0: [0] * 4, 2: a, 3: [-c for c in a]}.get(choice, [-y, x, -w, z])


def _weight(random: Iterator[int]) -> int:
    """next_weight"""
    chosen = next(random)
    fixed_weights = {0: 1 << 15, 1: 0, 2: 1 << 14}
    if chosen >> 29 == 3:
        return 0xffff if chosen >> 13 & 1 else chosen >> 9 & 0xffff
    return fixed_weights.get(chosen >> 29, chosen >> 9 & 0x7fff)


def _mixed() -> Iterator[str]:
    random = random_words()
    names = ("osc_mix_rotations", "osc_unit_rotation of sums", "osc_unit_rotation", "osc_unit_rotations",
             "osc_mix_unit_rotation", "osc_mix_unit_rotations", "osc_add_rotation", "osc_add_rotations",
             "osc_mix_vectors", "osc_add_vectors", "osc_add_scales", "one vector of mixes")
    for kind in range(KINDS):
        hashes = {name: Hash() for name in names}
        for case in range(MIX_CASES):
            count, w = 1 + case % ROTATIONS, _weight(random)
            pairs = [_rotations(random, kind) for _ in range(ROTATIONS)]
            sums = [mix.toward(a, b, w) if i < count else a for i, (a, b) in enumerate(pairs)]
            results = {"osc_mix_rotations": sums, "osc_unit_rotation of sums": [mix.unit(q) for q in sums]}
            for name, done in (("unit", [mix.unit(a) for a, _ in pairs]),
                               ("mix_unit", [mix.blend(a, b, w) for a, b in pairs]),
                               ("add", [mix.add(a, b, w) for a, b in pairs])):
                results[f"osc_{name}_rotation"] = done
                results[f"osc_{name}_rotations"] = [*done[:count], *(a for a, _ in pairs[count:])]
            vectors = [[_mixed_word(v, t, w) if i < count else [v] * 3 for v, t in zip(a[:3], b[:3], strict=True)]
                       for i, (a, b) in enumerate(pairs)]
            for step, name in enumerate(("osc_mix_vectors", "osc_add_vectors", "osc_add_scales")):
                results[name] = [[word[step] for word in vector] for vector in vectors]
            results["one vector of mixes"] = [[_mixed_word(v, t, w)[2] for v, t in zip(*(q[:3] for q in pairs[0]))]]
            for name, rotations in results.items():
                hashes[name].add(chain.from_iterable(rotations))
        for name, found in hashes.items():
            yield _line(name, kind, found.value)


def _mixed_word(v: int, t: int, w: int) -> list[int]:
    """A word after a step, then with a delta added, then with a factor added."""
    mixed = mix.wrap(v + mix.weighted(mix.wrap(t - v), w))
    added = mix.wrap(mixed + mix.weighted(t, w))
    return [mixed, added, mix.add_scale(added, t, w)]
