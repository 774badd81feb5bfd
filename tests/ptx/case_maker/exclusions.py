# SPDX-License-Identifier: MIT
"""Forms that a row's pattern allows and PTX (or ptxas) does not, with the reason. They have no case."""
import re

# (regular expression on the whole opcode, why there is no such instruction)
EXCLUDED = [
]

_COMPILED = [(re.compile(expression), why) for expression, why in EXCLUDED]


def reason(opcode, operands):
    del operands
    for expression, why in _COMPILED:
        if expression.fullmatch(opcode):
            return why
    return None
