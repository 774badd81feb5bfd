# SPDX-License-Identifier: MIT
"""An estimate of a program's time on a named GPU, from the simulator's counts. It is no measurement, and no part of a verdict."""
