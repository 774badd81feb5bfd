# SPDX-License-Identifier: MIT
"""The command scripts/workbook completion: completion of commands and options in a shell, made from the parser itself.
The files of the shells differ in a few lines around one table. So they are written here, without a library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Dict, List

from ..base.options import add_command
from ..base.progress import Progress

ORDER = 140
EXAMPLES = """\
  eval "$(scripts/workbook completion bash)"     in this shell, and in ~/.bashrc for all
  eval "$(scripts/workbook completion zsh)"
  scripts/workbook completion fish | source"""

BASH = """\
_workbook() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words
  case "$([ "$COMP_CWORD" -gt 1 ] && echo "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}")" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _workbook workbook scripts/workbook
"""
ZSH = "autoload -U +X compinit bashcompinit && compinit -u && bashcompinit\n"
FISH_COMMAND = "complete -c workbook -n __fish_use_subcommand -f -a {name} -d {help}"
FISH_OPTION = "complete -c workbook -n '__fish_seen_subcommand_from {name}' -l {option} -d {help}{values}"


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "write what bash, zsh or fish needs to complete these commands"
    made = add_command(commands, "completion", EXAMPLES, completion_command, help=words)
    made.add_argument("shell", choices=("bash", "zsh", "fish"))


def completion_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    texts = {"bash": bash, "zsh": lambda parser: ZSH + bash(parser), "fish": fish}
    print(texts[arguments.shell](arguments.make_parser()[0]), end="")
    return 0


def commands_of(parser: argparse.ArgumentParser) -> Dict[str, argparse.ArgumentParser]:
    return next(action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def helps_of(parser: argparse.ArgumentParser) -> Dict[str, str]:
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {action.dest: action.help or "" for action in found._choices_actions}


def options_of(parser: argparse.ArgumentParser) -> List[argparse.Action]:
    return [action for action in parser._actions if action.option_strings and action.help != argparse.SUPPRESS]


def long_name(action: argparse.Action) -> str:
    return next(name for name in action.option_strings if name.startswith("--"))


def bash(parser: argparse.ArgumentParser) -> str:
    """The script for bash. The first matching case gives the words: the values of the last option, a command's options,
    or all commands."""
    cases = []
    for name, command in commands_of(parser).items():
        for action in command._actions:
            if action.option_strings and action.choices:
                cases.append((f"{name}\\ {long_name(action)}", action.choices))
        values = [word for action in command._actions if not action.option_strings for word in action.choices or ()]
        cases.append((f"{name}\\ *", [*map(long_name, options_of(command)), *values]))
    cases.append(("*", [*commands_of(parser), "--help", "--version"]))
    return BASH.format(cases="\n".join(f'    {pattern}) words="{" ".join(words)}" ;;' for pattern, words in cases))


def fish(parser: argparse.ArgumentParser) -> str:
    lines = []
    for name, command in commands_of(parser).items():
        lines.append(FISH_COMMAND.format(name=name, help=quoted(helps_of(parser)[name])))
        for action in options_of(command):
            values = f" -x -a {quoted(' '.join(action.choices))}" if action.choices else "" if action.nargs == 0 else " -r"
            line = FISH_OPTION.format(name=name, option=long_name(action)[2:], help=quoted(action.help or ""), values=values)
            lines.append(line)
        values = [word for action in command._actions if not action.option_strings for word in action.choices or ()]
        if values:
            lines.append(f"complete -c workbook -n '__fish_seen_subcommand_from {name}' -f -a {quoted(' '.join(values))}")
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    return "'" + text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'") + "'"
