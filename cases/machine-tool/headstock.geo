// SPDX-License-Identifier: BSD-3-Clause
// Headstock of the three-axis machine, cast iron, lengths in m: a back plate on the column's rails, a box with the bore of
// the spindle. Origin: middle of the back plate's rear face; it looks along −y, the spindle points down.
SetFactory("OpenCASCADE");
Box(1) = {-0.26, -0.06, -0.2, 0.52, 0.06, 0.4};
Box(2) = {-0.15, -0.52, -0.16, 0.3, 0.48, 0.32};
body[] = BooleanUnion{ Volume{1}; Delete; }{ Volume{2}; Delete; };
// sleeve of the spindle, its bore, and two pockets from above
Cylinder(10) = {0, -0.36, -0.28, 0, 0, 0.44, 0.1};
all[] = BooleanUnion{ Volume{body[]}; Delete; }{ Volume{10}; Delete; };
Cylinder(11) = {0, -0.36, -0.3, 0, 0, 0.5, 0.06};
Box(12) = {-0.11, -0.22, -0.1, 0.22, 0.12, 0.3};
part[] = BooleanDifference{ Volume{all[]}; Delete; }{ Volume{11, 12}; Delete; };
