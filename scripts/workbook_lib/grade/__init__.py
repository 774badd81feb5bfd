# SPDX-License-Identifier: MIT
"""Grades of many students' files."""
