// SPDX-License-Identifier: BSD-3-Clause
// model_keys.c: the one table of what a model file may say; materials, sections and bodies stand in
// model_keys_body.c, the file itself and its assemblies in model_keys_file.c.
//
// A model file is one YAML document of plain mappings, lists and scalars, in SI units. Numbers are
// written as in C (1e3 is a number; nan and inf are refused) or as expressions of parameters
// ($payload/2; a $ makes an expression), truth values are `true` and `false` and nothing else. No
// anchors, aliases, tags or tabs; no duplicate keys. Names are [A-Za-z_][A-Za-z0-9_-]*.
//
// What stands in an assembly has the path of this before its name, with dots between. Frames of a
// body are referred to as body.frame, guides as body.guide; a bare body name is the
// body's own frame, which only rigid bodies and ground have. The body `ground` is always there.
// Positions in a body are in its own frame: `at` is its origin in ground axes, `axes` its
// directions. Every joint is closed in the reference configuration the `at` of the bodies
// describes, unless the model says `assemble`.
//
// mw_model_print_keys prints this table, mw_model_print_schema turns it into a JSON Schema.
#include "model_keys_priv.h"

// ---- joints, springs, drives, outputs -----------------------------------------------------------

static const mw_key pair_keys[] = {
  PAIR,
  { .name = NULL },
};
static const mw_key friction_keys[] = {
  { "coulomb", REQUIRED, FROM0(""), NULL, "coefficient while it moves" },
  { "static", 0, FROM0(""), NULL, "coefficient as it begins to move; default: coulomb" },
  { "stribeck", 0, ABOVE0("m/s or rad/s"), "1e-2",
    "rate v_st over which the second becomes the first: by exp(-(v/v_st)^2)" },
  { "smooth", 0, ABOVE0("m/s or rad/s"), "1e-3", "rate over which the force changes its sign" },
  { "radius", 0, ABOVE0("m"), "1", "of the bearing; angles only" },
  { "preload", 0, FROM0("N"), "0", "normal force besides the joint's reaction" },
  { .name = NULL },
};
static const mw_key drive_friction_keys[] = {
  { "coulomb", REQUIRED, FROM0("N or N m"), NULL, "force while it moves" },
  { "static", 0, FROM0("N or N m"), NULL, "force as it begins to move; default: coulomb" },
  { "stribeck", 0, ABOVE0("m/s or rad/s"), "1e-2",
    "rate v_st over which the second becomes the first: by 1/(1 + (v/v_st)^2)" },
  { "smooth", 0, ABOVE0("m/s or rad/s"), "1e-3",
    "rate over which the force changes its sign: what should stick creeps at up to about this "
    "rate" },
  { .name = NULL },
};
static const mw_key stops_keys[] = {
  { "range", REQUIRED, LIST(2, 2, NUMBER("m or rad")), NULL,
    "where the lower and the upper stop are" },
  { "stiffness", REQUIRED, ABOVE0("N/m or N m/rad"), NULL, "of a stop that is pressed in" },
  { "damping", 0, FROM0("s/m or s/rad"), "0",
    "loss of an impact (Hunt and Crossley): the force is times 1 + damping x rate of approach" },
  { "soft", 0, ABOVE0("m or rad"), "1e-4",
    "travel over which contact begins: half of it is pressed in where the stop is" },
  { .name = NULL },
};
static const mw_key play_keys[] = {
  { "gap", REQUIRED, ABOVE0("m or rad"), NULL, "way through which the coordinate moves freely" },
  { "middle", 0, NUMBER("m or rad"), "0", "of the gap" },
  { "stiffness", REQUIRED, ABOVE0("N/m or N m/rad"), NULL,
    "of the transmission once the play is taken up, on either side" },
  { "damping", 0, FROM0("s/m or s/rad"), "0", "loss of an impact, as that of stops" },
  { "soft", 0, ABOVE0("m or rad"), NULL,
    "travel over which contact begins, less than gap; default: a hundredth of it. Steps should be "
    "shorter than what it takes to cross it" },
  { .name = NULL },
};
const mw_key mw_joint_keys[] = {
#define JOINT(KIND, name, what) { #name, ONE, MAPPING(mw_joint_##name##_keys), NULL, what },
  MW_JOINT_LIST(JOINT)
#undef JOINT
      { "coordinate", 0, DECLARED, NULL,
        "name of its coordinate (m or rad); not for fixed, spherical, distance, rolling, gear. A "
        "slide's default is "
        "the joint's name" },
  { "measure", 0, WORDS("travel angle second"), NULL,
    "what the coordinate is: cylindrical travel (default) or angle, screw angle (default) or "
    "travel, universal "
    "angle about axis (default) or second (about axis_b)" },
  { "drive", 0, DECLARED, NULL, "declares the drive of this coordinate" },
  { "damping", 0, FROM0("N s/m or N m s/rad"), "0", "viscous, on the coordinate" },
  { "limits", 0, LIST(2, 2, NUMBER("m or rad")), NULL,
    "lowest and highest value: a run ends where the coordinate leaves them" },
  { "friction", 0, MAPPING(friction_keys), NULL,
    "dry friction on the coordinate, in proportion to the joint's reaction (all paths but gmp)" },
  { "drive_friction", 0, MAPPING(drive_friction_keys), NULL,
    "dry friction of drive, guide and seals on the coordinate, whatever the joint's reaction (all "
    "paths)" },
  { "stops", 0, MAPPING(stops_keys), NULL, "elastic end stops of the coordinate (all paths)" },
  { "play", 0, MAPPING(play_keys), NULL,
    "backlash of a transmission whose two sides the joint connects: no force within the gap, a "
    "spring beyond it (all paths; coordinates of the reduction must lock it). Not with stops" },
  { "start", 0, NUMBER("m or rad"), "0",
    "coordinate in the reference configuration (with axis_b: where the frames of a and b agree); "
    "not for slide, "
    "curve" },
  { .name = NULL },
};
static const mw_key over_keys[] = {
  { "coordinate", REQUIRED, COORDINATE_REF, NULL, "of a joint" },
  { "at", REQUIRED, LIST(2, 1000, NUMBER("m or rad")), NULL, "its values, increasing" },
  { "factor", REQUIRED, LIST(2, 1000, ABOVE0("")), NULL,
    "as many: what stiffness and damping are times there. Between, its reciprocal is a natural "
    "cubic spline: exact for what gives way in proportion to a length" },
  { .name = NULL },
};
const mw_key mw_spring_keys[] = {
  { "a", REQUIRED, FRAME_REF, NULL, "body.frame, whose axes the directions follow" },
  { "b", REQUIRED, FRAME_REF, NULL, "body.frame of the other body" },
  { "stiffness", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .hi = INFINITY,
          .item = FROM0("N/m, N m/rad"), .n_min = 3, .n_max = 6),
    "0",
    "x y z or x y z rx ry rz; one number: the three translations. Against turns the energy is "
    "half of k times the square of the "
    "rotation vector of b against a, in the axes of a, up to 3.1 rad: k times the angle about one "
    "axis; with two of rx ry rz that of the tilt of the third axis, about which b may turn on and "
    "on; with one "
    "the twist about it" },
  { "damping", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N s/m", .lo = 0, .hi = INFINITY,
          .item = FROM0("N s/m, N m s/rad"), .n_min = 3, .n_max = 6),
    "0",
    "as stiffness, times the rate of what it measures: against turns that of the rotation vector" },
  { "over", 0, MAPPING(over_keys), NULL,
    "stiffness and damping vary with a joint coordinate, as those of a ball screw with where its "
    "nut is (all paths)" },
  { .name = NULL },
};
static const mw_key drive_force_keys[] = {
  { "on", REQUIRED, FRAME_REF, NULL, "body.frame the force acts on" },
  { "direction", REQUIRED, VECTOR_AS("", MW_MIRROR_GROUND), NULL, "in ground axes" },
  { .name = NULL },
};
static const mw_key rotor_keys[] = {
  { "inertia", REQUIRED, ABOVE0("kg m2 or kg"), NULL, "of the rotor about its axis" },
  { "ratio", 0, NUMBER("1 or rad/m"), "1", "turns of the rotor a turn of the coordinate, not 0" },
  { "stiffness", REQUIRED, ABOVE0("N m/rad or N/m"), NULL,
    "of the transmission, at the coordinate" },
  { "damping", 0, FROM0("N m s/rad or N s/m"), "0", "of the transmission, at the coordinate" },
  { .name = NULL },
};
const mw_key mw_drive_keys[] = {
  { "coordinate", ONE, COORDINATE_REF, NULL, "acts on this joint coordinate" },
  { "force", ONE, MAPPING(drive_force_keys), NULL, "a force at a frame" },
  { "rotor", 0, MAPPING(rotor_keys), NULL,
    "with coordinate: the drive turns a rotor behind a flexible transmission (rigid path)" },
  { .name = NULL },
};
const mw_key mw_output_keys[] = {
  { "body", ONE, BODY_REF, NULL, "a rigid body or ground" },
  { "frame", ONE, FRAME_REF, NULL, "body.frame" },
  { "stress", ONE, BODY_REF, NULL,
    "of an elastic body of solids or shells at point: xx yy zz xy yz zx, body axes [Pa]" },
  { "strain", ONE, BODY_REF, NULL, "the same, strains (engineering shear)" },
#define OBSERVED(KIND, name, SHAPE, what) { #name, ONE, SHAPE, NULL, what },
  MW_OBSERVED_LIST(OBSERVED)
#undef OBSERVED
      { "point", 0, VECTOR("m"), "[0, 0, 0]",
        "from there, in body axes; stress, strain: in the body's frame" },
  { "height", 0, NUMBER("m"), "0", "stress, strain of shells: over the middle surface" },
  { "arm", 0, ABOVE0("m"), "0.1",
    "orientation: reduced models keep it as positions of the frame's point and of points this far "
    "from it along x and y" },
  { .name = NULL },
};

// ---- reduction ----------------------------------------------------------------------------------

static const mw_key coordinate_keys[] = {
  { "range", REQUIRED, LIST(2, 2, NUMBER("m or rad")), NULL, "lowest and highest value" },
  { "points", 0, INTEGER(4, 1000), NULL,
    "grid points; default 17 with one coordinate, else 9; not with grid auto, which starts with "
    "5" },
  { "refine", 0, INTEGER(1, 16), NULL,
    "table intervals a grid interval, filled with the modes there; not with grid auto; default: "
    "128 intervals on the range, 96 with "
    "several coordinates, at least 8 for one of the grid, as far as 1000 points allow; 1 where "
    "nothing elastic changes and for spans of modes" },
  { "max_rate", 0, ABOVE0("m/s or rad/s"), NULL,
    "largest rate the model is meant for; default: none is declared, no rate is refused" },
  { "max_acceleration", 0, ABOVE0("m/s2 or rad/s2"), NULL,
    "largest acceleration the model is meant for; default: none is declared" },
  { "cyclic", 0, BOOLEAN, "false",
    "of an angle: the range is one full turn and everything repeats with it" },
  { "symmetric", 0, BOOLEAN, "false",
    "the machine is its own mirror image about the middle of the range: half the table is stored" },
  { .name = NULL },
};
static const mw_key modes_keys[] = {
  { "count", ONE, INTEGER(1, 1000), NULL, "number of eigenmodes" },
  { "below", ONE, ABOVE0("Hz"), NULL, "all eigenmodes below this frequency" },
  { "band", ONE, ABOVE0("Hz"), NULL,
    "as many as the receptances from 0 to this frequency need (certificate.receptance, then 1e-2 "
    "if not given)" },
  { .name = NULL },
};
static const mw_key load_keys[] = {
  { "body", REQUIRED, BODY_REF, NULL, "that the force acts on" },
  { "node", AT_MOST, NAME, NULL, "of beams: a named point" },
  { "point", AT_MOST, VECTOR("m"), NULL,
    "in body axes; of an elastic body the node that lies there. Default on rigid bodies: [0, 0, "
    "0]" },
  { "direction", REQUIRED, VECTOR(""), NULL, "in ground axes" },
  { .name = NULL },
};
static const mw_key patterns_keys[] = {
  { "outputs", 0, BOOLEAN, "true", "unit force at each output" },
  { "drives", 0, BOOLEAN, "true", "unit force of each drive" },
  { "acceleration", 0, BOOLEAN, "true",
    "unit acceleration of each coordinate; its rates, where it turns bodies and they matter" },
  { "gravity", 0, BOOLEAN, "true", "gravity, and springs that coordinates stretch" },
  { "loads", 0, NAMED(MAPPING(load_keys)), "{}",
    "forces elsewhere, beside those of drives: scenarios may give them under drives, by their "
    "names" },
  { "dampers", 0, BOOLEAN, "true",
    "unit force of each damper of runners, springs and joints that modes would err without: those "
    "that resist about as much "
    "as the springs beside them" },
  { "floating", 0, ABOVE0("Hz"), NULL,
    "modes below it are motions of what hangs on soft springs here and is held by another machine "
    "as its component: patterns are judged by what else loads deform; default: there are none" },
  { .name = NULL },
};
static const mw_key certificate_keys[] = {
  { "points", 0, INTEGER(1, 10000), "8",
    "points off the grid where the reduced model is compared with the mechanism on its meshes" },
  { "samples", 0, INTEGER(0, 100000), "200",
    "random points where it is compared with the mechanism on the bodies' bases, milliseconds "
    "each; besides a quarter as many that are spread evenly and up to as many again where it errs "
    "most; forces of motion along 0.48 as many lines, 8 at least" },
  { "receptance", 0, ABOVE0(""), NULL,
    "relative error of the receptances between outputs and drives asked for; default: none, 1e-2 "
    "with modes.band" },
  { "band", 0, ABOVE0("Hz"), NULL,
    "receptances from 0 to here are compared; default: modes.band, else up to the highest mode "
    "asked for" },
  { "scenario", 0, SHAPE(.scalar = MW_S_NAME, .item = NAME, .n_min = 1, .n_max = 64), NULL,
    "one or more that are run by the full and the reduced path, the full one by half and a "
    "quarter of its step too; a reduced "
    "model stays valid when they change" },
  { .name = NULL },
};
static const mw_key bodies_keys[] = {
  { "tolerance", 0, ABOVE0_TO(1), "1e-6",
    "what a body's basis may leave out, relative to the receptance of its interface in the band" },
  { "band", 0, ABOVE0("Hz"), NULL,
    "up to which that holds; default: a quarter above the highest mode computed" },
  { .name = NULL },
};
const mw_key mw_reduction_keys[] = {
  { "coordinates", REQUIRED,
    NAMED_BY(MW_NAMES_COORDINATE,
             SHAPE(.item = NUMBER("m or rad"), .n_min = 2, .n_max = 2, .keys = coordinate_keys)),
    NULL, "one to six joint coordinates the model depends on: [lowest, highest], or a mapping" },
  { "grid", 0, WORDS("fixed auto"), "fixed",
    "auto: from few points on, more are added where interpolation misses the tolerances, until "
    "the certificate meets them" },
  { "table", 0, WORDS("auto full compressed"), "auto",
    "how the coefficients are stored; auto: compressed (tensor trains) from three coordinates on "
    "where that is smaller and a step takes no more operations, or the table would take more than "
    "512 MiB" },
  { "bodies", 0, MAPPING(bodies_keys), "{}", "bases of the elastic bodies, made once" },
  { "modes", 0, MAPPING(modes_keys), NULL, "eigenmodes; default count 6" },
  { "set", 0, WORDS("rubin craig-bampton"), "rubin",
    "modes with the loaded directions free, or fixed where they are independent for all values of "
    "the coordinates" },
  { "inertia", 0, WORDS("full first_order leading"), "full",
    "first_order: deflections enter linearly, nothing stiffens by rotation, weight or preload; "
    "leading: without "
    "convective and gyroscopic terms either; the certificate compares with all of it and is "
    "missed where that is not small" },
  { "inputs", 0, NAMED_BY(MW_NAMES_DRIVE, ABOVE0("N or N m")), "{}",
    "drive: largest force the model is meant for; a drive left out has no limit" },
  { "max_deflection", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "m", .lo_open = true, .hi = INFINITY,
          .words = "auto none"),
    "auto",
    "largest elastic deflection of outputs the model is meant for; auto: a third of the machine's "
    "size; what errs by more than "
    "the tolerance before is named by reduce, info and runs" },
  { "parameters", 0, NAMED(LIST(2, 2, NUMBER(""))), "{}",
    "parameters of the model that the reduced model keeps, with their ranges: what they change is "
    "the mass of a frame that is an output, or stiffness and damping, above 0, of springs and "
    "runners that the motion itself does not stretch. It is made in the middle, with a static "
    "pattern of each row whose stiffness changes, and set as the model says (--set "
    "parameters.NAME=VALUE)" },
  { "patterns", 0, MAPPING(patterns_keys), "{}", "static patterns besides the modes" },
  { "tolerance", 0, ABOVE0_TO(1), "1e-3", "relative frequency error asked of the certificate" },
  { "certificate", 0, MAPPING(certificate_keys), "{}", "proof of the reduced model" },
  { .name = NULL },
};

// ---- scenarios ----------------------------------------------------------------------------------

static const mw_key step_keys[] = {
  { "value", REQUIRED, NUMBER("N or N m"), NULL, "from then on" },
  { "at", 0, FROM0("s"), "0", "time" },
  { .name = NULL },
};
static const mw_key sine_keys[] = {
  { "amplitude", REQUIRED, NUMBER("unit of the signal"), NULL,
    "of a sin(2 pi f (t - from) + phase)" },
  { "frequency", REQUIRED, FROM0("Hz"), NULL, "f" },
  { "phase", 0, NUMBER("rad"), "0", "at its beginning" },
  { "from", 0, FROM0("s"), "0", "begins, zero before" },
  { "until", 0, ABOVE0("s"), NULL, "ends, zero from then on; default: never" },
  { .name = NULL },
};
static const mw_key chirp_keys[] = {
  { "amplitude", REQUIRED, NUMBER("unit of the signal"), NULL, "amplitude" },
  { "frequency", REQUIRED, LIST(2, 2, FROM0("Hz")), NULL,
    "at the beginning and at the end, linear in time between" },
  { "from", 0, FROM0("s"), "0", "begins, zero before" },
  { "until", REQUIRED, ABOVE0("s"), NULL, "ends, zero from then on" },
  { .name = NULL },
};
static const mw_key table_keys[] = {
  { "time", REQUIRED, LIST(1, 0, NUMBER("s")), NULL, "increasing" },
  { "value", REQUIRED, LIST(1, 0, NUMBER("unit of the signal")), NULL,
    "as many; linear between, constant outside" },
  { .name = NULL },
};
static const mw_key ramp_keys[] = {
  { "from", REQUIRED, NUMBER("m or rad"), NULL, "at t = 0" },
  { "velocity", REQUIRED, NUMBER("m/s or rad/s"), NULL, "constant" },
  { .name = NULL },
};
static const mw_key cycloid_keys[] = {
  { "from", REQUIRED, NUMBER("m or rad"), NULL, "before" },
  { "to", REQUIRED, NUMBER("m or rad"), NULL, "after" },
  { "start", 0, FROM0("s"), "0", "begins" },
  { "end", REQUIRED, ABOVE0("s"), NULL, "ends" },
  { .name = NULL },
};
static const mw_key spin_up_keys[] = {
  { "from", 0, NUMBER("m or rad"), "0", "before" },
  { "rate", REQUIRED, NUMBER("m/s or rad/s"), NULL, "after, constant" },
  { "start", 0, FROM0("s"), "0", "begins" },
  { "end", REQUIRED, ABOVE0("s"), NULL, "the rate is reached" },
  { .name = NULL },
};
static const mw_key move_keys[] = {
  { "from", 0, NUMBER("m or rad"), NULL, "default: where the scenario starts" },
  { "to", REQUIRED, NUMBER("m or rad"), NULL, "after" },
  { "start", 0, FROM0("s"), "0", "begins" },
  { "max_velocity", REQUIRED, ABOVE0("m/s or rad/s"), NULL, "limit" },
  { "max_acceleration", REQUIRED, ABOVE0("m/s2 or rad/s2"), NULL, "limit" },
  { "max_jerk", REQUIRED, ABOVE0("m/s3 or rad/s3"), NULL, "limit" },
  { .name = NULL },
};
static const mw_key spline_keys[] = {
  { "time", REQUIRED, LIST(2, 0, NUMBER("s")), NULL, "increasing" },
  { "value", REQUIRED, LIST(2, 0, NUMBER("unit of the signal")), NULL,
    "as many; cubic between with continuous rate and curvature, constant outside" },
  { "ends", 0, WORDS("rest free"), "rest",
    "rest: the rate is zero at both ends; free: the curvature is, and the rate jumps there" },
  { .name = NULL },
};
// what forces and positions may both be; signal: the shape of the parts
#define SIGNALS(signal)                                                                            \
  { "sine", ONE, MAPPING(sine_keys), NULL, "a sine" },                                             \
      { "chirp", ONE, MAPPING(chirp_keys), NULL, "a sine of rising or falling frequency" },        \
      { "table", ONE, MAPPING(table_keys), NULL, "points" },                                       \
      { "spline", ONE, MAPPING(spline_keys), NULL, "points on a smooth curve" },                   \
      { "expression", ONE, EXPRESSION, NULL,                                                       \
        "of time t in s, of numbers, $parameters and smooth functions: 0.3 + 0.1*sin(2*pi*5*t)" }, \
      { "sum", ONE, LIST(1, 0, signal), NULL, "of numbers and signals" },                          \
  {                                                                                                \
    "product", ONE, LIST(1, 0, signal), NULL, "of numbers and signals"                             \
  }
static const mw_key force_signal_keys[] = {
  { "step", ONE, MAPPING(step_keys), NULL, "zero, then constant" },
  SIGNALS(&mw_force_signal),
  { .name = NULL },
};
static const mw_key position_signal_keys[] = {
  { "ramp", ONE, MAPPING(ramp_keys), NULL, "constant velocity" },
  { "cycloid", ONE, MAPPING(cycloid_keys), NULL,
    "from + (to - from)(x - sin(2 pi x)/(2 pi)), smooth to acceleration" },
  { "spin_up", ONE, MAPPING(spin_up_keys), NULL,
    "rate x (t/T - sin(2 pi t/T)/(2 pi)), smooth to jerk, then constant rate" },
  { "move", ONE, MAPPING(move_keys), NULL, "jerk-limited profile of seven phases" },
  SIGNALS(&mw_position_signal),
  { .name = NULL },
};
const mw_shape mw_force_signal = { .name = "force_signal",
                                   .scalar = MW_S_NUMBER,
                                   .unit = "N or N m",
                                   .lo = -INFINITY,
                                   .hi = INFINITY,
                                   .keys = force_signal_keys },
               mw_position_signal = { .name = "position_signal",
                                      .scalar = MW_S_NUMBER,
                                      .unit = "m or rad",
                                      .lo = -INFINITY,
                                      .hi = INFINITY,
                                      .keys = position_signal_keys };
static const mw_key velocity_keys[] = {
  { "kp", REQUIRED, ABOVE0("N s/m or N m s/rad"), NULL, "times the lag of the rate" },
  { "ki", 0, FROM0("N/m or N m/rad"), "0", "times its integral" },
  { .name = NULL },
};
static const mw_key encoder_keys[] = {
  { "coordinate", REQUIRED, COORDINATE_REF, NULL, "the joint coordinate it measures" },
  { "ratio", 0, NUMBER("1, rad/m or m/rad"), "1",
    "rate of the drive's coordinate over that of the measured one, not 0. It is homed at t = 0: "
    "there it says what the drive's coordinate is" },
  { .name = NULL },
};
static const mw_key drive_limits_keys[] = {
  { "force", 0, ABOVE0("N or N m"), NULL, "largest force" },
  { "speed", 0, ABOVE0("m/s or rad/s"), NULL,
    "largest rate that the position loop asks of the velocity loop; with velocity" },
  { "power", 0, ABOVE0("W"), NULL, "largest force times rate, driving or braking" },
  { .name = NULL },
};
static const mw_key low_pass_keys[] = {
  { "frequency", REQUIRED, ABOVE0("Hz"), NULL, "where it leaves 0.71" },
  { "order", 0, INTEGER(1, 2), "1", "2: Butterworth" },
  { .name = NULL },
};
static const mw_key notch_keys[] = {
  { "frequency", REQUIRED, ABOVE0("Hz"), NULL, "what it takes out" },
  { "width", REQUIRED, ABOVE0("Hz"), NULL, "between the frequencies of which it leaves 0.71" },
  { "depth", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1), "0",
    "what it leaves at its frequency" },
  { .name = NULL },
};
static const mw_key filter_keys[] = {
  { "low_pass", ONE, MAPPING(low_pass_keys), NULL, "takes out what is faster" },
  { "notch", ONE, MAPPING(notch_keys), NULL, "takes out one frequency" },
  { .name = NULL },
};
static const mw_key inverse_keys[] = {
  { "gravity", 0, BOOLEAN, "true", "what holds the weight of all bodies there" },
  { "acceleration", 0, BOOLEAN, "true",
    "what their inertia asks for, Coriolis and centrifugal forces with it" },
  { .name = NULL },
};
static const mw_key action_keys[] = {
  { "move", ONE, MAPPING(move_keys), NULL,
    "controller: feedforward r'' + kp (r - s) + ki integral of (r - s) + kd (r' - s'), r this "
    "profile" },
  { "follow", ONE, &mw_position_signal, NULL,
    "the same controller, r any signal; a number: constant, a step from where `start` puts the "
    "coordinate, which starts there without" },
  { "force", ONE, &mw_force_signal, NULL, "generalised force: a number or a signal" },
  { "position", ONE, &mw_position_signal, NULL, "the coordinate follows exactly" },
  { "kp", 0, FROM0("N/m or N m/rad; with velocity 1/s"), "0",
    "with move or follow, which need one of kp, ki, kd, feedforward, "
    "inverse_dynamics" },
  { "ki", 0, FROM0("N/(m s) or N m/(rad s)"), "0", "with move or follow; not with velocity" },
  { "kd", 0, FROM0("N s/m or N m s/rad"), "0", "with move or follow; not with velocity" },
  { "feedforward", 0, NUMBER("kg or kg m2"), "0", "with move or follow: inertia times r''" },
  { "gravity", 0, NUMBER("N or N m"), "0",
    "with move or follow: constant force, as what holds a weight; integrals need not" },
  { "inverse_dynamics", 0, MAPPING(inverse_keys), NULL,
    "with move or follow: the force by which the rigid mechanism would follow the references of "
    "all drives, which must leave nothing free. Friction, dampers and springs are none of it" },
  { "velocity", 0, MAPPING(velocity_keys), NULL,
    "with move or follow: a cascade; the position loop asks for the rate r' + kp (r - s), kp in "
    "1/s, and this loop makes the force" },
  { "encoder", 0, MAPPING(encoder_keys), NULL,
    "with move or follow: position (without velocity its rate too) is measured there, as on the "
    "load; default: at the drive's coordinate, as on the motor" },
  { "filters", 0, LIST(1, 8, MAPPING(filter_keys)), NULL,
    "with move or follow: what the loops give passes through these; feedforward and gravity do "
    "not" },
  { "limits", 0, MAPPING(drive_limits_keys), NULL,
    "with move or follow: what the drive can; integrals wait while it holds them back" },
  { .name = NULL },
};
static const mw_key start_keys[] = {
  { "at", REQUIRED, NUMBER("m or rad"), NULL, "value" },
  { "velocity", 0, NUMBER("m/s or rad/s"), NULL,
    "rate; default 0, or that of the position the drive prescribes" },
  { .name = NULL },
};
static const mw_key mode_start_keys[] = {
  { "mode", REQUIRED, INTEGER(1, 1000), NULL,
    "number in the order of frequencies, as `modeway modes` lists them there" },
  { "of", REQUIRED, REF_TO(MW_NAMES_NONE), NULL,
    "component of a position that says how much, as tip.z; of modes of one frequency (to 1e-3) "
    "those that move it take part by how much they do" },
  { "amplitude", 0, NUMBER("m"), "0", "by which the mode displaces it, to first order" },
  { "rate", 0, NUMBER("m/s"), "0", "at which it does" },
  { .name = NULL },
};
static const mw_key elastic_start_keys[] = {
  { "modes", 0, LIST(0, 0, MAPPING(mode_start_keys)), "[]",
    "modes of the machine where the scenario starts, coordinates of the reduction held" },
  { "release", 0, NAMED_BY(MW_NAMES_OUTPUT, VECTOR("N")), "{}",
    "forces on positions by name, in ground axes, that hold up to t = 0 and end there" },
  { .name = NULL },
};
static const mw_key rigid_path_keys[] = {
  { "method", 0,
    WORDS("auto cvode adams ida dopri5 dop853 radau rk4 euler leapfrog alpha midpoint"), "auto",
    "auto: dop853, and radau from where stability limits its steps; "
    "cvode, adams, ida, dopri5, dop853, radau: adaptive; rk4, euler, leapfrog, alpha, midpoint: "
    "with the "
    "step of the scenario" },
  { "tolerance", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 1e-14, .lo_open = true, .hi = 1e-1,
          .hi_open = true),
    "1e-8", "relative error a step of adaptive methods" },
  { "projection", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "m or 1", .lo = 1e-16, .lo_open = true, .hi = 1e-1,
          .hi_open = true),
    "1e-12", "gaps of the joints after a step" },
  { "rho_inf", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .hi = 1), "0.8",
    "alpha: what is left of the fastest motions after a step; 1: no numerical damping" },
  { "ggl", 0, BOOLEAN, "false", "alpha: velocities have multipliers of their own" },
  { "threads", 0, INTEGER(0, 1024), "0",
    "that share right-hand sides of mechanisms of 512 joints and more, cut into groups; same bits "
    "for any number from 1 on, which differ from those of 0, in one part, by roundings" },
  { .name = NULL },
};
const mw_key mw_scenario_keys[] = {
  { "duration", REQUIRED, ABOVE0("s"), NULL, "length of the run" },
  { "step", 0, ABOVE0("s"), "1e-3", "integration step" },
  { "control_period", 0, ABOVE0("s"), NULL,
    "sampling of controllers, a multiple of step; default: step" },
  { "store", 0, ABOVE0("s"), NULL, "interval of stored results; default: step" },
  { "start", 0,
    NAMED_BY(MW_NAMES_COORDINATE, SHAPE(.scalar = MW_S_NUMBER, .unit = "m or rad", .lo = -INFINITY,
                                        .hi = INFINITY, .keys = start_keys)),
    "{}",
    "joint coordinates at t = 0. One left out starts where its move or position signal does, else "
    "in the middle of its range under reduction. Others follow by the shortest way, bodies turning "
    "and moving least, as these go there from the reference configuration: below a joint that is "
    "given a value, its own may change" },
  { "initial", 0, WORDS("static undeformed"), "static",
    "elastic bodies at t = 0: at rest under gravity, or undeformed" },
  { "elastic", 0, MAPPING(elastic_start_keys), "{}",
    "what bends the machine at t = 0 besides `initial`, and at what rates" },
  { "drives", 0, NAMED_BY(MW_NAMES_DRIVE, MAPPING(action_keys)), "{}",
    "what the drives do; those left out give no force" },
  { "units", 0, NAMED(MAPPING(mw_unit_keys)), "{}",
    "functional mock-up units as controllers or laws of forces: at a sample each takes its inputs, "
    "goes on from the sample before, and its outputs are the forces from then on" },
  { "rigid", 0, MAPPING(rigid_path_keys), "{}", "how the rigid path integrates" },
  { "cutting", 0, MAPPING(mw_cutting_keys), NULL,
    "turning or milling that the scenario is for, as modeway lobes -s and pages take it; runs have "
    "none of its forces" },
  { .name = NULL },
};

// ---- forces -------------------------------------------------------------------------------------

static const mw_key point_force_keys[] = {
  { "on", REQUIRED, FRAME_REF, NULL, "body.frame it acts on" },
  { "direction", REQUIRED, VECTOR_AS("", MW_MIRROR_GROUND), NULL,
    "times the value of force: the force" },
  { "axes", 0, WORDS("ground body"), "ground", "axes of direction" },
  { .name = NULL },
};
static const mw_key torque_keys[] = {
  { "on", REQUIRED, FRAME_REF, NULL, "body.frame it acts on" },
  { "direction", REQUIRED, VECTOR_AS("", MW_MIRROR_GROUND_TORQUE), NULL,
    "times the value of force: the torque" },
  { "axes", 0, WORDS("ground body"), "ground", "axes of direction" },
  { .name = NULL },
};
const mw_key mw_force_keys[] = {
  { "point", ONE, MAPPING(point_force_keys), NULL, "a force at a frame" },
  { "torque", ONE, MAPPING(torque_keys), NULL, "a torque on a body" },
  { "spring", ONE, MAPPING(pair_keys), NULL,
    "spring, damper and actuator along the line between two frames" },
  { "coordinate", ONE, COORDINATE_REF, NULL, "spring, damper and actuator on a joint coordinate" },
  { "stiffness", 0, FROM0("N/m or N m/rad"), "0", "with spring, coordinate" },
  { "damping", 0, FROM0("N s/m or N m s/rad"), "0", "with spring, coordinate" },
  { "length", 0, FROM0("m"), NULL,
    "with spring: free length; default: as in the reference configuration" },
  { "free", 0, NUMBER("m or rad"), NULL,
    "with coordinate: where the spring is free; default: as in the reference configuration" },
  { "force", 0, &mw_force_signal, NULL,
    "a number or a signal: factor of direction (default 1), or the actuator: pushes a and b "
    "apart, acts along the "
    "coordinate (default 0)" },
  { .name = NULL },
};
