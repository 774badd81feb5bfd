# SPDX-License-Identifier: MIT
"""Times and counters of stages: measured, compared, and written as tables and pictures."""
