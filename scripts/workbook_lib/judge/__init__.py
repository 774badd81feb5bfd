# SPDX-License-Identifier: MIT
"""Whether a stage is right: its runs, the verdict, the smallest failing case, the hint, and what is kept of it."""
