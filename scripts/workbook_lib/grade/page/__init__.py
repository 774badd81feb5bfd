# SPDX-License-Identifier: MIT
"""The class at a glance: one page."""
