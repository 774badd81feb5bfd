# SPDX-License-Identifier: MIT
"""The wall around a student's code: what is compiled and run behind it can read, reach and use only what the grader gives it."""
