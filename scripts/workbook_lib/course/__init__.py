# SPDX-License-Identifier: MIT
"""The stages, and the files that students edit."""
