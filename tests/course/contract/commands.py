# SPDX-License-Identifier: MIT
"""Whether a command line of scripts/ is accepted: by its own parser, and without doing anything."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional, Set
from unittest import mock

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "CMakePresets.json").is_file())
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base import errors  # noqa: E402
from workbook_lib.course import stages  # noqa: E402
PLACEHOLDERS = {"N": "1", "NN": "01", "S": "1", "B": "256", "K": "3", "L": "28", "LIST": "2^20"}


class Parsed(BaseException):
    """The arguments were accepted."""


def module_of(script: Path) -> Optional[object]:
    """The module whose main() a script calls; None: the script is all there is."""
    found = re.search(r"from (workbook_lib[\w.]*) import main", script.read_text(encoding="utf-8"))
    return importlib.import_module(found[1]) if found else None


def exit_statuses() -> Set[int]:
    """All that commands and programs of the course end with."""
    return {value for key, value in vars(errors).items() if key.isupper() and isinstance(value, int)}


def refused(root: Path, command: str, programs: Dict[str, str]) -> str:
    """Why; "" where it is accepted. `programs`: of answers, by stage, to which what follows two dashes is given."""
    try:
        words = [PLACEHOLDERS.get(word, word) for word in shlex.split(command.replace("(", "").replace(")", ""))]
    except ValueError as error:
        return str(error)
    script = root / words[0]
    if script.is_dir():
        return ""
    if not script.is_file():
        return f"there is no {words[0]}"
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            parse(script, root, words[1:], programs)
    except SystemExit as ended:
        return said.getvalue().strip() or f"it ends with {ended.code}" if ended.code else ""
    except Parsed as accepted:
        return str(accepted)
    return said.getvalue().strip()


def help_texts(root: Path) -> Dict[str, str]:
    """The examples below the help of each command, as indented lines."""
    found = {}
    for name in ("workbook", "simulate"):
        made = module_of(root / "scripts" / name).make_parser()
        parsers = made[1].values() if isinstance(made, tuple) else [made]
        found.update({parser.prog: parser.epilog or "" for parser in parsers})
    return {f"{prog} --help": re.sub(r"^ +(?=scripts/)", "    ", text, flags=re.MULTILINE) for prog, text in found.items()}


def parse(script: Path, root: Path, words: List[str], programs: Dict[str, str]) -> None:
    """Ends with SystemExit or Parsed, or says nothing: then the words were accepted."""
    module = module_of(script)
    if hasattr(module, "parse"):
        module.parse(words)
    elif module is not None:
        with mock.patch.object(argparse.ArgumentParser, "parse_known_args", doing_nothing(programs)):
            sys.exit(module.main(root, words))
    else:
        known, whole = stopping("parse_known_args"), stopping("parse_args")
        with mock.patch.multiple(argparse.ArgumentParser, parse_known_args=known, parse_args=whole):
            with mock.patch.object(sys, "argv", [str(script), *words]):
                runpy.run_path(str(script), run_name="__main__")


def stopping(name: str) -> Callable[..., object]:
    """As this function of a parser, but that a script which calls it ends there."""
    original = getattr(argparse.ArgumentParser, name)

    def parsed(parser: argparse.ArgumentParser, *given: object, **named: object) -> object:
        found = original(parser, *given, **named)
        if sys._getframe(1).f_globals["__name__"] == argparse.__name__:
            return found  # one of argparse's own calls
        if isinstance(found, tuple) and found[1]:
            parser.error(f"unrecognized arguments: {' '.join(found[1])}")
        raise Parsed

    return parsed


def doing_nothing(programs: Dict[str, str]) -> Callable[..., object]:
    """As parse_known_args, but that in place of the command only its stages are looked up, and options of programs asked for."""
    original = argparse.ArgumentParser.parse_known_args

    def call(root: Path, arguments: argparse.Namespace, progress: object) -> int:
        asked = getattr(arguments, "stages", None) or ([arguments.stage] if isinstance(getattr(arguments, "stage", None), str) else [])
        chosen = stages.select(stages.read_stages(root), asked) if asked else []
        for stage in chosen:
            if arguments.passed_on and stage.name in programs:
                ended = subprocess.run([programs[stage.name], *arguments.passed_on, "--describe"], capture_output=True, text=True)
                if ended.returncode != 0:
                    raise Parsed(ended.stderr.strip())
        return 0

    def parse_known_args(parser: argparse.ArgumentParser, *given: object, **named: object) -> object:
        namespace, others = original(parser, *given, **named)
        namespace.call = call
        return namespace, others

    return parse_known_args
