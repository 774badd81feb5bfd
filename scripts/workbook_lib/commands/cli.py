# SPDX-License-Identifier: MIT
"""The command line of scripts/workbook. Each file NAME_command.py of this folder is a command: new_stage_command.py is
`new-stage`. Such a module has:

  add_to(commands)  Adds a parser of its own, by options.add_command().
  ORDER             A number: its place in the help. Without it the command comes last.

Only the module of the typed command is loaded. The help and the completion load all of them."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Dict, List, Mapping, Sequence, Tuple

from .. import commands as package
from ..base import command, version
from ..base.options import ANYWHERE, BEHIND_DASHES, Parser
from ..base.progress import Progress
from . import list_command

END = "_command.py"
LAST = 1000


def modules() -> Dict[str, str]:
    """The module of each command, by the typed name."""
    files = [name for folder in package.__path__ for name in os.listdir(folder) if name.endswith(END)]
    return {name[: -len(END)].replace("_", "-"): name[: -len(".py")] for name in files}


def load(words: Sequence[str]) -> List[ModuleType]:
    """The module of the command at the beginning of `words`. Without one, all modules in the order of the help."""
    known = modules()
    chosen = [known[words[0]]] if words and words[0] in known else sorted(known.values())
    loaded = [importlib.import_module(f"{package.__name__}.{name}") for name in chosen]
    return sorted(loaded, key=lambda module: getattr(module, "ORDER", LAST))


def make_parser(words: Sequence[str] = ()) -> Tuple[Parser, Mapping[str, Parser]]:
    """The parser of the whole, and the parsers of the commands by name. If `words` begin with a command, it is the only
    one."""
    parser = Parser(
        prog="scripts/workbook",
        description="The CUDA Workbook: build, run and check the stages, with a GPU or without.\n"
        "Without a command it says where you are, and what to type next.",
        epilog="  scripts/workbook watch   tells at every save of your file whether it is right",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version.add_to(parser)
    parser.set_defaults(call=list_command.here_command)
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=Parser)
    for module in load(words):
        module.add_to(commands)
    return parser, commands.choices


def main(root: Path, words: Sequence[str]) -> int:
    progress = Progress()
    return command.run("workbook", progress, lambda: call(root, words, progress))


def call(root: Path, words: Sequence[str], progress: Progress) -> int:
    parser, commands = make_parser(words)
    middle = words.index("--") if "--" in words else len(words)
    arguments, others = parser.parse_known_args(words[:middle])
    # Calls another command, for a command that shows several.
    arguments.run_words = lambda others, another: call(root, others, another)
    arguments.make_parser = make_parser  # for the completion
    arguments.passed_on = list(words[middle + 1 :])  # to the programs of stages, or to ctest
    passes_on = getattr(arguments, "passes_on", "")
    if passes_on == ANYWHERE:
        arguments.passed_on = [*others, *arguments.passed_on]
    elif others or (arguments.passed_on and passes_on != BEHIND_DASHES):
        commands.get(arguments.command, parser).unknown(others or arguments.passed_on)
    return arguments.call(root, arguments, progress)
