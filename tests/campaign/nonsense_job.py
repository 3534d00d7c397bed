#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""nonsense_job.py FILE K: a job of modeway-eigen (fem/eigen/format_layer.h) with nonsense of number K under a right digest.

K = 0: none, three modes and one pattern of a chain of 40 masses. K mod 4: numbers of the head, indices, values, the length.
"""
import hashlib
import random
import struct
import sys

path, k = sys.argv[1], int(sys.argv[2])
n, n_modes, n_load, sigma = 40, 3, 1, -1.0
r = random.Random(k)


def chain(diagonal, beside):
    """A symmetric matrix with one line beside its diagonal, lower triangle by columns."""
    ptr, row, val = [0], [], []
    for i in range(n):
        row += [i] + ([i + 1] if beside and i + 1 < n else [])
        val += [diagonal] + ([beside] if beside and i + 1 < n else [])
        ptr.append(len(row))
    return ptr, row, val


def some(now):
    return r.choice([0, -1, 1, now + 1, now - 1, 2 * now, 1 << 20, (1 << 31) - 1, -(1 << 31), r.randrange(-99, 99)])


K, M = chain(2.0, -1.0), chain(1.0, 0.0)
head = [n, len(K[1]), len(M[1]), n_modes, n_load]
kind = k % 4 if k else -1
if kind == 0:
    at = r.randrange(len(head))
    head[at] = some(head[at]) if r.random() < 0.8 else r.randrange(-(1 << 63), 1 << 63)
elif kind == 1:
    part = r.choice([K[0], K[1], M[0], M[1]])
    at = r.randrange(len(part))
    part[at] = max(-(1 << 31), min((1 << 31) - 1, some(part[at])))
elif kind == 2:
    part = r.choice([K[2], M[2]])
    part[r.randrange(len(part))] = r.choice([float("nan"), float("inf"), -1e308, 0.0, 5e-324, -1.0])
    sigma = r.choice([sigma, float("nan"), 1e300, 0.5])
data = b"mweigj1\0" + struct.pack("<5qd", *head, sigma)
for ptr, row, val in (K, M):
    data += struct.pack(f"<{len(ptr)}i{len(row)}i{len(val)}d", *ptr, *row, *val)
data += struct.pack(f"<{n * n_load}d", *([0.0] * (n - 1) + [1.0]))
if kind == 3:
    data = data[:r.randrange(len(data))] if r.random() < 0.5 else data + bytes(r.randrange(1, 99))
with open(path, "wb") as f:
    f.write(data + hashlib.sha256(data).digest())
