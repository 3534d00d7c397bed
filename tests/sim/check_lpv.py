#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Linear systems on a grid as SciPy and h5py read them: both files agree, and A has the given frequencies.

check_lpv.py FILE.mat FILE.nc M F...    M frequencies a grid point, Hz; models of one coordinate without damping
"""
import sys

import h5py
import numpy as np
import scipy.io
import scipy.linalg


def words(cells):
    return ["".join(c[0]) if c[0].size else "" for c in cells]


def main():
    mat, nc, m = scipy.io.loadmat(sys.argv[1]), h5py.File(sys.argv[2], "r"), int(sys.argv[3])
    given = np.array([float(x) for x in sys.argv[4:]]).reshape(-1, m)
    for name in ("A", "B", "C", "D", "C_rate", "D_rate", "C_acceleration", "D_acceleration", "x0", "u0", "y0", "rest"):
        have, want = mat[name], np.moveaxis(nc[name][()], 0, -1)
        assert have.dtype == np.float64 and have.shape == want.shape, (name, have.shape, want.shape)
        assert np.array_equal(have, want), name
    for name in ("coordinate", "state", "state_unit", "input", "input_unit", "output", "output_unit"):
        assert words(mat[name]) == [w.decode() for w in nc[name][()]], name
    assert mat["grid"].shape == (1, 1) and np.array_equal(mat["grid"][0, 0][:, 0], nc["grid_x"][()])
    assert mat["model_name"][0] == "beam and carriage"
    A = mat["A"]
    assert A.shape[0] == A.shape[1] == 2 * (m + 1) and A.shape[2] == len(given) == len(nc["grid_x"])
    for p, f in enumerate(given):
        w, left, right = scipy.linalg.eig(A[:, :, p], left=True)
        for hz in f:
            k = np.argmin(abs(w - 2j * np.pi * hz))
            # backward error of the eigensolver times the eigenvalue's condition number; of the given one its own rounding
            condition = 1 / abs(np.vdot(left[:, k], right[:, k]))
            bound = len(w) * np.finfo(float).eps * np.linalg.norm(A[:, :, p]) * (condition + 1 / abs(w[k]))
            assert abs(w[k] - 2j * np.pi * hz) <= bound, (p, hz, w[k], bound)
            assert bound < 1e-3 * abs(w[k]), (p, hz, bound)


main()
