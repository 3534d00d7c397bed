#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_python.py MODEWAY ROM.nc: what calls from Python cost beside those of C, in one run on one core.

PYTHONPATH names the folder of the package: build/sim/python.
"""

import json
import subprocess
import sys
import time

import numpy as np

import modeway


def least(f, n):
    best = np.inf
    for _ in range(n):
        start = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - start)
    return best


program, file = sys.argv[1], sys.argv[2]
c = json.loads(subprocess.run([program, "bench", file, "--quick", "--json", "-q"], check=True, capture_output=True).stdout)
rom = modeway.Rom(file)
rng = np.random.default_rng(0)
n = rom.s + rom.m
rollouts, steps = c["rollouts_near"]["rollouts"], c["rollouts_near"]["steps_each"]
x = np.tile(rom.rest(rom.lo + 0.4 * (rom.hi - rom.lo)), (rollouts, 1))
x[:, rom.s:] += 1e-6 * rng.standard_normal((rollouts, rom.n_x - rom.s))
u = 1e-3 * rng.standard_normal((rollouts, steps, rom.n_u))
batch = least(lambda: rom.rollout(x, u, path=False), 50) / (rollouts * steps)
rows = np.tile(x, (20, 1))
rhs = least(lambda: rom.rhs(rows), 20) / len(rows)
single = least(lambda: [rom.rhs(x[0], u[0, 0]) for _ in range(1000)], 10) / 1000
print(f"{rollouts} rollouts of {steps} steps: Python {1e9 * batch:.0f} ns a step, C {c['rollouts_near']['batch_ns']:.0f}: "
      f"{c['rollouts_near']['batch_ns'] / (1e9 * batch):.2f} of its rate")
print(f"right-hand side, {len(rows)} in a call: Python {1e9 * rhs:.0f} ns, C {c['rhs_ns']:.0f}")
print(f"one right-hand side a call: Python {1e6 * single:.2f} us")
