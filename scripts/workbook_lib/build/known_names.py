# SPDX-License-Identifier: MIT
"""Where a name is declared that the compiler does not know in a student's file: in the workbook's headers, in a header of
C++ or CUDA, or in the file under another name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Iterator, List, Set

STUDENT = Path(__file__).resolve().parents[3] / "common" / "workbook" / "student"
INCLUDED = re.compile(r'^\s*#include "workbook/student/(\w+\.h)"', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace workbook \{$(.*?)^\}  // namespace workbook$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"//.*")
STANDARD = {
    "cstdint": ("uintptr_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t"),
    "cstddef": ("size_t", "ptrdiff_t", "byte"),
    "utility": ("swap", "exchange", "pair", "move"),
    "algorithm": ("min", "max", "clamp"),
    "limits": ("numeric_limits",),
    "cuda/atomic": ("atomic_ref", "atomic", "thread_scope_device", "thread_scope_block", "memory_order_relaxed"),
    "cuda_pipeline.h": ("__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior"),
    "mma.h": ("nvcuda",),
}


def declared_in_workbook(name: str) -> str:
    """The header of namespace workbook that declares it. Empty where none does."""
    declared = re.compile(rf"^(?! )[^\n(=]*[\w>&*] +[&*]*{re.escape(name)}\b *[<({{=;:]", re.MULTILINE)
    for header in sorted(STUDENT.glob("*.h")):
        text = header.read_text(encoding="utf-8")
        if any(declared.search(COMMENT.sub("", inside[1])) for inside in NAMESPACE.finditer(text)):
            return header.name
    return ""


def included(code: str) -> Set[str]:
    """The workbook's headers that a file includes, also by other headers."""
    found: Set[str] = set()
    wanted: List[str] = INCLUDED.findall(code)
    while wanted:
        name = wanted.pop()
        header = STUDENT / name
        if name not in found and header.is_file():
            found.add(name)
            wanted += INCLUDED.findall(header.read_text(encoding="utf-8"))
    return found


def constants(code: str) -> Iterator[str]:
    """Those that are declared by a value, and parameters of templates."""
    declared = r"\bconstexpr\b[^;=(]*\b(k[A-Z]\w*)\s*=|\btemplate *<(?:[^<>]*,)? *\w+ (k[A-Z]\w*)"
    return (found[1] or found[2] for found in re.finditer(declared, code))


def where_is(name: str, code: str) -> str:
    """A sentence on the name, or nothing. `code`: the file, without its comments."""
    header = declared_in_workbook(name)
    if header:
        missing = f', and #include "workbook/student/{header}" at the top' if header not in included(code) else ""
        return f"there is workbook::{name}: put workbook:: before it{missing}"
    standard = standard_header(name)
    if standard and f"<{standard}>" not in code:
        return f"it is declared in a header: write #include <{standard}> at the top of the file"
    named = list(dict.fromkeys(constants(code)))
    if re.fullmatch(r"[A-Z]", name) and named:
        return f"a letter of the lesson is a constant with a name in the code: is it {' or '.join(named[:4])}?"
    return ""


def standard_header(name: str) -> str:
    return next((header for header, names in STANDARD.items() if name in names), "")


def header_like(wanted: str) -> str:
    """The path by which the workbook's header of this name is included. Empty where there is none."""
    name = Path(wanted).name
    return f"workbook/student/{name}" if (STUDENT / name).is_file() else ""
