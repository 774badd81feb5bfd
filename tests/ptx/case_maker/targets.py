# SPDX-License-Identifier: MIT
"""The PTX version and the architecture that a form needs, and how exact the approximate instructions are."""
import re

# (regular expression on the opcode, PTX version, architecture); the highest that matches any form of a file counts.
NEEDS = [
    (r".*", (7, 0), 75),
]

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
]


def version_and_target(labels):
    version, target = (7, 0), 75
    for label in labels:
        opcode = label.split()[0]
        for expression, needed_version, needed_target in NEEDS:
            if re.fullmatch(expression, opcode):
                version, target = max(version, needed_version), max(target, needed_target)
    return f"{version[0]}.{version[1]}", f"sm_{target}"


def tolerance(label):
    opcode = label.split()[0]
    return next((text for expression, text in TOLERANCES if re.fullmatch(expression, opcode)), None)
