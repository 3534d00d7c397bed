// SPDX-License-Identifier: BSD-3-Clause
// gantry-arm.geo: the arm of gantry.yaml, a tapered aluminium bar with three lightening slots, in metres.
// Origin at the centre of the flange, the arm hangs along -z; thin along x, wide along y.
// Build:  gmsh -3 -order 2 gantry-arm.geo -o gantry-arm.msh   (format 4.1, text)
SetFactory("OpenCASCADE");

L = 0.45;              // length
T = 0.024;             // thickness along x
top = 0.09;              // width along y at the flange
tip = 0.05;            // width at the gripper
plate = 0.06;           // flange plate along x
side = 0.12;             // flange plate along y
H = 0.012;             // its thickness
h = 0.0155;            // mesh size

// tapered bar
Point(1) = {-T/2, -top/2, 0};
Point(2) = {-T/2, top/2, 0};
Point(3) = {-T/2, tip/2, -L};
Point(4) = {-T/2, -tip/2, -L};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
bar[] = Extrude {T, 0, 0} { Surface{1}; };

// flange plate
Box(100) = {-plate/2, -side/2, -H, plate, side, H};
arm() = BooleanUnion{ Volume{bar[1]}; Delete; }{ Volume{100}; Delete; };

// slots: boxes with round ends, width w, from z = za down to zb
w[] = {0.040, 0.034, 0.026};
za[] = {-0.045, -0.175, -0.300};
zb[] = {-0.145, -0.270, -0.390};
For i In {0:2}
  r = w[i]/2;
  Box(200 + 3*i) = {-T, -r, zb[i] + r, 2*T, 2*r, za[i] - zb[i] - 2*r};
  Cylinder(201 + 3*i) = {-T, 0, za[i] - r, 2*T, 0, 0, r};
  Cylinder(202 + 3*i) = {-T, 0, zb[i] + r, 2*T, 0, 0, r};
  slot() = BooleanUnion{ Volume{200 + 3*i}; Delete; }{ Volume{201 + 3*i, 202 + 3*i}; Delete; };
  arm() = BooleanDifference{ Volume{arm()}; Delete; }{ Volume{slot()}; Delete; };
EndFor

// named groups: the body, the flange face (z = 0) and the gripper face (z = -L)
e = 1e-6;
flange() = Surface In BoundingBox {-plate, -side, -e, plate, side, e};
gripper() = Surface In BoundingBox {-plate, -side, -L - e, plate, side, -L + e};
Physical Volume("arm") = {arm()};
Physical Surface("flange") = {flange()};
Physical Surface("gripper") = {gripper()};

Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
Mesh.ElementOrder = 2;
Mesh.HighOrderOptimize = 1;
Mesh.MshFileVersion = 4.1;
Mesh.Binary = 0;
Mesh.RandomSeed = 1;
