# SPDX-License-Identifier: MIT
"""The installed tools of this machine, and the installation of missing ones."""
