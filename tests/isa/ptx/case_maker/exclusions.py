# SPDX-License-Identifier: MIT
"""Forms that a row's pattern allows and PTX does not, each with the reason (ptxas's own, of CUDA 13). They have no case."""
import re

# (regular expression on "opcode operands-of-the-row", why there is no such instruction)
EXCLUDED = [
    (r"cvt\.\w+(\.sat)?\.([us]8\.bf16|bf16\.[us]8) .*", "no conversion between bf16 and 8-bit integers"),
    (r"cvt\..*\bsat\b.*\bbf16 .*|cvt\..*\bsat\.bf16\b.*", "no .sat with bf16"),
    (r"cvt\..*\bftz\b.*\.(f16\.f16|f64\.f64) .*",
     ".ftz only where an operand or the result is f32"),
]

_COMPILED = [(re.compile(expression), why) for expression, why in EXCLUDED]
_INTEGER_CVT = re.compile(r"cvt\.sat\.([us])(\d+)\.([us])(\d+)")


def reason(opcode, operands):
    """Why the form does not exist; None where it does."""
    for expression, why in _COMPILED:
        if expression.fullmatch(f"{opcode} {operands}"):
            return why
    match = _INTEGER_CVT.fullmatch(opcode)
    if match:
        to_sign, to_width, from_sign, from_width = match[1], int(match[2]), match[3], int(match[4])
        holds_all = to_width >= from_width if to_sign == from_sign else to_sign == "s" and to_width > from_width
        if holds_all:
            return ".sat where the result holds every source value"
    return None
