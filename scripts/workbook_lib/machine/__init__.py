# SPDX-License-Identifier: MIT
"""What is installed here, and what is installed for the workbook."""
