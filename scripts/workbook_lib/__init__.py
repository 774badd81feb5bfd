# SPDX-License-Identifier: MIT
"""What scripts/workbook calls: Python 3.9 and its standard library, over CMake, ctest and the stages' own --json."""
