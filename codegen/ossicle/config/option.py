"""The description of an option or key: its kind, its table in a configuration file, its help."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import option_kinds as kinds

# The tables of a configuration file. Keys of the first three are at its top level: `ossicle encode` reads only those of
# "settings", and those of "generate" require the key generate.
PROJECT, GENERATE, SETTINGS = "project", "generate", "settings"
IMPORT, SCREEN, CLIPS, JOINTS = "import", "screen", "clips", "joints"
RETARGET = "retarget"  # each table of the array is about files of another skeleton
IMAGE = "pack"  # the table about the image of all characters of a file
TOP = (PROJECT, GENERATE, SETTINGS)
TABLES = (SCREEN, IMPORT, CLIPS, JOINTS)
CHOICES = ("clips", "exclude", "rename", "drop", "keep", "sockets")  # keys of [import] that are also allowed at the top
RULES = "rules"  # options that correspond to tables of clips and joints in files
NOT_IN_FILES = "command"


@dataclass(frozen=True)
class Option:
    """An option, an argument or a key.

    name: `--flag`; without dashes, an argument of its commands, or a key without an option. default: a value as text,
    or a description if `sample` contains a value for the reference. table: the table of its key; in_clips: whether
    tables of clips also accept it. key, field: its names in the file and in the code, if they differ from the name.
    metavar: the name of its value in help texts, if it differs from the kind's. many: whether it can be repeated. more:
    a paragraph for the reference.
    """

    name: str
    kind: kinds.Kind
    help: str
    commands: tuple[str, ...] = ()
    table: str = NOT_IN_FILES
    default: str = ""
    sample: str = ""
    in_clips: bool = False
    many: bool = False
    required: bool = False
    short: str = ""
    metavar: str = ""
    key: str = ""
    field: str = ""
    more: str = ""

    def __post_init__(self) -> None:
        plain = self.name.removeprefix("--").replace("-", "_")
        object.__setattr__(self, "key", self.key or plain)
        object.__setattr__(self, "field", self.field or plain)

    @property
    def value_name(self) -> str:
        """The name of its value in help texts."""
        return self.metavar or self.kind.metavar

    @property
    def is_flag(self) -> bool:
        """True for an option, False for an argument or a key without an option."""
        return self.name.startswith("--")

    def read(self, value: Any, what: str) -> Any:
        """Returns the setting for the value of its key. Raises SettingProblem, beginning with `what`."""
        return self.kind.all_of(value, what) if self.many else self.kind.read(value, what)

    def sample_value(self) -> str:
        """Returns an example value of its key in TOML: the sample or the default."""
        import json  # imported here, because few commands need it
        return self.sample or (self.default if self.kind is kinds.FLAG
                               else json.dumps(self.kind.of_text(self.default)))
