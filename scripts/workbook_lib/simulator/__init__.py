# SPDX-License-Identifier: MIT
"""Runs a program under the simulator, and reads what that reports."""
