# SPDX-License-Identifier: MIT
"""Which memory a warp reads and writes, as pictures and as lines of the source."""
