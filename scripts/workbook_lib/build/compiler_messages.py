# SPDX-License-Identifier: MIT
"""The compiler's messages for a reader that does not know its templates. They give the first error in the student's
file, at a place that editors find. They omit notes on other candidates, and explain the commonest errors in a sentence."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import List, Optional, Set

from . import known_names

KINDS = r"(?:fatal |catastrophic )?error|warning|note"
HEAD = re.compile(rf"^(?P<file>[^\s(:]+)[(:](?P<line>\d+)\)?(?::(?P<column>\d+))?: (?P<kind>{KINDS})\b")
SHIFT = 2  # columns by which nvcc moves the source line in a message
NOISE = re.compile(r"^Remark: |^\S+: In (?:member )?function |^\d+ errors? detected in (?:the compilation of |this compilation)|^$")
QUOTED = re.compile(r'"[^"]*"')
HOST_CALL = re.compile(r'error: calling a __host__ function\("(?P<name>[^"]+)"\)')
UNDEFINED = re.compile(r'error: identifier "(?P<name>[^"]+)" is undefined in device code')
TEMPLATE = re.compile(r"<[^<>]*>|\(.*")
PLACE_IN_A_NOTE = re.compile(r'at line (?P<line>\d+) of "?(?P<file>stages/[^"\s]+)')
NOT_CLOSED = re.compile(
    r'^At end of source: (error: expected a "}")\n(?P<file>[^\s(:]+)\((?P<line>\d+)\): note [^\n]*', re.MULTILINE
)
NOT_LINKED = re.compile(r"^\S*?(?P<file>stages/[^\s:]+):(?P<line>\d+): (?=undefined reference to `)", re.MULTILINE)
BUILT_IN = re.compile(r"\n\S+: note #3328-D: built-in operator.*\n.*\n.*")  # for each of its operands
INSTANTIATED = "\n          detected during"  # a template, for some types
TYPES = re.compile(r"\[with (?P<types>[^\]\n]*)\]")
OF_A_NAME = re.compile(r'error: (?:identifier "(?P<name>\w+)" is undefined(?! in device)|[^\n]* has no member "(?P<member>\w+)")')
CUDA_NAMES = {"threadIdx", "blockIdx", "blockDim", "gridDim", "printf", "atomicAdd", "__syncthreads", "__syncwarp"}
QUALIFIED = re.compile(r'error: (?:namespace "\w+" has no member|name followed by "::" must be)[^\n]*\n[^\n]*?\b(?:std|cuda)::(?P<name>\w+)')
NO_HEADER = re.compile(r"fatal error: '?(?P<header>[^\s:']+)'?(?:: No such file| file not found)")
KEYWORDS = set("auto bool const double else float for if int long return short sizeof static unsigned void while".split())
MOST_NAMED = 5  # errors after the first one, a line each
ADVICE = (
    (
        'no instance of overloaded function "cudaMalloc"',
        "cudaMalloc stores an address in your pointer, so it takes the pointer's own address, and then a number of "
        "bytes: cudaMalloc(&pointer, bytes)",
    ),
    (
        r"too few arguments in function call[^\0]*cudaMemcpy\(",
        "cudaMemcpy takes the destination, the source, a number of bytes, and the direction, as in cudaMemcpyHostToDevice",
    ),
    (
        r'argument of type "void" is incompatible with parameter of type "cudaError_t"[^\0]*<<<',
        "a launch returns nothing that CUDA_CHECK could look at: launch in a statement of its own, and write "
        "CUDA_CHECK(cudaGetLastError()); behind it",
    ),
    (
        r'error: calling a __host__ function\("std::basic_ostream',
        "a kernel has no streams: it prints with printf",
    ),
    (
        r"error: calling a (constexpr )?__host__ function",
        "a kernel can call only what is compiled for the device too: put __device__ before a function of your own, and "
        "take CUDA's own min instead of std::min, for example. You do not need a flag for it",
    ),
    (
        r"error: calling a __device__ function",
        "this exists only on the device: call it in a kernel, or in a function with __device__ before it",
    ),
    (
        r'error: identifier "[^"]*" is undefined in device code',
        "a kernel does not see the host's variables: hand the value over as a parameter, or declare it constexpr",
    ),
    (
        r'function "lambda [^\n]*->cudaError_t" cannot be called with the given argument list',
        "cudaLaunchKernelEx got other arguments than the kernel has parameters: those of the kernel stand behind "
        "lambda [], those that it got behind 'argument types are'",
    ),
    (
        'no instance of overloaded function "atomicAdd"',
        "atomicAdd takes the address of the number to add to, and a value of the same type: atomicAdd(pointer, value)",
    ),
    (
        r'(identifier|overloaded function) "__shfl(_down|_up|_xor)?(_sync)?"',
        "the shuffles' names end in _sync, and the mask comes first: __shfl_down_sync(mask, value, distance)",
    ),
    (
        r"error: no operator [^\n]*\n[^\n]*\b(uint3|dim3)\b",
        "threadIdx, blockIdx, blockDim and gridDim have three parts each: take .x (and .y, .z)",
    ),
    (
        r'error: no operator "\[\]" matches[^\n]*\n[^\n]*workbook::(Const)?Matrix\b',
        "a matrix is a struct here: element (i, j) is matrix.data[i * matrix.pitch + j]",
    ),
    (
        r"error: call of an object of a class type without appropriate operator\(\)",
        "a matrix is a struct here: element (i, j) is matrix.data[i * matrix.pitch + j]",
    ),
    (
        r"error: expression must have integral or unscoped enum type\n[^\n<]*%",
        "a remainder is one of whole numbers. A pointer becomes the number of its address by "
        "reinterpret_cast<std::uintptr_t>(pointer)",
    ),
    (
        r"_cast cannot cast away const",
        "what is only read stays const: cast to a pointer to const, as in reinterpret_cast<const float4*>(pointer)",
    ),
    (
        r"error: invalid type conversion\n[^\n]*_cast<[^>\n]*\*",
        "the cast makes one pointer of another, and an element is none: is & missing before it, as in &tile[i]?",
    ),
    (
        "error: argument list for class template",
        "it is a template: its arguments stand behind its name, as in Name<kValue>",
    ),
    (
        r"error: expression must have arithmetic or unscoped enum type\n[^\n]*\?",
        "what stands on both sides of the : must be of one type",
    ),
    (
        "missing return statement at end of non-void function",
        "the function ends without a return: what is computed in it goes nowhere",
    ),
    (
        r'overloaded function "(std::)?(min|max)" matches',
        "min and max take two values of the same type: convert one of them with static_cast",
    ),
    (r'error: expected a ";"', "is it missing at the end of the line before?"),
    (r'error: expected a "\)"', "is it missing before the place that is marked?"),
    (r'error: expected a "}"', "from here on, a { is not closed by a } of its own"),
    (r"error: expected a declaration", "does a } too many, above, end the function here already?"),
    (
        "must have a void return type",
        "a kernel gives nothing back: write __global__ void, and store the result through a pointer",
    ),
    (
        "return value type does not match the function type",
        "what a function gives back is declared before its name; a kernel is void, and stores its result through a pointer",
    ),
    (
        "a __global__ function call must be configured",
        "a kernel is launched with the numbers of blocks and of threads a block: name<<<blocks, threads>>>(arguments)",
    ),
    (
        r"must have integral or unscoped enum type\n[^\n<]*<<[^<]",
        "is it a launch? Then it takes three on each side: <<<blocks, threads>>>",
    ),
    (
        "error: too (few|many) arguments in function call",
        "compare what is handed over with the function's parameters, one by one",
    ),
    (
        r'error: argument of type "(?!void")[^"]*" is incompatible with parameter of type',
        "compare this argument with the function's parameter: is it another one's place, or is a cast missing?",
    ),
    (
        "error: expression must be a modifiable lvalue",
        "only what is not const can be changed: is it declared const, or behind a pointer to const? Or is it an array? That "
        "is changed element by element: array[i] = ...",
    ),
    (
        r'error: a value of type "const [^"]*\*" cannot be (used to initialize|assigned to) an entity of type "const [^"]*\*"',
        "the two pointers are to different types: make one of the other by reinterpret_cast, as in "
        "reinterpret_cast<const float4*>(pointer)",
    ),
    (
        r'error: a value of type "const [^"]*\*" cannot be (used to initialize|assigned to) an entity of type',
        "what a pointer to const points at is only read, and stays so: the new pointer must be one to const too",
    ),
    (
        "a variable length array cannot have static storage duration",
        "the compiler has to know the size of a __shared__ array: take a constant, the most that a block can need. Or "
        "leave the size to the launch: extern __shared__ float tile[]; and the number of bytes as the third of <<<...>>>",
    ),
    (
        "error: static assertion failed",
        "the compiler has computed it, and it is not so: is the function that is called there wrong, or the number?",
    ),
    (
        "cannot call non-constexpr function",
        "the compiler computes this, and a constexpr function calls only what is constexpr too: write it out, as in "
        "a > b ? a : b",
    ),
    (
        r"error: expression must have a constant value\n[^\n]*\[",
        "the compiler has to know the size of an array: take a constant",
    ),
    (
        "initializer not allowed for __shared__ variable",
        "shared memory begins without values: let the threads store them, and then wait at a __syncthreads()",
    ),
    (
        r'no instance of overloaded function "(std::)?swap"[^\n]*\n[^\n]*(\bconst\b *[,)]|[(,] *const \w+(::\w+)* *[,)])',
        "swap changes both of its arguments, and one of these is const (so is a member of a const object, as "
        "workspace is): swap two variables of your own",
    ),
    (
        r'no instance of overloaded function "(std::)?swap"[^\n]*\n[^\n]*\bConst\w+, [^\n]*\b(Records|Matrix)\b|'
        r'no instance of overloaded function "(std::)?swap"[^\n]*\n[^\n]*\b(Records|Matrix), [^\n]*\bConst',
        "swap exchanges two variables of one type; what is only read has a type of its own, and is never written: swap two "
        "variables of your own",
    ),
    (
        "a host function call cannot be configured",
        "only a kernel can be launched with <<<...>>>: does the function begin with __global__?",
    ),
    (
        r'incomplete type "[^"]*\[\]" is not allowed',
        "only an array of extern __shared__ may go without a size (the launch gives it): is extern missing?",
    ),
    (
        "has already been declared in the current scope",
        "to give it another value, leave the type out; else take another name",
    ),
    (r"error: expression must have pointer-to-object type", "only an array or a pointer has elements to take with [ ]"),
    (r'must have class type but it has type "[^"]*\*"', "it is a pointer: write -> in place of the point"),
    (
        r"no instance of function template[^\0]*does not match because argument #\d",
        "the note names the first argument that does not fit: compare it with the function's parameter of that number",
    ),
    (
        "no instance of function template",
        "does the call give the template's arguments, constants, as in name<8><<<blocks, threads>>>(...), and do the "
        "types of the other arguments fit?",
    ),
    (
        r"fatal error: [^\n]*(No such file or directory|file not found)",
        "is the header's name spelled as in the file that was handed out?",
    ),
    (
        "undefined reference to `__device_builtin_variable_",
        "threadIdx, blockIdx, blockDim and gridDim exist only on the device: in a kernel, or in a function with "
        "__device__ before it",
    ),
    ("undefined reference to `", "is this a function of your file? It must be there, with exactly these parameters"),
)


def shortened(message: str, root: Path) -> str:
    """The first error in stages/ in full, with a sentence on it. The next errors have only their first lines, because
    they often follow from it. Without an error there, returns all messages."""
    kept: List[str] = []
    message = NOT_LINKED.sub(r"\g<file>(\g<line>): error: ", message)
    message = BUILT_IN.sub("", NOT_CLOSED.sub(r"\g<file>(\g<line>): \1", message))
    for block in once(blocks_of(message)):
        place = PLACE_IN_A_NOTE.search(block)
        if not is_foreign_note(block):
            kept.append(block if is_of_stages(block) or not place else at_the_call(block, place))
        elif kept and place and not is_of_stages(kept[-1]):
            kept[-1] = at_the_call(kept[-1], place)
    errors = [block for block in kept if is_of_stages(block) and kind(block) not in (None, "warning", "note")]
    # The first stands at the end of the file. The errors before the second one do not name the cause.
    errors.sort(key=lambda block: ('expected a "}"' not in block, "argument list for class template" not in block))
    if not errors:
        return "\n".join(with_advice(block, root) for block in kept)
    named = [located(block, root)[0] for block in errors[1:]]
    more = [f"... and {len(named) - MOST_NAMED} errors more"] if len(named) > MOST_NAMED else []
    return "\n".join([with_advice(errors[0], root), *named[:MOST_NAMED], *more])


def is_of_stages(block: str) -> bool:
    return block.startswith("stages/")


def at_the_call(block: str, place: "re.Match[str]") -> str:
    """Shows an error in a header as an error of the student's line that leads to it."""
    head = HEAD.match(block)
    if head is None:
        return block
    first, *rest = block[head.start("kind") :].split("\n")
    return "\n".join([f"{place['file']}:{place['line']}:1: {first}", f"    in {head['file']}, line {head['line']}", *rest])


def blocks_of(message: str) -> List[str]:
    """The messages by place, each with the lines below it. A note on a place here belongs to its message."""
    blocks: List[List[str]] = []
    for line in message.splitlines():
        if NOISE.match(line):
            continue
        head = HEAD.match(line)
        if blocks and (line[:1].isspace() or (head and head["kind"] == "note" and not line.startswith("/"))):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return ["\n".join(block) for block in blocks]


def once(blocks: List[str]) -> List[str]:
    """Removes repeated errors of a template for further types: the same line, with the same words except names. Also
    removes errors that only follow from a call of a host function."""
    seen: Set[str] = set()
    called: List[str] = []  # the host's functions
    kept: List[str] = []
    for block in blocks:
        call, undefined = HOST_CALL.search(block), UNDEFINED.search(block)
        called += [call["name"]] if call else []
        error = TEMPLATE.sub("", call["name"]) if call else QUOTED.sub("", block.splitlines()[0])
        is_again = (call or INSTANTIATED in block) and error in seen
        if not is_again and not (undefined and any(f"{undefined['name']}(" in f"{name}(" for name in called)):
            kept.append(block)
        seen.add(error)
    return kept


def kind(block: str) -> Optional[str]:
    head = HEAD.match(block)
    return head["kind"] if head else None


def is_foreign_note(block: str) -> bool:
    """Whether the note is on a header of the toolkit or the compiler."""
    return kind(block) == "note" and block.startswith("/")


def with_advice(block: str, root: Path) -> str:
    advice = next((words for pattern, words in ADVICE if kind(block) != "note" and re.search(pattern, block)), None)
    name, qualified, header = OF_A_NAME.search(block), QUALIFIED.search(block), NO_HEADER.search(block)
    lines = located(block, root)
    code = re.sub(r"//.*", "", "\n".join(source_of(block, root)))
    if header and known_names.header_like(header["header"]):
        advice = f'the header is "{known_names.header_like(header["header"])}"'
    elif qualified:
        advice = known_names.where_is(qualified["name"], code) or advice
    elif name and not advice and name["name"]:
        advice = known_names.where_is(name["name"], code)
    if name and not advice:
        wanted = name["name"] or name["member"]
        known = (set(re.findall(r"\w+", code)) | CUDA_NAMES) - KEYWORDS - {wanted}
        found = difflib.get_close_matches(wanted, sorted(known), 1, 0.8)
        otherwise = "is it declared above this line, in this function and these braces, and spelled the same?" if name["name"] else ""
        advice = f"did you mean {found[0]}?" if found else otherwise
    return "\n".join([*lines, f"    -> {advice}"] if advice else lines)


def source_of(block: str, root: Path) -> List[str]:
    """The file of the message. Empty where it cannot be read."""
    head = HEAD.match(block)
    try:
        return (root / head["file"]).read_text(encoding="utf-8", errors="replace").splitlines() if head else []
    except OSError:
        return []


def located(block: str, root: Path) -> List[str]:
    """The lines of a message, the first in the form that editors read: `file:line:column: error: words`. For an
    expanded macro, the student's own line replaces the expansion and the mark below it."""
    block, detected, instantiations = block.partition(INSTANTIATED)
    head, *lines = block.splitlines()
    types = TYPES.search(instantiations)
    lines += [f"    for {types['types']}"] if types else (detected + instantiations).splitlines()[1:]
    parts, source = HEAD.match(head), source_of(block, root)
    if parts is None or parts["column"]:
        return [head, *lines]
    written = source[int(parts["line"]) - 1] if 0 < int(parts["line"]) <= len(source) else ""
    column = len(written) - len(written.lstrip()) + 1
    mark = next((index for index, line in enumerate(lines) if index and line.strip() == "^"), None)
    shown = lines[mark - 1][SHIFT:].rstrip() if mark is not None else ""
    if shown and written.startswith(shown):  # a comment after it is not shown
        column = lines[mark].index("^") - SHIFT + 1
    elif mark is not None and written:
        lines[mark - 1 : mark + 1] = [" " * SHIFT + written]
    return [f"{parts['file']}:{parts['line']}:{column}: {head[parts.start('kind'):]}", *lines]
