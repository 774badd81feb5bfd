# SPDX-License-Identifier: MIT
"""The PTX version and the architecture that forms need, and how exact the approximate instructions are."""
import re

VERSION = "8.0"
# Opcodes that need more than sm_75.
NEEDS_SM_90 = re.compile(r".*\.(bf16|bf16x2|tf32|e4m3x2|e5m2x2|relu|NaN|xorsign|u16x2|s16x2)\b.*|(min|max)\..*f16.*")

# Base opcode and modifiers to tolerance against the recorded bits (PTX ISA manual, section 9.7.3 of each instruction).
TOLERANCES = [
    (r"(div\.approx|div\.full)\b.*f32.*", "2 f32"),
    (r"rcp\.approx\b.*f32.*", "1 f32"),
    (r"sqrt\.approx\b.*f32.*", "2 f32"),
    (r"rsqrt\.approx\b.*f32.*", "2 f32"),
    (r"(sin|cos)\.approx\b.*", "2 f32 absolute 0.00000068"),
    (r"lg2\.approx\b.*", "2 f32 absolute 0.00000024"),
    (r"ex2\.approx\b.*\.f32.*", "2 f32"),
    (r"tanh\.approx\.f32.*", "8192 f32"),
    (r"rcp\.approx\.ftz\.f64|rsqrt\.approx\.ftz\.f64", "8589934592 f64"),  # about 20 bits of the fraction
    (r"rsqrt\.approx\.f64", "1 f64"),
    # A packed tolerance serves the single form as well: the other half is zero in both.
    (r"tanh\.approx\.f16.*", "2 f16x2 absolute 0.0005"),
    (r"tanh\.approx\.bf16.*", "1 bf16x2 absolute 0.004"),
    (r"ex2\.approx\.f16.*", "2 f16x2"),
    (r"ex2\.approx\.ftz\.bf16.*", "2 bf16x2"),
]


def target(labels):
    return "sm_90" if any(NEEDS_SM_90.fullmatch(label.split()[0]) for label in labels) else "sm_75"


def tolerance(label):
    opcode = label.split()[0]
    return next((text for expression, text in TOLERANCES if re.fullmatch(expression, opcode)), None)
