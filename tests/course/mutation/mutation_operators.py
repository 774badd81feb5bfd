# SPDX-License-Identifier: MIT
"""The mutation operators: each is one kind of mistake, and finds the places of a source where it could have been made.
OPERATORS is the table; where two of them make the same text, it is the upper one's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Tuple

from code_text import Code, Edit

Finder = Callable[[Code], Iterator[Edit]]


@dataclass(frozen=True)
class Operator:
    name: str
    mistake: str  # what somebody did who made it
    find: Finder
    breaks_order: bool = False  # goes wrong in some orders only: a higher count is then no explanation of a survivor


REGION = re.compile(r"^ *// BEGIN SOLUTION.*?^ *// END SOLUTION$", re.MULTILINE | re.DOTALL)
UNTIL_SOLVED = re.compile(r"^ *// UNTIL SOLVED: (?!.*WORKBOOK_TODO\()(.*)$", re.MULTILINE)


def left_as_handed_out(code: Code) -> Iterator[Edit]:
    """Each part that the student writes, as todo.cu has it."""
    for region in REGION.finditer(code.source):
        yield Edit(region.start(), region.end(), "\n".join(UNTIL_SOLVED.findall(region.group())))


def names_replaced(changes: Dict[str, List[str]]) -> Finder:
    """Each of these names, or other tokens, by each of its replacements."""

    def find(code: Code) -> Iterator[Edit]:
        for index in code.find(*changes):
            for text in changes[code.text(index)]:
                yield code.replace(index, index + 1, text)

    return find


def operators_replaced(changes: Dict[str, str]) -> Finder:
    """Each of these operators between two operands by another."""

    def find(code: Code) -> Iterator[Edit]:
        for index in code.find_between_operands(*changes):
            yield code.replace(index, index + 1, changes[code.text(index)])

    return find


def calls_dropped(pattern: str) -> Finder:
    """Statements whose first call, but for CUDA_CHECK, is of a function that this describes."""

    def find(code: Code) -> Iterator[Edit]:
        for begin, end in code.statements():
            callee = begin + 2 if code.text(begin) == "CUDA_CHECK" else begin
            if re.fullmatch(pattern, code.text(callee)) and code.text(callee + 1) == "(":
                yield code.replace(begin, end, ";")

    return find


def barrier_into_block(code: Code) -> Iterator[Edit]:
    for begin, end in code.find_calls("__syncthreads"):
        if code.text(begin - 1) == "}":
            yield code.replace(begin - 1, end + 1, "__syncthreads(); }")


def guard_dropped(code: Code) -> Iterator[Edit]:
    for index in code.find("if"):
        if code.text(index + 1) == "(":
            yield code.replace(index + 2, code.partner[index + 1], "true")


def half_of_condition_dropped(code: Code) -> Iterator[Edit]:
    for index in code.find_between_operands("&&", "||"):
        stops = ("&&", "||", "=", ";", "?", ",", "return")
        begin, end = code.walk(index - 1, -1, stops) + 1, code.walk(index + 1, 1, stops)
        yield code.replace(begin, end, code.between(begin, index))
        yield code.replace(begin, end, code.between(index + 1, end))


def choice_always(first: bool) -> Finder:
    def find(code: Code) -> Iterator[Edit]:
        for begin, mark, colon, end in code.choices():
            kept = code.between(mark + 1, colon) if first else code.between(colon + 1, end)
            yield code.replace(begin, end, kept)

    return find


def loop_step_changed(code: Code) -> Iterator[Edit]:
    for begin, end in code.loop_steps():
        variable = code.text(begin + 1) if code.text(begin) in ("++", "--") else code.text(begin)
        mark = code.text(begin) if code.text(begin) in ("++", "--") else code.text(begin + 1)
        if mark in ("++", "--"):
            yield code.replace(begin, end, f"{variable} {mark[0]}= 2")
        else:
            factor = "2 *" if mark in ("+=", "-=", "*=", "/=") else "2 +"
            yield code.replace(begin, end, f"{variable} {mark} {factor} {code.between(begin + 2, end)}")


def factor_dropped(code: Code) -> Iterator[Edit]:
    for index in code.find_between_operands("*", "/", "%"):
        begin, end = code.operand_before(index), code.operand_after(index + 1)
        yield code.replace(begin, end, code.between(begin, index))
        if code.text(index) == "*":
            yield code.replace(begin, end, code.between(index + 1, end))


def summand_dropped(code: Code) -> Iterator[Edit]:
    for index in code.find_between_operands("+", "-"):
        end = code.operand_after(index + 1)
        while code.text(end) in ("*", "/", "%"):
            end = code.operand_after(end + 1)
        yield code.replace(index, end, "")


def operands_swapped(code: Code) -> Iterator[Edit]:
    for index in code.find_between_operands("-", "/", "%"):
        begin, end = code.operand_before(index), code.operand_after(index + 1)
        swapped = f"{code.between(index + 1, end)} {code.text(index)} {code.between(begin, index)}"
        yield code.replace(begin, end, swapped)


def assignment_for_compound(code: Code) -> Iterator[Edit]:
    steps = list(code.loop_steps())
    for index in code.find("+=", "-=", "*="):
        if not any(begin <= index < end for begin, end in steps):
            yield code.replace(index, index + 1, "=")


def integer_changed(code: Code) -> Iterator[Edit]:
    """By one, to both sides. Masks have an operator of their own."""
    for index, token in enumerate(code.tokens):
        match = re.fullmatch(r"([\d']+)([uUlLzZ]*)", token.text) if token.kind == "number" else None
        if match:
            value = int(match[1].replace("'", ""))
            for changed in (value + 1, value - 1):
                if changed >= 0:
                    yield code.replace(index, index + 1, f"{changed}{match[2]}")


def real_changed(code: Code) -> Iterator[Edit]:
    for index, token in enumerate(code.tokens):
        match = re.fullmatch(r"(\d+\.\d*)(f?)", token.text) if token.kind == "number" else None
        if match:
            yield code.replace(index, index + 1, ("0.0" if float(match[1]) else "1.0") + match[2])


def initial_value_dropped(code: Code) -> Iterator[Edit]:
    for begin, end in code.statements():
        mark = next((i for i in range(begin, end) if code.text(i) == "="), None)
        if mark and mark + 3 == end and declares(code, begin, end) and code.text(begin) not in ("const", "constexpr"):
            yield code.replace(mark, end - 1, "")


def mask_changed(code: Code) -> Iterator[Edit]:
    for index, token in enumerate(code.tokens):
        if re.fullmatch(r"0[xX][fF]{8}[uU]?", token.text):
            for mask in ("0x0000ffffu", "0x7fffffffu"):
                yield code.replace(index, index + 1, mask)


def plain_for_atomic(code: Code) -> Iterator[Edit]:
    """A read and a write where one atomic operation was; of cuda::atomic_ref with its order, the write atomic or not."""
    plain = {"atomicAdd": "{0} + {1}", "atomicSub": "{0} - {1}", "atomicExch": "{1}"}
    plain.update(atomicMax="max({0}, {1})", atomicMin="min({0}, {1})", atomicInc="{0} >= {1} ? 0 : {0} + 1")
    plain.update(atomicAnd="{0} & {1}", atomicOr="{0} | {1}", atomicXor="{0} ^ {1}")
    for name, end in code.find_calls(*plain):
        (a, b), (c, d) = code.arguments(name + 1)[:2]
        place = f"*({code.between(a, b)})"
        value = plain[code.text(name)].format(place, f"({code.between(c, d)})")
        if code.text(end) == ";" and code.text(name - 1) in (";", "{", "}", ")"):
            yield code.replace(name, end, f"{place} = {value}")
        else:  # the value from before is used
            yield code.replace(name, end, f"[&] {{ const auto before = {place}; {place} = {value}; return before; }}()")
    for name, end in code.find_calls("fetch_add"):
        if code.text(name - 1) == ".":
            object_name, ((a, b), *_) = code.text(name - 2), code.arguments(name + 1)
            store = f"store(before + {code.between(a, b)}, cuda::memory_order_release)"
            for second_step in (store, code.between(name, end)):
                yield code.replace(
                    name - 2,
                    end,
                    f"[&] {{ const auto before = {object_name}.load(cuda::memory_order_acquire); "
                    f"{object_name}.{second_step}; return before; }}()",
                )


def grid_not_rounded_up(code: Code) -> Iterator[Edit]:
    yield from (edit for edit, _ in roundings(code))


def grid_one_larger(code: Code) -> Iterator[Edit]:
    yield from (edit for _, edit in roundings(code))


def roundings(code: Code) -> Iterator[Tuple[Edit, Edit]]:
    """`(n + b - 1) / b`: rounded down, and one more than rounded up."""
    for opening in code.find("("):
        closing = code.partner[opening]
        inner = code.between(opening + 1, closing)
        if code.text(closing + 1) != "/" or not inner.endswith(" - 1") or " + " not in inner:
            continue
        end = code.operand_after(closing + 2)
        divisor = code.between(closing + 2, end)
        yield (
            code.replace(opening, end, f"{inner.split(' + ')[0]} / {divisor}"),
            code.replace(opening, end, f"({code.between(opening, end)} + 1)"),
        )


def dimension_swapped(code: Code) -> Iterator[Edit]:
    for index in code.find("blockDim", "gridDim", "threadIdx", "blockIdx"):
        if code.text(index + 1) == "." and code.text(index + 2) in "xy":
            yield code.replace(index + 2, index + 3, "y" if code.text(index + 2) == "x" else "x")


def block_size_constant(code: Code) -> Iterator[Edit]:
    for index in code.find("blockDim"):
        if code.text(index + 2) == "x":
            yield code.replace(index, index + 3, "256u")


def index_transposed(code: Code) -> Iterator[Edit]:
    """`a[y][x]` to `a[x][y]`, where something is read or written."""
    for opening in code.find("["):
        closing = code.partner[opening]
        if code.text(closing + 1) == "[" and code.tokens[opening - 2].kind != "name":
            end = code.partner[closing + 1] + 1
            yield code.replace(opening, end, code.between(closing + 1, end) + code.between(opening, closing + 1))


def rows_and_columns_swapped(code: Code) -> Iterator[Edit]:
    other = {"row": "column", "column": "row", "rows": "columns", "columns": "rows", "Row": "Column", "Column": "Row"}
    other.update(width="height", height="width")
    for index, token in enumerate(code.tokens):
        parts = re.split(r"(_|(?=[A-Z]))", token.text) if token.kind == "name" else []
        changed = "".join(other.get(part, part) for part in parts if part is not None)
        if parts and changed != token.text and changed in {known.text for known in code.tokens}:
            yield code.replace(index, index + 1, changed)


def launch_argument_dropped(code: Code) -> Iterator[Edit]:
    """0 instead of the bytes of shared memory, or of the stream."""
    for opening in code.find("<<<"):
        arguments, begin, index = [], opening + 1, opening + 1
        while code.text(index) != ">>>":
            if code.text(index) == ",":
                arguments.append((begin, index))
                begin = index + 1
            index = code.partner[index] + 1 if code.text(index) in ("(", "[", "{") else index + 1
        for begin, end in [*arguments, (begin, index)][2:]:
            if code.between(begin, end) != "0":
                yield code.replace(begin, end, "0")


def stream_dropped(code: Code) -> Iterator[Edit]:
    for _, end in code.find_calls("cudaMemsetAsync", "cudaMemcpyAsync", "cudaMallocAsync", "cudaFreeAsync"):
        begin, end = code.arguments(code.partner[end - 1])[-1]
        yield code.replace(begin, end, "nullptr")
    for index in code.find("stream"):
        if code.text(index - 1) == "." and code.text(index + 1) == "=":
            yield code.replace(index + 2, code.walk(index + 2, 1, (";",)), "nullptr")


def statement_deleted(code: Code) -> Iterator[Edit]:
    kept = ("return", "using", "typedef", "template", "static_assert", "extern", "namespace", "throw")
    for begin, end in code.statements():
        if code.text(begin) not in kept and not declares(code, begin, end):
            yield code.replace(begin, end, ";")


def declares(code: Code, begin: int, end: int) -> bool:
    """`type name` comes first, and not a call or an assignment."""
    head = next(i for i in range(begin, end) if code.text(i) in ("=", "(", "[", "{", ";", ".", "->", "<<<"))
    if head - begin < 2 or code.text(begin) in ("*", "case") or code.tokens[head - 1].kind != "name":
        return False
    return code.tokens[head - 2].kind == "name" or code.text(head - 2) in (">", "*", "&")


def early_return_dropped(code: Code) -> Iterator[Edit]:
    for index in code.find("return"):
        if code.text(index + 1) == ";":
            yield code.replace(index, index + 2, ";")


ORDERS = ("relaxed", "release", "acquire")


def order_weakened(code: Code) -> Iterator[Edit]:
    weaker = {"acq_rel": ORDERS, "seq_cst": ORDERS, "acquire": ORDERS[:1], "release": ORDERS[:1]}
    for index, token in enumerate(code.tokens):
        order = re.fullmatch(r"(memory_order_)(\w+)", token.text)
        for other in weaker.get(order[2], ()) if order else ():
            yield code.replace(index, index + 1, order[1] + other)


OPERATORS: Tuple[Operator, ...] = (
    Operator("left-as-handed-out", "deleted the line of a step, and did not write the step", left_as_handed_out),
    Operator("barrier-removed", "forgot a barrier", calls_dropped("__syncthreads|__syncwarp"), True),
    Operator("barrier-into-block", "put a barrier into the branch or loop before it", barrier_into_block, True),
    Operator(
        "barrier-of-warp",
        "took a barrier of the warp for one of the block",
        names_replaced({"__syncthreads": ["__syncwarp"]}),
        True,
    ),
    Operator("fence-removed", "forgot a fence", calls_dropped(r"__threadfence\w*|atomic_thread_fence"), True),
    Operator(
        "fence-of-block",
        "took a fence of the block for one of the device",
        names_replaced({"__threadfence": ["__threadfence_block"]}),
        True,
    ),
    Operator("order-weakened", "chose a weaker memory order", order_weakened, True),
    Operator(
        "scope-narrowed",
        "chose a narrower scope",
        names_replaced({f"thread_scope_{scope}": ["thread_scope_block"] for scope in ("device", "system")}),
        True,
    ),
    Operator("atomic-dropped", "read and wrote in two steps", plain_for_atomic, True),
    Operator(
        "comparison-off-by-one",
        "< for <=, and so on",
        operators_replaced({"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    ),
    Operator("equality-inverted", "== for !=", operators_replaced({"==": "!=", "!=": "=="})),
    Operator("guard-dropped", "forgot an `if`", guard_dropped),
    Operator("half-of-condition-dropped", "forgot one of two conditions", half_of_condition_dropped),
    Operator("and-or-swapped", "&& for ||", operators_replaced({"&&": "||", "||": "&&"})),
    Operator("choice-always-first", "`condition ? x : 0` without its condition", choice_always(True)),
    Operator("choice-always-second", "`condition ? x : 0` is always 0", choice_always(False)),
    Operator("loop-step-changed", "goes on too fast in a loop", loop_step_changed),
    Operator("assignment-for-addition", "= for +=", assignment_for_compound),
    Operator("initial-value-dropped", "left a variable without its first value", initial_value_dropped),
    Operator("real-changed", "began at 1.0 for 0.0, or the other way round", real_changed),
    Operator("mask-changed", "left lanes out of a mask", mask_changed),
    Operator(
        "shuffle-changed",
        "shuffled the other way",
        names_replaced(
            {
                "__shfl_down_sync": ["__shfl_up_sync", "__shfl_xor_sync"],
                "__shfl_up_sync": ["__shfl_down_sync"],
                "__shfl_xor_sync": ["__shfl_down_sync"],
            }
        ),
    ),
    Operator("grid-not-rounded-up", "launched no block for the rest", grid_not_rounded_up),
    Operator("grid-one-larger", "launched one block too many", grid_one_larger),
    Operator("block-size-constant", "took blockDim.x for 256", block_size_constant),
    Operator("dimension-swapped", ".y for .x", dimension_swapped),
    Operator(
        "index-of-other",
        "took a thread's number for the block's, or a size of the grid for one of the block",
        names_replaced(
            {
                "threadIdx": ["blockIdx"],
                "blockIdx": ["threadIdx"],
                "blockDim": ["gridDim"],
                "gridDim": ["blockDim"],
            }
        ),
    ),
    Operator("index-in-32-bits", "computed in unsigned, not std::size_t", names_replaced({"size_t": ["uint32_t"]})),
    Operator("index-transposed", "a[x][y] for a[y][x]", index_transposed),
    Operator("rows-columns-swapped", "took rows for columns", rows_and_columns_swapped),
    Operator("operands-swapped", "b - a for a - b", operands_swapped),
    Operator("sign-changed", "- for +", operators_replaced({"+": "-", "-": "+"})),
    Operator("factor-dropped", "forgot a factor or a divisor", factor_dropped),
    Operator("summand-dropped", "forgot a summand", summand_dropped),
    Operator("double-in-float", "computed in float, not double", names_replaced({"double": ["float"]})),
    Operator("minimum-maximum-swapped", "min for max", names_replaced({"min": ["max"], "max": ["min"]})),
    Operator("copy-dropped", "forgot a copy", calls_dropped(r"cudaMemcpy\w*")),
    Operator(
        "copy-turned-round",
        "copied in the other direction",
        names_replaced(
            {
                "cudaMemcpyHostToDevice": ["cudaMemcpyDeviceToHost"],
                "cudaMemcpyDeviceToHost": ["cudaMemcpyHostToDevice"],
            }
        ),
    ),
    Operator("free-dropped", "forgot to free", calls_dropped(r"cudaFree\w*")),
    Operator("memset-dropped", "forgot to set memory", calls_dropped(r"cudaMemset\w*")),
    Operator(
        "launch-argument-dropped", "launched without the shared memory, or in another stream", launch_argument_dropped
    ),
    Operator("stream-dropped", "did a step in another stream", stream_dropped),
    Operator("early-return-dropped", "went on where nothing was left to do", early_return_dropped),
    Operator("statement-deleted", "forgot a line", statement_deleted),
    Operator("integer-changed", "was off by one in a constant", integer_changed),
)
