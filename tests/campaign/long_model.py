#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""long_model.py KIND N: a model file with N of what KIND names, to see how time and memory grow with its length.

points: points, members and supports of one elastic body; chain: bodies, joints, springs, drives, outputs and a scenario.
"""
import sys

kind, n = sys.argv[1], int(sys.argv[2])
out = ["modeway: 1"]
if kind == "points":
    out += ["materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }",
            "sections: { s: { rectangle: { width: 0.04, height: 0.02 } } }", "bodies:", "  beam:", "    ground: true", "    beams:",
            "      points:"]
    out += [f"        p{i}: [{i * 0.1:.1f}, 0, 0]" for i in range(n)]
    out += ["      members:"]
    out += [f"        - {{ from: p{i}, to: p{i + 1}, section: s, material: steel, elements: 1, up: [0, 0, 1] }}"
            for i in range(n - 1)]
    out += ["    supports:"] + [f"      - {{ nodes: p{i} }}" for i in range(0, n, 2)]
else:
    out += ["bodies:"]
    out += [f"  b{i}: {{ rigid: {{ mass: 1, inertia: [1, 1, 1, 0, 0, 0] }}, at: [{i}, 0, 0], "
            "frames: { a: { point: [0, 0, 0] }, c: { point: [1, 0, 0] } } }" for i in range(n)]
    out += ["joints:", "  j0: { revolute: { a: ground, b: b0.a, axis: [0, 0, 1] }, coordinate: q0, drive: d0 }"]
    out += [f"  j{i}: {{ revolute: {{ a: b{i - 1}.c, b: b{i}.a, axis: [0, 0, 1] }}, coordinate: q{i}, drive: d{i} }}"
            for i in range(1, n)]
    out += ["springs:"] + [f"  s{i}: {{ a: b{i - 1}.c, b: b{i}.a, stiffness: [1, 1, 1, 1, 1, 1] }}" for i in range(1, n)]
    out += ["outputs:"] + [f"  o{i}: {{ body: b{i} }}" for i in range(n)]
    out += ["scenarios:", "  s:", "    duration: 1", "    drives:"] + [f"      d{i}: {{ position: 0 }}" for i in range(n)]
print("\n".join(out))
