#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must hold between the kinds of files of a stage. stages/ and answers/ hold exactly the stages that
stages/CMakeLists.txt lists, each with its files. The workbook and the simulator know nothing of each other.

Usage: kinds.py ROOT, or kinds.py --self-test, which breaks a copy in every way and expects a message each time."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import wrong_is_refused  # noqa: E402  (its folder has just been put on the path)

STAGE_LINE = re.compile(r"^\s*workbook_stage\((stage\d\d)\s", re.MULTILINE)
CODE = {".cu", ".cuh", ".h", ".cpp"}
FILES = {"stages": ("README.md", "todo.cu"), "answers": ("solution.cu", "question.md")}
OTHERS = {"given.cuh", "hints.json", "learner.json", "variants", "wrong"}  # what an answer's folder may also hold


def files_of(root: Path) -> Dict[str, Tuple[str, ...]]:
    """A course is also handed out without answers/: then nothing in it can be missing."""
    return {place: files for place, files in FILES.items() if place != "answers" or (root / place).is_dir()}


def listed_stages(root: Path) -> List[str]:
    return STAGE_LINE.findall((root / "stages" / "CMakeLists.txt").read_text(encoding="utf-8"))


def folders(place: Path) -> List[str]:
    return sorted(path.name for path in place.iterdir() if path.is_dir()) if place.is_dir() else []


def check_list(root: Path) -> Iterator[str]:
    stages = listed_stages(root)
    if not stages:
        yield "stages/CMakeLists.txt lists no stage"
    if stages != sorted(set(stages)):
        yield f"stages/CMakeLists.txt: not in course order, or a stage is listed twice: {', '.join(stages)}"
    for place in files_of(root):
        for name in sorted(set(folders(root / place)) - set(stages)):
            yield f"{place}/{name} is not listed: add its line to stages/CMakeLists.txt, or remove the folder"
        for name in sorted(set(stages) - set(folders(root / place))):
            yield f"{place}/{name} is missing: stages/CMakeLists.txt lists {name}"


def check_files(root: Path) -> Iterator[str]:
    for stage in listed_stages(root):
        for place, files in files_of(root).items():
            for name in files:
                if not (root / place / stage / name).is_file():
                    yield f"{place}/{stage}/{name} is missing"
        for path in sorted((root / "answers" / stage).glob("*")):
            if path.name not in {*FILES["answers"], *OTHERS}:
                yield f"answers/{stage}/{path.name}: an answer has {', '.join(sorted({*FILES['answers'], *OTHERS}))}, and nothing else"


def check_wrong_kernels(root: Path) -> Iterator[str]:
    for stage in listed_stages(root) if (root / "answers").is_dir() else []:
        folder = root / "answers" / stage / "wrong"
        kernels = sorted(folder.glob("*.cu"))
        if not kernels:
            yield f"answers/{stage}/wrong holds no kernel: write at least one that the stage's tests must refuse"
        for path in sorted(folder.glob("*")):
            if path.suffix != ".cu" and path.name != "answer":
                yield f"answers/{stage}/wrong/{path.name}: only .cu files are run here, and headers belong into answer/"
        for kernel in kernels:
            if not re.fullmatch(r"[a-z0-9_]+", kernel.stem):
                yield f"answers/{stage}/wrong/{kernel.name}: name it in lower case with underscores"
            try:
                wrong_is_refused.read_claim(kernel)
            except ValueError as error:
                yield f"answers/{stage}/wrong/{error}"


def check_variants(root: Path) -> Iterator[str]:
    """Each file becomes a program of its own; one that no page of the stage names would be measured and never explained."""
    for stage in listed_stages(root):
        folder = root / "answers" / stage / "variants"
        text = "".join(page.read_text(encoding="utf-8") for page in sorted((root / "stages" / stage).glob("*.md")))
        for path in sorted(folder.glob("*")):
            where = path.relative_to(root)
            if path.suffix not in (".cu", ".cuh"):
                yield f"{where}: a variant is a .cu file; what several share is in a .cuh file"
            elif path.suffix == ".cu" and not re.fullmatch(r"[a-z0-9_]+", path.stem):
                yield f"{where}: name it in lower case with underscores"
            elif path.suffix == ".cu" and f"`{path.stem}`" not in text:
                yield f"{where}: no page of stages/{stage} says what is learnt from `{path.stem}`"


def code_files(root: Path, *folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted((root / folder).rglob("*")) if path.suffix in CODE)


def check_separation(root: Path) -> Iterator[str]:
    """The simulator may be replaced by a GPU, and runs other people's programs: neither side may include the other."""
    rules = (
        (("stages", "answers", "common/workbook"), r"cudasim|CUDASIM_|#include \"(base|checkers|decode|driver|isa|machine|memory|messages|program|ptx|report|runtime|state|vector)/"),
        (("common/simulator",), r"#include \"workbook/|WORKBOOK_|namespace workbook|workbook::"),
    )
    for places, forbidden in rules:
        for path in code_files(root, *places):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if re.search(forbidden, line) and not wrong_is_refused.SHOWN_BY.match(line):
                    yield f"{path.relative_to(root)}:{number}: the workbook and the simulator must not know each other: {line.strip()}"


def check_printing(root: Path) -> Iterator[str]:
    """The library returns values; only main knows the standard streams, and only it ends the process."""
    for path in code_files(root, "common/workbook"):
        if path.name.endswith("main.cpp"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if re.search(r"std::c(out|err|log)\b|\b(f|std::)?printf\(|\b(std::)?(exit|abort|_exit)\(", line.split("//")[0]):
                yield f"{path.relative_to(root)}:{number}: the library must not print or exit: {line.strip()}"


CHECKS: List[Callable[[Path], Iterator[str]]] = [
    check_list, check_files, check_wrong_kernels, check_variants, check_separation, check_printing,
]  # fmt: skip


def check(root: Path) -> List[str]:
    return [problem for each in CHECKS for problem in each(root)]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def small_course(root: Path) -> None:
    write(root / "stages/CMakeLists.txt", 'workbook_stage(stage01 PROBLEM reduction TITLE "one")\n')
    write(root / "stages/stage01/README.md", "The lesson.")
    write(root / "stages/stage01/variants.md", "`one_block` gains nothing.")
    write(root / "answers/stage01/variants/one_block.cu", "")
    write(root / "answers/stage01/variants/parts.cuh", "")
    write(root / "stages/stage01/todo.cu", "")
    write(root / "answers/stage01/question.md", "")
    write(root / "answers/stage01/wrong/answer/linked_answer.cuh", "")
    write(root / "answers/stage01/solution.cu", "")
    write(root / "answers/stage01/wrong/tail_dropped.cu", "// refused: wrong-result: the tail is not added\n")
    write(root / "common/workbook/check.cpp", "// std::cout in a comment is none\n")
    write(root / "common/simulator/memory/memory.cpp", "")


# What is broken, and a part of the sentence that must come.
BROKEN: Dict[str, Callable[[Path], None]] = {
    "stages/stage02 is not listed": lambda root: write(root / "stages/stage02/todo.cu", ""),
    "answers/stage02 is not listed": lambda root: write(root / "answers/stage02/solution.cu", ""),
    "lists no stage": lambda root: write(root / "stages/CMakeLists.txt", "# workbook_stage(stage01 x)\n"),
    "answers/stage01 is missing": lambda root: shutil.rmtree(root / "answers/stage01"),
    "stages/stage01/README.md is missing": lambda root: (root / "stages/stage01/README.md").unlink(),
    "answers/stage01/question.md is missing": lambda root: (root / "answers/stage01/question.md").unlink(),
    "stages/stage01/todo.cu is missing": lambda root: (root / "stages/stage01/todo.cu").unlink(),
    "and nothing else": lambda root: write(root / "answers/stage01/helper.h", ""),
    "headers belong into answer/": lambda root: write(root / "answers/stage01/wrong/helper.cuh", ""),
    "holds no kernel": lambda root: (root / "answers/stage01/wrong/tail_dropped.cu").unlink(),
    "says what is learnt from `two_blocks`": lambda root: write(root / "answers/stage01/variants/two_blocks.cu", ""),
    "variants/One-block.cu: name it": lambda root: write(root / "answers/stage01/variants/One-block.cu", ""),
    "a variant is a .cu file": lambda root: write(root / "answers/stage01/variants/one_block.cpp", ""),
    "must be `// refused": lambda root: write(root / "answers/stage01/wrong/a.cu", "// wrong\n"),
    "'slow' is no reason": lambda root: write(root / "answers/stage01/wrong/a.cu", "// refused: slow: it is\n"),
    "in lower case": lambda root: write(root / "answers/stage01/wrong/A-b.cu", "// refused: race: two threads\n"),
    "check.cpp:1: the workbook and the simulator": lambda root: write(
        root / "common/workbook/check.cpp", '#include "memory/memory.h"\n'
    ),
    "memory.cpp:1: the workbook and the simulator": lambda root: write(
        root / "common/simulator/memory/memory.cpp", '#include "workbook/check.h"\n'
    ),
    "must not print or exit": lambda root: write(root / "common/workbook/check.cpp", "void f() { std::exit(1); }\n"),
}


def self_test() -> List[str]:
    failures = []
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        without_answers = ("", lambda root: shutil.rmtree(root / "answers"))
        for sentence, breaks in [("", lambda root: None), without_answers, *BROKEN.items()]:
            root = Path(folder) / "course"
            shutil.rmtree(root, ignore_errors=True)
            small_course(root)
            breaks(root)
            problems = check(root)
            if sentence and not any(sentence in problem for problem in problems):
                failures.append(f"expected to be told \"{sentence}\", and was told {problems}")
            if not sentence and problems:
                failures.append(f"a course in order was refused: {problems}")
    return failures


def main() -> int:
    problems = self_test() if sys.argv[1] == "--self-test" else check(Path(sys.argv[1]))
    print("\n".join(problems) if problems else "the course is in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
