// SPDX-License-Identifier: BSD-3-Clause
// pinocchio_rhs.cpp: the cost of one right-hand side in Pinocchio, for bench_rigid.
//
// Prints  peer pinocchio CASE N NANOSECONDS  and  peer pinocchio-check CASE N VALUE , VALUE the sum over moving bodies of
// the squared accelerations of their centres of mass at the initial state (m²/s⁴), as simbody_rhs.cpp does. Trees: aba();
// loops: constraintDynamics() with points that coincide, a hinge by two of them, in proximal iterations, since rows of
// planar and overconstrained loops are redundant.
#include <pinocchio/fwd.hpp>  // before all others: limits of Boost

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

namespace pin = pinocchio;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const double PI = 3.14159265358979323846;

double processor_time()  // ns; of what waits for other programs nothing counts
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

struct System {
  pin::Model model;
  std::vector<pin::JointIndex> moving;
  std::vector<pin::RigidConstraintModel> closed;
  std::vector<pin::RigidConstraintData> closed_data;
  pin::ProximalSettings settings{ 1e-10, 1e-10, 20 };
  VectorXd q, v, tau;
  std::vector<std::pair<int, double>> at, rate, force;  // of scalar joints: joint, value

  explicit System(const Vector3d &g) { model.gravity.linear() = g; }

  pin::JointIndex add(pin::JointIndex parent, const pin::JointModel &joint, const pin::SE3 &place, double m,
                      const Vector3d &c, const Matrix3d &central)
  {
    pin::JointIndex j = model.addJoint(parent, joint, place, "j" + std::to_string(model.njoints));
    if (m > 0.0) {
      model.appendBodyToJoint(j, pin::Inertia(m, c, central), pin::SE3::Identity());
      moving.push_back(j);
    }
    return j;
  }
  void join(pin::JointIndex a, const Vector3d &pa, pin::JointIndex b, const Vector3d &pb)
  {
    closed.emplace_back(pin::CONTACT_3D, model, a, pin::SE3(Matrix3d::Identity(), pa), b,
                        pin::SE3(Matrix3d::Identity(), pb), pin::LOCAL);
  }
  void ready()
  {
    q = pin::neutral(model);
    v = VectorXd::Zero(model.nv);
    tau = VectorXd::Zero(model.nv);
    for (auto &x : at) q[model.idx_qs[(size_t)x.first]] = x.second;
    for (auto &x : rate) v[model.idx_vs[(size_t)x.first]] = x.second;
    for (auto &x : force) tau[model.idx_vs[(size_t)x.first]] = x.second;
    for (auto &c : closed) closed_data.emplace_back(c);
  }
  const VectorXd &eval(pin::Data &d)
  {
    if (closed.empty()) return pin::aba(model, d, q, v, tau, pin::Convention::LOCAL);
    return pin::constraintDynamics(model, d, q, v, tau, closed, closed_data, settings);
  }
};

void report(const char *name, int n, System &s)
{
  pin::Data d(s.model);
  if (!s.closed.empty()) pin::initConstraintDynamics(s.model, d, s.closed, s.closed_data);
  const VectorXd a = s.eval(d);
  pin::Data k(s.model);
  pin::forwardKinematics(s.model, k, s.q, s.v, a);
  double sum = 0.0;
  for (pin::JointIndex j : s.moving) {
    const Vector3d c = s.model.inertias[j].lever(), w = k.v[j].angular();
    sum += (k.a[j].linear() + k.a[j].angular().cross(c) + w.cross(k.v[j].linear() + w.cross(c))).squaredNorm();
  }
  std::printf("peer pinocchio-check %s %d %.12e\n", name, n, sum);
  std::vector<double> batch;
  const double q0 = s.q[0];
  int reps = 3, calls = 0;
  for (int b = 0; b < 15; b++) {
    const double t0 = processor_time();
    for (int i = 0; i < reps; i++) {
      s.q[0] = q0 + 1e-12 * (calls++ & 1);
      s.eval(d);
    }
    const double dt = processor_time() - t0;
    if (b == 0) reps = std::max(3, (int)(3.0 * 1.5e7 / dt));  // some 15 ms a batch
    else batch.push_back(dt / reps);
  }
  s.q[0] = q0;
  std::sort(batch.begin(), batch.end());
  std::printf("peer pinocchio %s %d %.1f\n", name, n, batch[batch.size() / 2]);
  std::fflush(stdout);
}

Matrix3d diagonal(double x, double y, double z) { return Vector3d(x, y, z).asDiagonal(); }

pin::SE3 at(const Vector3d &p) { return pin::SE3(Matrix3d::Identity(), p); }

pin::JointModel hinge(const Vector3d &axis)
{
  if (axis[0] > 0.5) return pin::JointModelRX();
  if (axis[1] > 0.5) return pin::JointModelRY();
  return pin::JointModelRZ();
}

// hinges about y and z in turn, links 1 m along x
void chain(int n)
{
  System s(Vector3d(0, 0, -9.81));
  const double b2 = 0.01, across = (1.0 + b2) / 12.0, along = b2 / 6.0;
  pin::JointIndex parent = 0;
  for (int k = 0; k < n; k++)
    parent = s.add(parent, hinge(k % 2 == 0 ? Vector3d(0, 1, 0) : Vector3d(0, 0, 1)), at(Vector3d(k == 0 ? 0 : 1, 0, 0)),
                   1.0, Vector3d(0.5, 0, 0), diagonal(along, across, across));
  s.ready();
  report("chain", n, s);
}

// cranks up, couplers along x, all in the plane x-y
void fourbar(int n)
{
  System s(Vector3d(0, -9.81, 0));
  const Matrix3d J = diagonal(1e-3, 1.0 / 12, 1.0 / 12);
  const Vector3d middle(0.5, 0, 0), end(1, 0, 0);
  std::vector<pin::JointIndex> crank, coupler;
  for (int k = 0; k <= n; k++) crank.push_back(s.add(0, pin::JointModelRZ(), at(Vector3d(k, 0, 0)), 1.0, middle, J));
  for (int k = 0; k < n; k++) coupler.push_back(s.add(crank[(size_t)k], pin::JointModelRZ(), at(end), 1.0, middle, J));
  for (size_t k = 0; k < (size_t)n; k++) s.join(crank[k + 1], end, coupler[k], end);
  for (auto j : crank) {
    s.at.emplace_back(j, 0.5 * PI);
    s.rate.emplace_back(j, -1.0);
  }
  for (auto j : coupler) {
    s.at.emplace_back(j, -0.5 * PI);
    s.rate.emplace_back(j, 1.0);
  }
  s.ready();
  report("n-four-bar", n, s);
}

// five rods and the ground; two points of the last hinge close the loop
void bricard()
{
  System s(Vector3d(0, -9.81, 0));
  const Vector3d P[6] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, -1, 0 }, { 1, -1, 1 }, { 0, -1, 1 }, { 0, 0, 1 } };
  const Vector3d axis[6] = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } };
  pin::JointIndex parent = 0;
  Vector3d origin = Vector3d::Zero();
  for (int k = 0; k < 5; k++) {
    Vector3d d = P[k + 1] - P[k], I;
    for (int i = 0; i < 3; i++) I[i] = std::fabs(d[i]) > 0.5 ? 0.01 / 6.0 : (1.0 + 0.01) / 12.0;
    parent = s.add(parent, hinge(axis[k]), at(P[k] - origin), 1.0, 0.5 * d, I.asDiagonal());
    origin = P[k];
  }
  for (double x : { -0.5, 0.5 }) s.join(0, P[5] + x * axis[5], parent, P[5] - P[4] + x * axis[5]);
  s.ready();
  report("bricard", 1, s);
}

// six legs: two hinges at the base, slider, ball at the platform
void hexapod()
{
  System s(Vector3d(0, 0, -9.81));
  const Vector3d r(0.02, -0.01, -1.0);
  const Eigen::Quaterniond turn(0.9983254675519541, 0.024986044004501027, -0.014991626402700613, 0.049972088009002054);
  const double angle[6] = { -10, 10, 110, 130, 230, 250 };
  const double F0[6] = { -70.284, -61.746, -66.512, -55.362, -71.122, -53.736 };
  const double A[6] = { 60, -50, 40, -30, 20, -10 }, ph[6] = { 0.0, 0.3, 0.6, 0.9, 1.2, 1.5 };
  const Vector3d top[6] = { { 0.3856725658119236, -0.45962666587138684, -0.05 },
                            { 0.3856725658119236, 0.45962666587138684, -0.05 },
                            { 0.20521208599540133, 0.563815572471545, -0.05 },
                            { -0.5908846518073247, 0.10418890660015816, -0.05 },
                            { -0.5908846518073247, -0.1041889066001583, -0.05 },
                            { 0.20521208599540142, -0.563815572471545, -0.05 } };
  pin::JointIndex platform =
      s.add(0, pin::JointModelFreeFlyer(), pin::SE3::Identity(), 20.0, Vector3d::Zero(), diagonal(1.2, 1.5, 2.2));
  for (int k = 0; k < 6; k++) {
    const double a = angle[k] * PI / 180.0;
    const Vector3d base(std::cos(a), std::sin(a), 0), x(-std::sin(a), std::cos(a), 0), z(0, 0, 1);
    Matrix3d R;
    R << x, z.cross(x), z;
    pin::JointIndex one = s.add(0, pin::JointModelRX(), pin::SE3(R, base), 0.0, Vector3d::Zero(), Matrix3d::Zero());
    pin::JointIndex leg = s.add(one, pin::JointModelRY(), pin::SE3::Identity(), 3.0, Vector3d(0, 0, 0.4),
                                diagonal(0.12, 0.12, 0.01));
    pin::JointIndex rod = s.add(leg, pin::JointModelPZ(), pin::SE3::Identity(), 2.0, Vector3d(0, 0, -0.35),
                                diagonal(0.06, 0.06, 0.005));
    s.join(platform, top[k], rod, Vector3d::Zero());
    const Vector3d d = R.transpose() * (r + turn * top[k] - base);
    const double l = d.norm();
    // Rx(al) Ry(be) ez = (sin be, −sin al cos be, cos al cos be)
    s.at.emplace_back(one, std::atan2(-d[1], d[2]));
    s.at.emplace_back(leg, std::asin(d[0] / l));
    s.at.emplace_back(rod, l);
    s.force.emplace_back(rod, F0[k] + 0.2 * A[k] * std::sin(ph[k]));
  }
  s.ready();
  s.q.segment<3>(0) = r;
  s.q.segment<4>(3) = turn.coeffs();
  report("hexapod", 1, s);
}

void arm7()
{
  System s(Vector3d(0, 0, -9.81));
  pin::JointIndex parent = 0;
  for (int k = 0; k < 7; k++) {
    parent = s.add(parent, hinge(k % 2 == 0 ? Vector3d(0, 0, 1) : Vector3d(0, 1, 0)),
                   at(Vector3d(0, 0, k == 0 ? 0.0 : 0.3)), 1.0 + 0.5 * (7 - k), Vector3d(0, 0, 0.15),
                   diagonal(0.02, 0.02, 0.01));
    s.at.emplace_back(parent, 0.3);
    s.rate.emplace_back(parent, 0.5);
  }
  s.ready();
  report("arm7", 1, s);
}

}  // namespace

int main()
{
  for (int n : { 10, 100, 300 }) chain(n);  // its data hold tensors of n³
  fourbar(1);  // of more windows the redundant rows along z keep its iteration from converging
  bricard();
  hexapod();
  arm7();
  return 0;
}
