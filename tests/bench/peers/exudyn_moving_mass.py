# SPDX-License-Identifier: BSD-3-Clause
"""exudyn_moving_mass.py: the carriage on the steel beam (cases/steel-beam.yaml, scenario cross) by Exudyn, beside our
full path and reduced model: error of the mid-span over time, in one run.

    build/peers/exudyn/bin/python tests/bench/peers/exudyn_moving_mass.py build/tests/bench_moving_mass

Exudyn: 40 planar ANCF cables (Bernoulli-Euler), a mass that slides on them at a prescribed velocity, generalized-alpha of
spectral radius 0.8, modified Newton, no files. Our rows are those of bench_moving_mass, a beam in space of 40 elements. Error:
largest difference of the mid-span at 901 instants over its peak, against 20 sine modes with the moving mass eliminated, by
Runge-Kutta 4 with 18000 steps; the same equations, once here and once in bench_moving_mass.c. Time: Exudyn's is processor
time of its solver, ours wall time of the stepping, the least of three runs each. Last line: Exudyn's time at the error of
our reduced model with a step of 1 ms, interpolated between its rows, over ours; ok from 100 on. Exit status 1 if it is less.
"""
import math
import subprocess
import sys
import time

import exudyn
import numpy as np
from exudyn import utilities as eu

LENGTH, MASS, GRAVITY, SPEED, START, DURATION = 10.0, 500.0, 9.81, 10.0, 0.5, 0.9  # m, kg, m/s², m/s, m, s
MU, EI, EA = 7850.0 * 0.02, 210e9 * 0.1 * 0.2**3 / 12.0, 210e9 * 0.02  # kg/m, N m², N
ELEMENTS, MODES, STEPS, STORED, RUNS, LEAST = 40, 20, 18000, 900, 3, 100.0


def reference():
    """Mid-span [STORED + 1] in m: q̈ = −ω² q − N φ, N = m (g − φ·ω²q + 2 v φ'·q̇ + v² φ''·q)/(1 + m φ·φ)."""
    k = np.arange(1, MODES + 1) * math.pi / LENGTH
    w2, s = k**4 * EI / MU, math.sqrt(2.0 / (MU * LENGTH))

    def rate(t, y):
        x = START + SPEED * t
        phi, slope = s * np.sin(k * x), s * k * np.cos(k * x)
        q, qd = y[:MODES], y[MODES:]
        n = GRAVITY - phi @ (w2 * q) + 2.0 * SPEED * (slope @ qd) - SPEED**2 * ((k * k * phi) @ q)
        return np.concatenate([qd, -w2 * q - MASS * n / (1.0 + MASS * (phi @ phi)) * phi])

    y, h, mid, out = np.zeros(2 * MODES), DURATION / STEPS, s * np.sin(k * LENGTH / 2.0), [0.0]
    for i in range(STEPS):
        a = rate(i * h, y)
        b = rate((i + 0.5) * h, y + 0.5 * h * a)
        c = rate((i + 0.5) * h, y + 0.5 * h * b)
        d = rate((i + 1.0) * h, y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        if (i + 1) % (STEPS // STORED) == 0:
            out.append(mid @ y[:MODES])
    return np.array(out)


def add_beam(mbs, ground):
    each = LENGTH / ELEMENTS
    nodes = [mbs.AddNode(eu.NodePoint2DSlope1(referenceCoordinates=[each * i, 0, 1, 0])) for i in range(ELEMENTS + 1)]
    cables = [
        mbs.AddObject(
            eu.ObjectANCFCable2D(
                nodeNumbers=nodes[i : i + 2],
                physicsLength=each,
                physicsMassPerLength=MU,
                physicsBendingStiffness=EI,
                physicsAxialStiffness=EA,
            )
        )
        for i in range(ELEMENTS)
    ]
    for node, axis in ((nodes[0], 0), (nodes[0], 1), (nodes[-1], 1)):
        end = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))
        mbs.AddObject(eu.CoordinateConstraint(markerNumbers=[ground, end]))
    return nodes, cables


def add_carriage(mbs, ground, cables):
    node = mbs.AddNode(eu.NodePoint2D(referenceCoordinates=[START, 0], initialVelocities=[SPEED, 0]))
    body = mbs.AddObject(eu.MassPoint2D(physicsMass=MASS, nodeNumber=node))
    at = mbs.AddMarker(eu.MarkerBodyPosition(bodyNumber=body))
    mbs.AddLoad(eu.Force(markerNumber=at, loadVector=[0, -MASS * GRAVITY, 0]))
    along = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(eu.CoordinateConstraint(markerNumbers=[ground, along], velocityLevel=True, offset=SPEED))
    each = LENGTH / ELEMENTS
    first = int(START / each)
    marks = [mbs.AddMarker(eu.MarkerBodyCable2DCoordinates(bodyNumber=c)) for c in cables]
    data = mbs.AddNode(eu.NodeGenericData(initialCoordinates=[first, START], numberOfDataCoordinates=2))
    mbs.AddObject(
        eu.ObjectJointSliding2D(
            markerNumbers=[at, marks[first]],
            slidingMarkerNumbers=marks,
            slidingMarkerOffsets=[each * i for i in range(ELEMENTS)],
            nodeNumber=data,
            useClassicalFormulation=False,
        )
    )


def run(steps):
    """Mid-span [STORED + 1] in m, processor time in s."""
    system = exudyn.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(eu.NodePointGround()), coordinate=0))
    nodes, cables = add_beam(mbs, ground)
    add_carriage(mbs, ground, cables)
    kind = exudyn.OutputVariableType.Displacement
    seen = mbs.AddSensor(eu.SensorNode(nodeNumber=nodes[ELEMENTS // 2], outputVariableType=kind, storeInternal=True))
    mbs.Assemble()
    s = exudyn.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = DURATION
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    s.timeIntegration.newton.useModifiedNewton = True
    # the default of 1e-8 is below what rounding leaves of the constraints: steps would be cut without end
    s.timeIntegration.newton.relativeTolerance = s.timeIntegration.newton.absoluteTolerance = 1e-6
    s.timeIntegration.verboseMode = 0
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = DURATION / STORED
    s.linearSolverType = exudyn.LinearSolverType.EigenSparse
    start = time.process_time()
    if not mbs.SolveDynamic(s):
        sys.exit(f"Exudyn found no solution with {steps} steps")
    spent = time.process_time() - start
    x = mbs.GetSensorStoredData(seen)
    return np.interp(np.linspace(0.0, DURATION, STORED + 1), x[:, 0], x[:, 2]), spent


def exudyn_rows(want):
    """(step in s, error, time in s), from long steps to short ones."""
    rows = []
    for steps in (900, 1800, 3600):
        runs = [run(steps) for _ in range(RUNS)]
        error = np.abs(runs[0][0] - want).max() / np.abs(want).max()
        rows.append((DURATION / steps, error, min(r[1] for r in runs)))
    return rows


def own_rows(program):
    """{(path, step): (error, time in s)} of scenario cross, as the program prints them."""
    rows = {}
    for _ in range(RUNS):
        text = subprocess.run([program, "1e-3", "5e-4", "2.5e-4"], check=True, capture_output=True, text=True).stdout
        for line in text.split("settled")[0].splitlines():
            word = line.split()
            if word and word[0] in ("full", "gmp"):
                key, row = (word[0], float(word[1])), (float(word[4]), 1e-3 * float(word[7]))
                rows[key] = min(rows.get(key, row), row, key=lambda r: r[1])
    return rows


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: exudyn_moving_mass.py build/tests/bench_moving_mass")
    want = reference()
    want *= math.copysign(1.0, -want[np.abs(want).argmax()])  # down is below zero, as in both programs
    theirs, ours = exudyn_rows(want), own_rows(sys.argv[1])
    print(f"{'':14} {'step s':>8} {'error':>10} {'time s':>10}")
    for step, error, spent in theirs:
        print(f"{'exudyn ' + exudyn.__version__:14} {step:8.1e} {error:10.3e} {spent:10.4f}")
    for (path, step), (error, spent) in ours.items():
        print(f"{path:14} {step:8.1e} {error:10.3e} {spent:10.4f}")
    error, spent = ours[("gmp", 1e-3)]
    logs = [[math.log(r[i]) for r in reversed(theirs)] for i in (1, 2)]
    equal = math.exp(np.interp(math.log(error), *logs))
    ok = equal >= LEAST * spent
    print(f"exudyn over gmp at an error of {error:.2e}: {equal / spent:.0f} times (at least {LEAST:g})  {'ok' if ok else 'FAILED'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
