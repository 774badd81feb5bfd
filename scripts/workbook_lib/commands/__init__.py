# SPDX-License-Identifier: MIT
"""What one types: a module a command, and the two programs that read a command line."""
