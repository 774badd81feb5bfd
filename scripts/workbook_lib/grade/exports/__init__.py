# SPDX-License-Identifier: MIT
"""What is made of grade.json for others: for students, for learning management systems, and for programs."""
