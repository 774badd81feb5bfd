# SPDX-License-Identifier: MIT
"""The judgement of a stage: its runs, the verdict, the smallest failing case, the hint, and the record."""
