# SPDX-License-Identifier: MIT
"""What every other folder may use: errors, options, progress, text."""
