# SPDX-License-Identifier: MIT
"""Configures and compiles, and reads what the compiler says."""
