# SPDX-License-Identifier: MIT
"""The PTX version and the architecture that forms need, and how exact the approximate instructions are."""
import re

VERSION, VERSION_OF_SMALL_FLOATS = "8.0", "8.7"
# Opcodes that need more than sm_75.
NEEDS_SM_90 = re.compile(r".*\.(bf16|bf16x2|tf32|e4m3x2|e5m2x2|relu|NaN|xorsign|u16x2|s16x2)\b.*|(min|max)\..*f16.*")
# Numbers of 4 and 6 bits, and exponents alone. No GPU has recorded these cases: their bits are those of the conversions
# for the host in the toolkit's cuda_fp4.hpp, cuda_fp6.hpp and cuda_fp8.hpp.
NEEDS_SM_120A = re.compile(r"cvt\..*\b(e2m1x2|e2m3x2|e3m2x2|ue8m0x2)\b.*")

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


def directives(labels):
    """The first lines of a module with forms of these labels."""
    opcodes = [label.split()[0] for label in labels]
    version = VERSION_OF_SMALL_FLOATS if any(map(NEEDS_SM_120A.fullmatch, opcodes)) else VERSION
    return [f".version {version}", f".target {target(opcodes)}", ".address_size 64"]


def target(opcodes):
    if any(map(NEEDS_SM_120A.fullmatch, opcodes)):
        return "sm_120a"
    return "sm_90" if any(map(NEEDS_SM_90.fullmatch, opcodes)) else "sm_75"


def tolerance(label):
    opcode = label.split()[0]
    return next((text for expression, text in TOLERANCES if re.fullmatch(expression, opcode)), None)
