// SPDX-License-Identifier: BSD-3-Clause
// Table of the three-axis machine, cast iron, lengths in m: a plate with T-slots (as plain grooves) on two rows of feet.
// Origin: middle of the underside of the feet.
SetFactory("OpenCASCADE");
Box(1) = {-0.5, -0.3, 0.05, 1.0, 0.6, 0.09};
feet[] = {};
For i In {0 : 1}
  For j In {0 : 1}
    v = newv;
    Box(v) = {(i == 0 ? -0.28 : 0.28) - 0.06, (j == 0 ? -0.2 : 0.2) - 0.07, 0, 0.12, 0.14, 0.05};
    feet[] += v;
  EndFor
EndFor
body[] = BooleanUnion{ Volume{1}; Delete; }{ Volume{feet[]}; Delete; };
grooves[] = {};
For k In {-1 : 1}
  v = newv;
  Box(v) = {-0.6, k * 0.16 - 0.01, 0.11, 1.2, 0.02, 0.1};
  grooves[] += v;
EndFor
part[] = BooleanDifference{ Volume{body[]}; Delete; }{ Volume{grooves[]}; Delete; };
