"""`ossicle completion`: completes commands, options and their values in shells."""
from __future__ import annotations

import argparse
import re
from shlex import quote

from ...base.places import TARGETS
from ...config.option_kinds import INPUT, OUTPUT, TARGET
from ..command_table import COMMANDS
from ...config.option import Option
from ...config.option_lookup import options_of

_ALIASES, _TEXT = re.compile(r"^aliases = \[(.*)\]$", re.MULTILINE), re.compile(r'"(.*?)"')
_HEAD = """\
_ossicle() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} known= one
    case $word$before in # bash splits --name=value
    =*) before=${COMP_WORDS[COMP_CWORD-1]} word= ;;
    *=) before=${COMP_WORDS[COMP_CWORD-2]} ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        known=%s
    else
        case ${COMP_WORDS[1]}:$before in
"""
_TAIL = """\
        esac
    fi
    COMPREPLY=()
    for one in $known; do
        case $word,$one in
        [!-]*,-*|,-*) ;; # a file or a value is expected
        *,"$word"*) COMPREPLY+=("$one") ;;
        esac
    done
}
complete -o default -F _ossicle ossicle
"""
_ZSH = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n"


def target_choices() -> tuple[str, ...]:
    """Returns the names and aliases of targets, of which the settings are not read: that takes longer than the rest of
    the command."""
    files = sorted(TARGETS.glob("*/target.toml"))
    aliases = [name for path in files for line in _ALIASES.findall(path.read_text(encoding="utf-8"))
               for name in _TEXT.findall(line)]
    return (*(path.parent.name for path in files), *aliases)


def _choices(option: Option) -> tuple[str, ...]:
    return target_choices() if option.kind is TARGET else option.kind.choices


def _names(option: Option) -> list[str]:
    return [name for name in (option.short, option.name) if name]


def script(shell: str) -> str:
    """Returns the script. It completes options if a word begins with `-`; without a match, the shell completes
    files."""
    lines = [_HEAD % quote(" ".join([*(command.name for command in COMMANDS), "--help", "--version"]))]
    for command in COMMANDS:
        options = list(options_of(command.name))
        flags = [option for option in options if option.is_flag]
        for option in flags:
            if _choices(option) or option.kind in (INPUT, OUTPUT):
                before = "|".join(f"{command.name}:{name}" for name in _names(option))
                lines.append(f"        {before}) known={quote(' '.join(_choices(option)))} ;;\n")
        words = [name for option in flags for name in _names(option)]
        words += [choice for option in options if not option.is_flag for choice in option.kind.choices]
        lines.append(f"        {command.name}:*) known={quote(' '.join(words))} ;;\n")
    return (_ZSH if shell == "zsh" else "") + "".join(lines) + _TAIL


def completion(arguments: argparse.Namespace) -> None:
    """Prints the script of a shell."""
    print(script(arguments.shell), end="")
