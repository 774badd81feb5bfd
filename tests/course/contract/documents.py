#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every document keeps to: its commands parse, its options, exit statuses, links and paths exist, and it is short enough.

Usage: documents.py [ROOT] [STAGE=PROGRAM...], with the programs of answers, which are asked whether they take their options; or
documents.py --self-test, which plants a mistake of each kind and expects to be told."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Set

sys.path.insert(0, str(Path(__file__).resolve().parent))
import commands  # noqa: E402  (its folder has just been put on the path)
import prose  # noqa: E402

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "CMakePresets.json").is_file())
WORD_LIMITS = {"README.md": 1500, "common/README.md": 3000, "tests/README.md": 1000, "tests/benchmark/README.md": 600}
LONG, SHARE = 28, 0.9  # words that nine sentences of ten have at most
FEW = 4  # sentences: with fewer there is no tenth to speak of
TREES = ("answers", "common", "scripts", "stages", "tests", ".github")
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
CODE_FILES = (".py", ".cpp", ".cu", ".cuh", ".h", "")  # a script has no ending
INDENTED = re.compile(r"^ {4,}(\S.*)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
PATH = re.compile(r"^(?:answers|common|scripts|stages|tests|build|\.ci|\.github|\.devcontainer|\.vscode)/[\w./*{},-]*")
COMMAND = re.compile(r"\s*(?:\$ )?(?:\w+=\S* )*(scripts/[a-z_]+(?: .*)?)$")
COMMAND_END = re.compile(r"\s{3,}| \| | > | >>| && | # ")
STATUS = re.compile(r"(?:exit status(?:es)?|ends? with|ended with)\s+(?:of\s+)?(\d+)\b", re.IGNORECASE)
STATUS_ROW = re.compile(r"^\|\s*exit status\b.*\n\|[-| ]+\n((?:\|.*\n)+)", re.MULTILINE)
# Options of other programs, and of files that are no code of this course.
FOREIGN = set("""--benchmark --build --device --dryrun --filter --fork --gtest_filter --help --label-regex --launch-skip --leak-check --min
    --parallel --preset --print-limit --ptxas --target --threads --tool --verbose --version --ptxas-options --dump-sass --print-sm
    --discard_value_names --create_pch --use_pch --mode --metrics --section --set --csv --args --privileged --gpus --cuda --all
    --pyargs""".split())


def documents(root: Path) -> List[Path]:
    found = [*root.glob("*.md"), *(path for tree in TREES for path in (root / tree).rglob("*.md"))]
    return sorted(path for path in found if not {"node_modules", ".toolkit"} & set(path.parts))


def shown_commands(text: str) -> Iterator[str]:
    """Lines of code blocks that begin with a script of the course, and code between backticks that gives one arguments."""
    rest = BLOCK.sub("", text)
    lines = [line for block in BLOCK.findall(text) for line in block.replace("\\\n", " ").split("\n")]
    for line in [*lines, *INDENTED.findall(rest)]:
        found = COMMAND.match(line)
        if found:
            yield COMMAND_END.split(found[1])[0]
    for code in CODE.findall(rest.replace("\\|", "|")):
        found = COMMAND.match(code)
        if found and " " in found[1]:
            command = COMMAND_END.split(found[1])[0]
            is_whole = " -- " in command or not command.startswith("scripts/simulate ")  # a sentence may leave its program out
            yield command if is_whole else f"{command.removesuffix(' --')} -- ./program"


def command_problems(root: Path, text: str, programs: Dict[str, str]) -> Iterator[str]:
    for command in dict.fromkeys(shown_commands(text)):
        problem = commands.refused(root, command, programs)
        if problem:
            yield f"`{command}` is refused: {problem}"


def known_options(root: Path) -> Set[str]:
    """By the words between quotes in the code of scripts, libraries and tests: an option's name is one of them."""
    known = set(FOREIGN)
    for path in (path for tree in ("common/workbook", "scripts", "tests") for path in (root / tree).rglob("*")):
        if path.suffix in CODE_FILES and path.is_file():
            words = re.findall(r"[\"'](?:--)?([a-z][a-z-]*[a-z])\b[^\"'\n]{0,3}[\"']", path.read_text(encoding="utf-8", errors="replace"))
            known.update(f"--{word}" for word in words)
    return known


def option_problems(text: str, known: Set[str]) -> Iterator[str]:
    spans = [*BLOCK.findall(text), *CODE.findall(BLOCK.sub("", text)), *INDENTED.findall(text)]
    for option in sorted({option for span in spans for option in OPTION.findall(span)} - known):
        yield f"no program takes {option}"


def status_problems(text: str, known: Set[int]) -> Iterator[str]:
    named = [int(number) for number in STATUS.findall(text)]
    named += [int(cell) for rows in STATUS_ROW.findall(text) for cell in re.findall(r"^\|\s*(\d+)", rows, re.MULTILINE)]
    for status in sorted(set(named) - known):
        yield f"no command ends with the exit status {status}"


def anchors(text: str) -> Set[str]:
    """Of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_problems(page: Path, text: str) -> Iterator[str]:
    for target, anchor in LINK.findall(text):
        file = page.parent / target if target else page
        if "://" in target:
            continue
        if not file.exists():
            yield f"there is no {target}"
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{target} has no heading #{anchor}"


def is_there(root: Path, path: str, presets: Set[str]) -> bool:
    """Words in capitals stand for any name. A course is also handed out without answers/."""
    if path.startswith("answers/") and not (root / "answers").is_dir():
        return True
    if path.startswith("build/"):
        first, _, rest = path[6:].partition("/")
        return first in presets or not rest
    for pattern in re.split(r"[{},]", path) if "{" in path else [path]:
        pattern = re.sub(r"NN", "[0-9][0-9]", re.sub(r"[A-Z]{3,}(?:_[A-Z]+)*(?![\w.]*md)", "*", pattern)).rstrip("/.")
        if not any(root.glob(pattern)) and not (root / path).exists():
            return False
    return True


def path_problems(root: Path, page: Path, text: str, presets: Set[str]) -> Iterator[str]:
    blocks = [*BLOCK.findall(text), *INDENTED.findall(text)]
    words = [word for span in [*blocks, *CODE.findall(BLOCK.sub("", text))] for word in re.split(r"[\s=:;()\"'`<>|]+", span)]
    for word in sorted(set(words)):
        found = PATH.match(word)
        if found and "$" not in word:
            path = re.sub(r"\.kept-\d+$|[.,]+$", "", found[0])
            if not is_there(root, path, presets) and not is_there(page.parent, path, presets):
                yield f"there is no {path}"


def prose_problems(name: str, text: str) -> Iterator[str]:
    words = len(text.split())
    if words > WORD_LIMITS.get(name, words):
        yield f"{words} words, of which it may have {WORD_LIMITS[name]}"
    found = list(prose.sentences(text))
    most = prose.percentile([length for length, _ in found], SHARE)
    if most > LONG and len(found) >= FEW:
        longest = sorted(found, reverse=True)[: len(found) // 10 + 1]
        yield f"{most} words in the sentence that nine of ten do not exceed; {LONG} is the most. The longest:"
        yield from (f"  {length}: {sentence[:150]}" for length, sentence in longest)
    for _, sentence in found:
        if re.match(r"Of\b", sentence):
            yield f"begins with Of: {sentence[:100]}"


def problems(root: Path, programs: Dict[str, str]) -> Iterator[str]:
    presets = {preset["name"] for preset in json.loads((root / "CMakePresets.json").read_text())["configurePresets"]}
    options, statuses = known_options(root), commands.exit_statuses()
    for name, text in commands.help_texts(root).items():
        yield from (f"{name}: {problem}" for problem in command_problems(root, text, programs))
    for page in documents(root):
        text = page.read_text(encoding="utf-8")
        name = str(page.relative_to(root))
        checks: List[Iterator[str]] = [
            command_problems(root, text, programs),
            option_problems(text, options),
            status_problems(text, statuses),
            link_problems(page, text),
            path_problems(root, page, text, presets),
            prose_problems(name, text),
        ]
        yield from (f"{name}: {problem}" for check in checks for problem in check)


# A text with one mistake, and a part of what must be said of it.
PLANTED = {
    "```\nscripts/workbook run 3 --tood\n```": "unknown argument: --tood",
    "Type `scripts/workbook walk`.": "'walk' is none of",
    "```\n$ scripts/workbook run 99\n```": "99",
    "    scripts/simulate --seeds 8": "after two dashes",
    "Type `scripts/tables --chekc`.": "unrecognized arguments: --chekc",
    "`--no-such-option` helps.": "no program takes --no-such-option",
    "It ends with 42.": "exit status 42",
    "| exit status | means |\n|---|---|\n| 9 | nothing |\n": "exit status 9",
    "[a page](no_such.md)": "there is no no_such.md",
    "[a page](#nowhere)": "no heading #nowhere",
    "The folder `stages/stage99` is empty.": "there is no stages/stage99",
    "Run `build/bin/list_rows`.": "there is no build/bin/list_rows",
    "Of this there is much more.": "begins with Of",
    ("One two three four five six seven eight nine ten " * 3 + "more. ") * 12: "31 words in the sentence",
}


def self_test() -> List[str]:
    failures = []
    presets = {"default"}
    options, statuses = known_options(ROOT), commands.exit_statuses()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        for text, sentence in PLANTED.items():
            page.write_text(text, encoding="utf-8")
            kinds: List[Callable[[], Iterator[str]]] = [
                lambda: command_problems(ROOT, text, {}),
                lambda: option_problems(text, options),
                lambda: status_problems(text, statuses),
                lambda: link_problems(page, text),
                lambda: path_problems(ROOT, page, text, presets),
                lambda: prose_problems("page.md", text),
            ]
            told = [problem for kind in kinds for problem in kind()]
            if not any(sentence in problem for problem in told):
                failures.append(f'expected to be told "{sentence}", and was told {told}')
    return failures


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["--self-test"]:
        found = self_test()
    else:
        root = Path(words[0]) if words and "=" not in words[0] else ROOT
        found = list(problems(root, dict(word.split("=", 1) for word in words if "=" in word)))
    print("\n".join(found) if found else "the documents are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
