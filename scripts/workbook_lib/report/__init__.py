# SPDX-License-Identifier: MIT
"""The page that `scripts/workbook report` writes."""
