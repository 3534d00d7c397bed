// SPDX-License-Identifier: BSD-3-Clause
// Column of the three-axis machine, cast iron, lengths in m: a hollow tower on a foot plate, ribs across, two rails for the
// headstock (along z) in front. Origin: middle of the foot plate's underside; the front looks along −y.
SetFactory("OpenCASCADE");
H = 1.5; W = 0.56; D = 0.44; t = 0.04;
rail_w = 0.05; rail_h = 0.04;

Box(1) = {-W / 2, -D / 2, 0, W, D, H};
cells[] = {};
n = 3; cell = (H - (n + 1) * t) / n;
For i In {0 : n - 1}
  v = newv;
  Box(v) = {-W / 2 + t, -D / 2 + t, t + i * (cell + t), W - 2 * t, D - 2 * t, cell};
  cells[] += v;
EndFor
// the ribs have a hole, the cells hang together
h = newv;
Cylinder(h) = {0, 0, t, 0, 0, H - 2 * t, 0.1};
cells[] += h;
body[] = BooleanDifference{ Volume{1}; Delete; }{ Volume{cells[]}; Delete; };
f = newv; Box(f) = {-0.36, -0.25, 0, 0.72, 0.5, 0.07};
a = newv; Box(a) = {-0.2 - rail_w / 2, -D / 2 - rail_h, 0.2, rail_w, rail_h, 1.25};
b = newv; Box(b) = {0.2 - rail_w / 2, -D / 2 - rail_h, 0.2, rail_w, rail_h, 1.25};
all[] = BooleanUnion{ Volume{body[]}; Delete; }{ Volume{f, a, b}; Delete; };
