"""Reads parts of the body and sides from the names of joints."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

LEFT, RIGHT = "left", "right"
FINGERS = ("thumb", "index", "middle", "ring", "pinky")

# Parts that a name may mean. The tree decides between parts of a limb if a name has several meanings: a "shoulder" may
# be the collar bone or the joint of the upper arm, a "leg" both bones of a leg, or one of them.
_MEANINGS = {
    "hips": ("hips", "pelvis", "hip"),
    "spine": ("spine", "chest", "torso", "abdomen", "abdomenlower", "abdomenupper", "ab", "waist", "belly", "stomach",
              "lowerback", "upperback", "back", "upperchest", "lowerchest", "chestlower", "chestupper", "upperbody",
              "ribcage", "ribs", "thorax", "spinelower", "spineupper"),
    "neck": ("neck", "lowerneck", "upperneck", "necklower", "neckupper"),
    "head": ("head", "skull"),
    "clavicle": ("clavicle", "clav", "collar", "collarbone", "scapula"),
    "shoulder": ("shoulder",),
    "upper_arm": ("upperarm", "uparm", "shldr", "humerus", "bicep"),
    "arm": ("arm",),
    "lower_arm": ("forearm", "lowerarm", "lowarm", "loarm", "elbow", "radius", "fore"),
    "hand": ("hand", "wrist", "palm", "fist"),
    "upper_leg": ("thigh", "upperleg", "upleg", "femur"),
    "hip": ("hip", "hips", "hipjoint"),  # left or right, unlike the hips in the middle
    "leg": ("leg",),
    "lower_leg": ("calf", "shin", "knee", "lowerleg", "lowleg", "loleg", "shank", "tibia"),
    "foot": ("foot", "ankle", "feet"),
    "toes": ("toe", "toes", "ball"),
}
ARM = ("clavicle", "shoulder", "upper_arm", "arm", "lower_arm", "hand")
LEG = ("hip", "upper_leg", "leg", "lower_leg", "foot", "toes")
_MIDDLE = ("hips", "spine", "neck", "head")
_PART_OF_SIDED = {word: part for part in (*ARM, *LEG) for word in _MEANINGS[part]}
_PART_OF_MIDDLE = {word: part for part in _MIDDLE for word in _MEANINGS[part]}
_NOT_OF_HAND = {*_PART_OF_MIDDLE, *(word for part in LEG for word in _MEANINGS[part])}
_BONES = {"upper", "lower", "up", "low", "lo", "fore"}
_PART_WORDS = {*_PART_OF_SIDED, *_PART_OF_MIDDLE, *_BONES}

_SIDES = {"l": LEFT, "left": LEFT, "lf": LEFT, "lft": LEFT, "r": RIGHT, "right": RIGHT, "rt": RIGHT, "rgt": RIGHT}
_TWISTS = {"twist", "roll", "rolls", "twists"}
# Words that do not change what a joint is. Any other word does: "handslot" and "foot IK" are no parts of a body.
_EMPTY = {"joint", "jnt", "joints", "def", "bind", "base", "bend", "stretch", "offset", "root", "bones", "sk", "center",
          "centre", "jt", "mid", "middle", "human"}
_FINGER_WORDS = {"thumb": "thumb", "index": "index", "pointer": "index", "middle": "middle", "mid": "middle",
                 "ring": "ring", "pinky": "pinky", "pinkie": "pinky", "little": "pinky", "fingers": "fingers"}
_NUMBERED_FINGERS = {"finger": 0, "digit": 1}  # the number of the thumb
_NO_FINGERS = {"end", "nub", "tip", "leaf", "ik", "ctrl"}
_DEFORMING = "def"  # Rigify's prefix for the joints with weights; those without it control them

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CONTROL = {"ik", "fk", "ctrl", "control", "pole", "target", "handle", "mch", "org", "gizmo", "helper"}
_FRONT, _BACK = {"front", "fore"}, {"back", "hind", "rear"}
_ANIMAL_LEGS = {"leg", "foot", "paw", "hoof"}
_COMMON = 0.5  # a word in so many of the names is a namespace


@dataclass(frozen=True)
class NamedPart:
    """The meaning of a name. side: LEFT, RIGHT or empty; part: a key of the table above, a finger, or empty."""

    side: str = ""
    part: str = ""
    is_twist: bool = False


def read_names(names: Sequence[str]) -> list[NamedPart]:
    """Returns what each name of a skeleton's joints means."""
    split = [_words(name) for name in names]
    counts = Counter(word for words in split for word in set(words))
    common = {word for word, count in counts.items() if count >= _COMMON * len(names) and len(names) > 1
              and word not in _PART_WORDS and word not in _SIDES and word not in _FINGER_WORDS}
    are_controls = any(_DEFORMING in words for words in split)
    return [NamedPart() if are_controls and _DEFORMING not in words else
            _meaning([word for word in words if word not in common]) for words in split]


def is_control(name: str) -> bool:
    """Returns whether a name is that of a joint that controls others, and is no part of a body."""
    return not _CONTROL.isdisjoint(_words(name))


def have_front_and_back_legs(names: Sequence[str]) -> bool:
    """Returns whether names are those of front and of back legs."""
    legs = [words for words in (set(_words(name)) for name in names) if words & _ANIMAL_LEGS]
    return all(any(words & ends for words in legs) for ends in (_FRONT, _BACK))


def _words(name: str) -> list[str]:
    words = []
    for word in _WORD.findall(re.split(r"[:|]", name)[-1]):
        side, rest = _side_within(word.lower())
        words += [side, rest] if side else [rest]
    return words


def _side_within(word: str) -> tuple[str, str]:
    """Splits a word such as `leftarm`, `lfoot` or `handr` into its side and the part."""
    if word not in _PART_WORDS and word not in _SIDES:
        for side in ("left", "right", "l", "r"):
            for rest in (word.removeprefix(side), word.removesuffix(side)):
                if rest != word and (rest in _PART_OF_SIDED or rest in _BONES or rest in _FINGER_WORDS):
                    return side, rest
    return "", word


def _meaning(words: Sequence[str]) -> NamedPart:
    sides = {_SIDES[word] for word in words if word in _SIDES}
    if len(sides) > 1:
        return NamedPart()
    side = sides.pop() if sides else ""
    finger = _finger(words)
    if finger:
        return NamedPart(side, finger)
    core = [word for word in words if word not in _SIDES and word not in _TWISTS and word not in _EMPTY
            and not word.isdigit() and len(word) > 1]
    parts = _PART_OF_SIDED if side else _PART_OF_MIDDLE
    part = parts.get("".join(core)) or parts.get("".join(reversed(core)), "")
    return NamedPart(side, part, not _TWISTS.isdisjoint(words)) if part else NamedPart()


def _finger(words: Sequence[str]) -> str:
    if not _NO_FINGERS.union(_NOT_OF_HAND).isdisjoint(words):
        return ""
    for word, after in zip(words, [*words[1:], ""]):
        if word in _FINGER_WORDS:
            return _FINGER_WORDS[word]
        if word in _NUMBERED_FINGERS:
            number = int(after[0]) - _NUMBERED_FINGERS[word] if after.isdigit() else -1
            return FINGERS[number] if 0 <= number < len(FINGERS) else "fingers"
    return ""
