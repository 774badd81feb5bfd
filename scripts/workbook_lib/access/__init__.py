# SPDX-License-Identifier: MIT
"""The memory that a warp reads and writes, as pictures and as lines of the source."""
