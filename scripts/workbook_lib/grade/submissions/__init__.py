# SPDX-License-Identifier: MIT
"""What students hand in: folders, archives and repositories, and the roster. Nothing is unpacked to disk."""
