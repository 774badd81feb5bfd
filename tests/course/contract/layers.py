#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Folders depend on each other in one direction only, at each level of a tree, and hold few enough files to look through.

Usage: layers.py, or layers.py --self-test, which makes a tree with each mistake and expects to be told."""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

ROOT = Path(__file__).resolve().parents[3]
TREES = ("common/simulator", "common/workbook", "scripts/workbook_lib")  # each is the root of what its files include or import
COUNTED = ("common", "scripts", "tests")  # where the files of each folder are counted
LISTS = ("tests/checkers", "tests/cheats", "tests/gpu/programs", "tests/isa/ptx", "tests/unit/scripts/build/compiler_errors", "answers")  # a file a case
MOST_FILES = 30
CPP = {".h", ".cpp", ".cu", ".cuh", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)

Arrows = Dict[Tuple[str, str], str]  # from a folder to another one, and an example


def included(path: Path, tree: Path) -> Iterator[Path]:
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for base in (tree, tree.parent, path.parent):
            if (base / name).is_file():
                yield (base / name).resolve()
                break


def imported(path: Path, tree: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = (node.module or "").split(".") if node.module else []
        if node.level:
            base = path.parents[node.level - 1]
        elif parts and parts[0] == tree.name:
            base = tree.parent
        else:
            continue
        module = base.joinpath(*parts)
        for name in (module, *(module / alias.name for alias in node.names)):
            if name.with_suffix(".py").is_file():
                yield name.with_suffix(".py").resolve()


def used(tree: Path) -> Iterator[Tuple[Path, Path]]:
    """Each file with each file of the same tree that it needs."""
    for path in sorted(tree.rglob("*")):
        targets = imported(path, tree) if path.suffix == ".py" else included(path, tree) if path.suffix in CPP else ()
        for target in targets:
            if tree in target.parents:
                yield path.relative_to(tree), target.relative_to(tree)


def arrows_by_folder(tree: Path) -> Dict[Path, Arrows]:
    """In each folder, which of its parts needs which other one; the files beside its subfolders are the part '.'."""
    found: Dict[Path, Arrows] = {}
    for user, target in used(tree):
        common = 0
        while user.parts[common] == target.parts[common] and common + 1 < min(len(user.parts), len(target.parts)):
            common += 1
        ends = tuple(file.parts[common] if common + 1 < len(file.parts) else "." for file in (user, target))
        if ends[0] != ends[1]:
            found.setdefault(Path(*user.parts[:common]), {}).setdefault((ends[0], ends[1]), f"{user} needs {target}")
    return found


def reached_from(start: str, arrows: Arrows) -> Set[str]:
    found: Set[str] = set()
    ends = {start}
    while ends:
        found |= ends
        ends = {end for begin, end in arrows if begin in found} - found
    return found


def circles(tree: Path) -> Iterator[str]:
    for folder, arrows in sorted(arrows_by_folder(tree).items()):
        for (start, end), example in sorted(arrows.items()):
            if start in reached_from(end, arrows):
                yield f"{tree.name}/{folder}: {start} and {end} are in a circle, as {example}"


def full_folders(root: Path, counted: Tuple[str, ...], lists: Tuple[str, ...]) -> Iterator[str]:
    for top in counted:
        for folder in sorted(path for path in [root / top, *(root / top).rglob("*")] if path.is_dir()):
            name = folder.relative_to(root).as_posix()
            if any(name == each or name.startswith(each + "/") for each in lists) or "__pycache__" in name:
                continue
            count = sum(path.is_file() for path in folder.iterdir())
            if count > MOST_FILES:
                yield f"{name} holds {count} files beside each other: more than {MOST_FILES}, make folders of them"


def self_test() -> List[str]:
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        files = {
            "common/tree/a/x.h": '#include "b/y.h"\n', "common/tree/b/y.h": '#include "c/z.h"\n',
            "common/tree/c/z.h": '#include "c/low/w.h"\n', "common/tree/c/low/w.h": "",
            "scripts/package/top/m.py": "from ..low import n\n", "scripts/package/low/n.py": "",
        }
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        cpp, python = root / "common/tree", root / "scripts/package"
        if list(circles(cpp)) + list(circles(python)) + list(full_folders(root, ("common",), ())):
            missed.append("a tree in order is refused")
        (cpp / "c/low/w.h").write_text('#include "c/z.h"\n', encoding="utf-8")
        if not any(". and low" in line for line in circles(cpp)):
            missed.append("a circle of a folder with its subfolder is not found")
        (cpp / "c/low/w.h").write_text('#include "a/x.h"\n', encoding="utf-8")
        if len(list(circles(cpp))) != 3:
            missed.append("a circle of three folders is not found")
        (python / "low/n.py").write_text("from package.top.m import f\n", encoding="utf-8")
        if len(list(circles(python))) != 2:
            missed.append("a circle of imports is not found")
        for i in range(MOST_FILES + 1):
            (cpp / "a" / f"{i}.h").touch()
        if len(list(full_folders(root, ("common",), ()))) != 1 or list(full_folders(root, ("common",), ("common/tree/a",))):
            missed.append("a full folder is not found, or one that is excepted is")
    return missed


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        errors = self_test()
    else:
        errors = [line for tree in TREES for line in circles(ROOT / tree)] + list(full_folders(ROOT, COUNTED, LISTS))
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
