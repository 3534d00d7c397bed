// SPDX-License-Identifier: BSD-3-Clause
// simbody_rhs.cpp: the cost of one right-hand side in Simbody (recursive, minimal coordinates), for bench_rigid.
//
// Prints  peer simbody CASE N NANOSECONDS  and  peer simbody-check CASE N VALUE , VALUE the sum over moving bodies of the
// squared accelerations of their centres of mass at the initial state (m²/s⁴): both programs compute the same mechanism.
// A right-hand side is realize(Acceleration) after a change of the coordinates. Loops are closed as Simbody's users do: by a
// ball where the mechanism is spatial, by the two in-plane rows of a point where it is planar.
#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>

using namespace SimTK;

namespace {

const double PI = 3.14159265358979323846;

double processor_time()  // ns; of what waits for other programs nothing counts
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

struct System {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{ system };
  GeneralForceSubsystem forces{ system };
  std::vector<MobilizedBodyIndex> moving;
  State state;
  explicit System(const Vec3 &g) { Force::Gravity(forces, matter, g); }
  void add(const MobilizedBody &b) { moving.push_back(b.getMobilizedBodyIndex()); }
  void ready() { state = system.realizeTopology(); }
};

// Median of batches; the coordinates change a little every time, so that nothing is cached.
double nanoseconds(System &s)
{
  std::vector<double> batch;
  const Vector q0 = s.state.getQ();
  int reps = 3, n = 0;
  for (int b = 0; b < 15; b++) {
    const double t0 = processor_time();
    for (int i = 0; i < reps; i++) {
      s.state.updQ()[0] = q0[0] + 1e-12 * (n++ & 1);
      s.system.realize(s.state, Stage::Acceleration);
    }
    const double dt = processor_time() - t0;
    if (b == 0) reps = std::max(3, (int)(3.0 * 1.5e7 / dt));  // some 15 ms a batch
    else batch.push_back(dt / reps);
  }
  s.state.updQ() = q0;
  std::sort(batch.begin(), batch.end());
  return batch[batch.size() / 2];
}

void report(const char *name, int n, System &s)
{
  s.system.realize(s.state, Stage::Acceleration);
  double sum = 0.0;
  for (MobilizedBodyIndex i : s.moving) {
    const MobilizedBody &b = s.matter.getMobilizedBody(i);
    Vec3 a = b.findStationAccelerationInGround(s.state, b.getBodyMassCenterStation(s.state));
    sum += a.normSqr();
  }
  std::printf("peer simbody-check %s %d %.12e\n", name, n, sum);
  std::printf("peer simbody %s %d %.1f\n", name, n, nanoseconds(s));
  std::fflush(stdout);
}

// inertia about the body's origin from that about its centre of mass
MassProperties mass(double m, const Vec3 &c, const Inertia &central)
{
  return MassProperties(m, c, central.shiftFromMassCenter(c, m));
}

Rotation z_to(const Vec3 &axis) { return Rotation(UnitVec3(axis), ZAxis); }

// hinges about y and z in turn, links 1 m along x
void chain(int n)
{
  System s(Vec3(0, 0, -9.81));
  const double b2 = 0.01, across = (1.0 + b2) / 12.0, along = b2 / 6.0;
  MassProperties link = mass(1.0, Vec3(0.5, 0, 0), Inertia(along, across, across));
  MobilizedBody parent = s.matter.Ground();
  for (int k = 0; k < n; k++) {
    Rotation R = z_to(k % 2 == 0 ? Vec3(0, 1, 0) : Vec3(0, 0, 1));
    Vec3 at = k == 0 ? Vec3(0) : Vec3(1, 0, 0);
    MobilizedBody::Pin pin(parent, Transform(R, at), Body::Rigid(link), Transform(R, Vec3(0)));
    s.add(pin);
    parent = pin;
  }
  s.ready();
  report("chain", n, s);
}

// cranks up, couplers along x, all in the plane x-y
void fourbar(int n)
{
  System s(Vec3(0, -9.81, 0));
  MassProperties link = mass(1.0, Vec3(0.5, 0, 0), Inertia(1e-3, 1.0 / 12, 1.0 / 12));
  std::vector<MobilizedBody::Pin> crank, coupler;
  for (int k = 0; k <= n; k++)
    crank.emplace_back(s.matter.Ground(), Transform(Vec3(k, 0, 0)), Body::Rigid(link), Transform());
  for (int k = 0; k < n; k++)
    coupler.emplace_back(crank[k], Transform(Vec3(1, 0, 0)), Body::Rigid(link), Transform());
  for (int k = 0; k < n; k++) {
    // the coupler's end on the next crank's: two lines of the plane
    Constraint::PointInPlane(crank[k + 1], UnitVec3(1, 0, 0), 1.0, coupler[k], Vec3(1, 0, 0));
    Constraint::PointInPlane(crank[k + 1], UnitVec3(0, 1, 0), 0.0, coupler[k], Vec3(1, 0, 0));
  }
  for (auto &c : crank) s.add(c);
  for (auto &c : coupler) s.add(c);
  s.ready();
  for (auto &c : crank) {
    c.setAngle(s.state, 0.5 * PI);
    c.setRate(s.state, -1.0);
  }
  for (auto &c : coupler) {
    c.setAngle(s.state, -0.5 * PI);
    c.setRate(s.state, 1.0);
  }
  report("n-four-bar", n, s);
}

// five rods and the ground; the last hinge closes the loop
void bricard()
{
  System s(Vec3(0, -9.81, 0));
  const Vec3 P[6] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, -1, 0 }, { 1, -1, 1 }, { 0, -1, 1 }, { 0, 0, 1 } };
  const Vec3 axis[6] = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } };
  MobilizedBody parent = s.matter.Ground();
  Vec3 origin(0);
  for (int k = 0; k < 5; k++) {
    Vec3 d = P[k + 1] - P[k];
    double I[3];
    for (int i = 0; i < 3; i++) I[i] = std::fabs(d[i]) > 0.5 ? 0.01 / 6.0 : (1.0 + 0.01) / 12.0;
    MassProperties rod = mass(1.0, 0.5 * d, Inertia(I[0], I[1], I[2]));
    Rotation R = z_to(axis[k]);
    MobilizedBody::Pin pin(parent, Transform(R, P[k] - origin), Body::Rigid(rod), Transform(R, Vec3(0)));
    s.add(pin);
    parent = pin;
    origin = P[k];
  }
  Constraint::Ball(s.matter.Ground(), P[5], parent, P[5] - P[4]);
  UnitVec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  Constraint::ConstantAngle(s.matter.Ground(), y, parent, x, 0.5 * PI);
  Constraint::ConstantAngle(s.matter.Ground(), z, parent, x, 0.5 * PI);
  s.ready();
  report("bricard", 1, s);
}

// six legs: universal joint at the base, slider, ball at the platform
void hexapod()
{
  System s(Vec3(0, 0, -9.81));
  const Vec3 r(0.02, -0.01, -1.0);
  const Quaternion quat(0.9983254675519541, 0.024986044004501027, -0.014991626402700613, 0.049972088009002054);
  const Rotation RP(quat);
  const double angle[6] = { -10, 10, 110, 130, 230, 250 };
  const double F0[6] = { -70.284, -61.746, -66.512, -55.362, -71.122, -53.736 };
  const double A[6] = { 60, -50, 40, -30, 20, -10 }, ph[6] = { 0.0, 0.3, 0.6, 0.9, 1.2, 1.5 };
  const Vec3 top[6] = { { 0.3856725658119236, -0.45962666587138684, -0.05 },
                        { 0.3856725658119236, 0.45962666587138684, -0.05 },
                        { 0.20521208599540133, 0.563815572471545, -0.05 },
                        { -0.5908846518073247, 0.10418890660015816, -0.05 },
                        { -0.5908846518073247, -0.1041889066001583, -0.05 },
                        { 0.20521208599540142, -0.563815572471545, -0.05 } };
  MobilizedBody::Free platform(s.matter.Ground(), Transform(),
                               Body::Rigid(mass(20.0, Vec3(0), Inertia(1.2, 1.5, 2.2))), Transform());
  s.add(platform);
  for (int k = 0; k < 6; k++) {
    double a = angle[k] * PI / 180.0;
    Vec3 base(std::cos(a), std::sin(a), 0), e1(-std::sin(a), std::cos(a), 0);
    // Universal turns about x (fixed to the base), then y
    UnitVec3 ux(e1);
    Rotation base_frame;
    base_frame.setRotationFromTwoAxes(ux, XAxis, Vec3(0, 0, 1), ZAxis);
    MobilizedBody::Universal u(s.matter.Ground(), Transform(base_frame, base),
                               Body::Rigid(mass(3.0, Vec3(0, 0, 0.4), Inertia(0.12, 0.12, 0.01))), Transform());
    Rotation x_to_z(Mat33(0, 1, 0, 0, 0, 1, 1, 0, 0), true);  // slider moves along x of its frame
    MobilizedBody::Slider up(u, Transform(x_to_z, Vec3(0)),
                             Body::Rigid(mass(2.0, Vec3(0, 0, -0.35), Inertia(0.06, 0.06, 0.005))),
                             Transform(x_to_z, Vec3(0)));
    Constraint::Ball(platform, top[k], up, Vec3(0));
    Force::MobilityConstantForce(s.forces, up, MobilizerUIndex(0), F0[k] + 0.2 * A[k] * std::sin(ph[k]));
    s.add(u);
    s.add(up);
  }
  s.ready();
  platform.setQToFitTransform(s.state, Transform(RP, r));
  for (int k = 0; k < 6; k++) {
    const MobilizedBody &u = s.matter.getMobilizedBody(s.moving[1 + 2 * k]);
    const MobilizedBody &up = s.matter.getMobilizedBody(s.moving[2 + 2 * k]);
    double a = angle[k] * PI / 180.0;
    Vec3 base(std::cos(a), std::sin(a), 0), leg = r + RP * top[k] - base;
    Vec3 d = ~u.getDefaultInboardFrame().R() * leg;  // in the base frame
    double l = d.norm();
    // Rx(al) Ry(be) ez = (sin be, −sin al cos be, cos al cos be)
    double be = std::asin(d[0] / l), al = std::atan2(-d[1], d[2]);
    u.setOneQ(s.state, 0, al);
    u.setOneQ(s.state, 1, be);
    up.setOneQ(s.state, 0, l);
  }
  report("hexapod", 1, s);
}

void arm7()
{
  System s(Vec3(0, 0, -9.81));
  MobilizedBody parent = s.matter.Ground();
  std::vector<MobilizedBody::Pin> pins;
  for (int k = 0; k < 7; k++) {
    Rotation R = z_to(k % 2 == 0 ? Vec3(0, 0, 1) : Vec3(0, 1, 0));
    MassProperties link = mass(1.0 + 0.5 * (7 - k), Vec3(0, 0, 0.15), Inertia(0.02, 0.02, 0.01));
    pins.emplace_back(parent, Transform(R, Vec3(0, 0, k == 0 ? 0.0 : 0.3)), Body::Rigid(link),
                      Transform(R, Vec3(0)));
    parent = pins.back();
    s.add(parent);
  }
  s.ready();
  for (auto &p : pins) {
    p.setAngle(s.state, 0.3);
    p.setRate(s.state, 0.5);
  }
  report("arm7", 1, s);
}

}  // namespace

int main()
{
  try {
    for (int n : { 10, 100, 300, 1000, 3000 }) chain(n);
    for (int n : { 1, 10, 40, 160 }) fourbar(n);
    bricard();
    hexapod();
    arm7();
  } catch (const std::exception &e) {
    std::fprintf(stderr, "simbody_rhs: %s\n", e.what());
    return 1;
  }
  return 0;
}
