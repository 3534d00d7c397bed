#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_python.py MODEWAY ROM.nc [--quick]: what calls from Python cost beside those of C, in one run on one core.

PYTHONPATH names the folder of the package: build/sim/python. Processor time on both sides. Exit status 1 where rollouts reach less
than 0.95 of C's rate; with --quick they are fewer than the 4,096 of 100 steps for which that is asked, and not judged.
"""

import json
import subprocess
import sys
import time

import numpy as np

import modeway


def median(f, n):  # as `modeway bench` takes it
    spent = []
    for _ in range(n):
        start = time.process_time()
        f()
        spent.append(time.process_time() - start)
    return np.median(spent)


program, file, quick = sys.argv[1], sys.argv[2], sys.argv[3:]
LEAST = 0.95  # of C's rate
c = json.loads(subprocess.run([program, "bench", file, "--json", "-q", *quick], check=True, capture_output=True).stdout)
rom = modeway.Rom(file)
rng = np.random.default_rng(0)
n = rom.s + rom.m
rollouts, steps = c["rollouts_near"]["rollouts"], c["rollouts_near"]["steps_each"]
x = np.tile(rom.rest(rom.lo + 0.4 * (rom.hi - rom.lo)), (rollouts, 1))
x[:, rom.s:] += 1e-6 * rng.standard_normal((rollouts, rom.n_x - rom.s))
u = 1e-3 * rng.standard_normal((rollouts, steps, rom.n_u))
batch = median(lambda: rom.rollout(x, u, path=False), 50 if quick else 10) / (rollouts * steps)
rows = np.tile(x, (20, 1)) if quick else x
rhs = median(lambda: rom.rhs(rows), 20) / len(rows)
single = median(lambda: [rom.rhs(x[0], u[0, 0]) for _ in range(1000)], 10) / 1000
share = c["rollouts_near"]["batch_ns"] / (1e9 * batch)
judged = "" if quick else f" (at least {LEAST})  {'ok' if share >= LEAST else 'FAILED'}"
print(f"{rollouts} rollouts of {steps} steps: Python {1e9 * batch:.0f} ns a step, C {c['rollouts_near']['batch_ns']:.0f}: "
      f"{share:.2f} of its rate{judged}")
print(f"right-hand side, {len(rows)} in a call: Python {1e9 * rhs:.0f} ns, C {c['rhs_ns']:.0f}")
print(f"one right-hand side a call: Python {1e6 * single:.2f} us")
sys.exit(0 if quick or share >= LEAST else 1)
