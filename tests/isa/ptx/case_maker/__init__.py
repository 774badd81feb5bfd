# SPDX-License-Identifier: MIT
"""What make_cases.py is made of: patterns of rows, operand values, instruction forms, exclusions, case files."""
