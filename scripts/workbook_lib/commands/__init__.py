# SPDX-License-Identifier: MIT
"""The commands: one module for each, and the two programs that read a command line."""
