# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, and where the user must look."""


class Error(Exception):
    """An error of modeway: message, and the place in the user's input that is to blame.

    file is "" and line, col are 0 where they are not known.
    """

    def __init__(self, message, file="", line=0, col=0):
        self.message, self.file, self.line, self.col = message, file, line, col
        place = f"{file}:{line}:{col}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message)


class InputError(Error, ValueError):
    """The user's input is wrong: a model file, a name, a reduced model of another model."""


class RangeError(Error, ValueError):
    """A coordinate left its range, or a deflection, a rate or an input is beyond what the model is meant for."""


class NumericError(Error, ArithmeticError):
    """Something is singular, did not converge or is not finite."""
