# SPDX-License-Identifier: MIT
"""Modules for every other folder: errors, options, progress, text."""
