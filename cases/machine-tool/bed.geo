// SPDX-License-Identifier: BSD-3-Clause
// Bed of the three-axis machine, cast iron, lengths in m: a box open below, ribs inside, two rails for the column (along x)
// at the back, two for the table (along y) in front. Origin: front left corner on the floor.
SetFactory("OpenCASCADE");
L = 1.6; B = 1.5; H = 0.45; t = 0.045;  // length, depth, height, wall
rail_w = 0.06; rail_h = 0.05;

Box(1) = {0, 0, 0, L, B, H};
// cells between the ribs, open below
nx = 3; ny = 3;
cell_x = (L - (nx + 1) * t) / nx; cell_y = (B - (ny + 1) * t) / ny;
cells[] = {};
For i In {0 : nx - 1}
  For j In {0 : ny - 1}
    v = newv;
    Box(v) = {t + i * (cell_x + t), t + j * (cell_y + t), -t, cell_x, cell_y, H};
    cells[] += v;
  EndFor
EndFor
body[] = BooleanDifference{ Volume{1}; Delete; }{ Volume{cells[]}; Delete; };
// column rails along x at y = 1.05 and 1.39; table rails along y at x = 0.52 and 1.08
v = newv; Box(v) = {0.1, 1.05 - rail_w / 2, H, L - 0.2, rail_w, rail_h};
w = newv; Box(w) = {0.1, 1.39 - rail_w / 2, H, L - 0.2, rail_w, rail_h};
a = newv; Box(a) = {0.52 - rail_w / 2, 0.04, H, rail_w, 0.86, rail_h};
b = newv; Box(b) = {1.08 - rail_w / 2, 0.04, H, rail_w, 0.86, rail_h};
all[] = BooleanUnion{ Volume{body[]}; Delete; }{ Volume{v, w, a, b}; Delete; };
