# SPDX-License-Identifier: BSD-3-Clause
"""Reduced models of flexible mechanisms whose connection points move.

    >>> import modeway
    >>> model = modeway.Model("cantilever-carriage.yaml")
    >>> rom = model.reduce()
    >>> run = model.simulate("cycloid", path="gmp", rom=rom)       # xarray.Dataset
    >>> x, done = rom.rollout(rom.rest(theta), u, h=1e-3)          # numpy arrays

Arrays are numpy's, of doubles, in SI units. A state is theta [s], delta [m], and their rates: x [..., 2 (s + m)]. Leading
dimensions of arguments are rows, one call each, and are broadcast.
"""

from ._modeway import version as __version__
from ._errors import Error, InputError, NumericError, RangeError
from ._model import Model
from ._rom import Rom

__all__ = ["Error", "InputError", "Model", "NumericError", "RangeError", "Rom", "__version__"]
