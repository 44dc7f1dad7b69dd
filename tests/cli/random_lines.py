# SPDX-License-Identifier: MIT
"""Random choices for command lines, repeatable by their seed; what fd_lines.py and find_lines.py have in common."""
import random


class Lines:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def number(self, *values):
        return self.one(["", "+", "-"]) + str(self.one(values))
