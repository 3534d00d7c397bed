# SPDX-License-Identifier: BSD-3-Clause
"""test_python.py MODEWAY CASES: the Python package beside the program and beside differences."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np
import xarray

import modeway

program, cases = sys.argv[1], sys.argv[2]
EPS = np.finfo(float).eps


ARM = """\
modeway: 1
gravity: [0, 0, -9.81]
parameters: { load: 0.3 }
damping: { beta: 1e-5 }
materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }
sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }
bodies:
  arm:
    beams:
      points: { a: [0, 0, 0], b: [0.8, 0, 0] }
      members: [ { from: a, to: b, section: bar, material: alu, elements: 4, up: [0, 0, 1] } ]
    frames: { hub: { node: a }, tip: { node: b, mass: $load } }
joints:
  phi: { revolute: { a: ground, b: arm.hub, axis: [0, 0, 1] }, coordinate: phi, drive: motor }
outputs: { tool: { frame: arm.tip } }
reduction:
  modes: { count: 2 }
  coordinates: { phi: { range: [-1, 1], points: 7 } }
  certificate: { points: 1, samples: 4 }
  parameters: { load: [0.1, 0.5] }
scenarios:
  turn: { duration: 0.1, step: 1e-3, drives: { motor: { force: 2 } } }
"""


def difference(f, x, size):
    """Central differences of f by the last axis of x; their error is some size² + EPS / size of f's size."""
    return np.stack([(f(x + size * d) - f(x - size * d)) / (2 * size) for d in np.eye(x.size)], axis=-1)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["MODEWAY_CACHE"] = os.path.join(cls.folder.name, "cache")  # no bases by another build's roundings
        cls.path = os.path.join(cases, "cantilever-carriage.yaml")
        cls.file = os.path.join(cls.folder.name, "rom.nc")
        subprocess.run([program, "reduce", cls.path, "-o", cls.file, "-q"], check=True, stdout=subprocess.DEVNULL)
        cls.rom = modeway.Rom(cls.file)
        cls.model = modeway.Model(cls.path)
        rng = np.random.default_rng(1)
        cls.theta = cls.rom.lo + 0.4 * (cls.rom.hi - cls.rom.lo)
        cls.x = cls.rom.rest(cls.theta)
        cls.x[cls.rom.s:] += 1e-3 * rng.standard_normal(cls.rom.n_x - cls.rom.s)
        cls.u = rng.standard_normal(cls.rom.n_u)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def same(self, a, b):
        np.testing.assert_array_equal(a, b)

    def near(self, a, b, share):
        np.testing.assert_allclose(a, b, rtol=0, atol=share * np.max(np.abs(b)))

    def test_reduction_is_that_of_the_program(self):
        made = self.model.reduce()
        self.assertEqual((made.columns, made.fields, made.met), (self.rom.columns, self.rom.fields, self.rom.met))
        self.same(made.rhs(self.x, self.u), self.rom.rhs(self.x, self.u))
        written = os.path.join(self.folder.name, "again.nc")
        made.write(written)
        self.same(modeway.Rom(written).rhs(self.x, self.u), self.rom.rhs(self.x, self.u))

    def test_parameters_are_set_within_their_ranges(self):
        path = os.path.join(self.folder.name, "arm.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(ARM)
        model, heavy = modeway.Model(path), modeway.Model(path, set={"parameters.load": 0.45})
        rom = model.reduce()
        file = os.path.join(self.folder.name, "arm.nc")
        rom.write(file)
        self.assertEqual(rom.parameters, {"load": (0.3, 0.1, 0.5)})
        before = rom.frequencies([0.2], 2)
        run = heavy.simulate("turn", path="gmp", rom=rom)  # takes the model's value, leaves rom as it is
        self.same(rom.frequencies([0.2], 2), before)
        rom.set_parameter("load", 0.45)
        self.assertEqual(rom.parameters["load"][0], 0.45)
        self.assertTrue(np.all(rom.frequencies([0.2], 2) < before))  # more mass, lower frequencies
        again = heavy.simulate("turn", path="gmp", rom=rom)
        self.assertTrue(run.data_vars)
        for name in run.data_vars:
            self.same(run[name], again[name])
        for change, value in ([], 0.3), (["--set", "parameters.load=0.45"], 0.45):
            rom.set_parameter("load", value)
            ask = [program, "frf", file, "--to", "tool.z", "--at", "phi=0.2", "--lo", "5", "--hi", "30", "-n", "4"] + change
            text = subprocess.run(ask, check=True, stdout=subprocess.PIPE, text=True).stdout
            self.assertIn(f"parameter load = {value:g}, kept from 0.1 to 0.5", text)
            found = json.loads(subprocess.run(ask + ["--json"], check=True, stdout=subprocess.PIPE).stdout)
            self.assertEqual(found["parameters"], {"load": value})
            response, = found["places"][0]["responses"]
            self.same(rom.frf([0.2], found["hz"], "tool.z")[:, 0, 0], np.array(response["real"]) + 1j * np.array(response["imag"]))
            direct = json.loads(subprocess.run([program, "modes", path, "--at", "phi=0.2", "--count", "1", "--json", "--set",
                                                f"parameters.load={value}"], check=True, stdout=subprocess.PIPE).stdout)
            self.near(found["motions"][0]["hz"], direct["frequencies_hz"][0], 1e-3)  # the reduction's tolerance
        with self.assertRaises(modeway.InputError):
            rom.set_parameter("load", 0.51)
        with self.assertRaises(ValueError):
            rom.set_parameter("lod", 0.3)
        rom.set_parameter("load", 0.3)
        self.same(rom.frequencies([0.2], 2), before)

    def test_runs_are_those_of_the_program(self):
        for path in "gmp", "rigid":
            file = os.path.join(self.folder.name, path + ".nc")
            subprocess.run([program, "simulate", self.path, "-s", "force", "--path", path, "-o", file, "-q"]
                           + (["--rom", self.file] if path == "gmp" else []), check=True, stdout=subprocess.DEVNULL)
            run = self.model.simulate("force", path=path, rom=self.rom if path == "gmp" else None)
            program_run = xarray.load_dataset(file, decode_times=False)
            for name in "position", "s", "kinetic", "force":
                self.same(run[name].values, program_run[name].values)
            self.assertGreater(float(np.ptp(run.position.values)), 0.0)

    def test_derivatives(self):
        rom, x, u = self.rom, self.x, self.u
        size = 1e-5
        bound = 100 * (size ** 2 + EPS / size)
        acc, acc_x, acc_u = rom.jacobian(x, u)
        self.same(acc, rom.rhs(x, u))
        self.near(difference(lambda y: rom.rhs(y, u), x, size), acc_x, bound)
        self.near(difference(lambda v: rom.rhs(x, v), u, size), acc_u, bound)
        after, x_x, x_u = rom.step_sens(x, u)
        self.same(after, rom.step(x, u))
        self.near(difference(lambda y: rom.step(y, u), x, size), x_x, bound)
        self.near(difference(lambda v: rom.step(x, v), u, size), x_u, bound)
        value, y_x, y_u = rom.outputs_jacobian(x, u)
        y, rate = rom.outputs(x)
        self.same(value[0], y)
        self.near(value[1], rate, 100 * EPS)
        self.near(difference(lambda z: rom.outputs(z)[0], x, size), y_x[0], bound)

    def test_rest_linearization_and_frequencies(self):
        rom = self.rom
        rest = rom.rest(self.theta)
        acc = rom.rhs(rest, prescribed=rom.coordinates)
        # what K leaves of its products, of the size of its largest eigenvalue times delta
        stiff = (2 * np.pi * rom.frequencies(self.theta).max()) ** 2
        self.assertLess(np.abs(acc).max(), 1e3 * EPS * stiff * np.abs(rest[rom.s:rom.s + rom.m]).max())
        a, b, c, d = rom.linearize(rest, prescribed=rom.coordinates)
        self.assertEqual((a.shape, b.shape, c.shape, d.shape), ((rom.n_x, rom.n_x), (rom.n_x, rom.n_u), (rom.n_y, rom.n_x),
                                                                (rom.n_y, rom.n_u)))
        # of a mode with a damping ratio below 1, |lambda| is its undamped frequency
        elastic = np.concatenate([np.arange(rom.s, rom.s + rom.m), np.arange(2 * rom.s + rom.m, rom.n_x)])
        poles = np.linalg.eigvals(a[np.ix_(elastic, elastic)])
        hz = np.sort(np.abs(poles[poles.imag > 0])) / (2 * np.pi)
        self.near(hz, rom.frequencies(self.theta), 1e-9)

    def test_frequency_responses_are_those_of_the_program(self):
        rom = self.rom
        found = json.loads(subprocess.run(
            [program, "frf", self.file, "--to", "carriage,x", "--from", "carriage.z,x", "--at", f"x={float(self.theta[0])!r}",
             "--free", "x", "--as", "mobility", "--lo", "1", "--hi", "40", "-n", "5", "--json"],
            check=True, stdout=subprocess.PIPE).stdout)
        want = [np.array(r["real"]) + 1j * np.array(r["imag"]) for r in found["places"][0]["responses"]]
        ours = rom.frf(self.theta, found["hz"], ["carriage", "x"], "carriage.z,x", free="x", kind="mobility")
        self.assertEqual(ours.shape, (5, 4, 2))
        self.same(ours.reshape(5, 8).T, want)
        self.assertEqual(rom.ends("carriage,x"), ["carriage.x", "carriage.y", "carriage.z", "x"])
        self.same(rom.frf([self.theta] * 3, found["hz"], "carriage,x", "carriage.z,x", ("x",), "mobility")[2], ours)
        with self.assertRaisesRegex(modeway.InputError, "nowhere"):
            rom.frf(self.theta, found["hz"], "nowhere")
        with self.assertRaises(ValueError):
            rom.frf(self.theta, found["hz"], "x", kind="compliance")

    def test_frequency_responses_are_those_of_the_linearization(self):
        rom, hz = self.rom, np.array([0.7, 2.0, 5.0])
        rest = rom.rest(self.theta)
        _, _, acc_u = rom.jacobian(rest)
        hold = -rom.rhs(rest)[:1] / acc_u[0]  # the force that keeps it there
        rest = rom.rest(self.theta, hold)
        a, b, c, _ = rom.linearize(rest, hold)
        z = rom.fields.index("carriage.z")
        want = [c[z] @ np.linalg.solve(2j * np.pi * f * np.eye(rom.n_x) - a, b[:, 0]) for f in hz]
        # roundings of K, of the size of its largest eigenvalue, over how far the nearest one is from the frequency's square
        # (and from 0, the coordinate's)
        own = (2 * np.pi * rom.frequencies(self.theta, drives_free=True)) ** 2
        omega = (2 * np.pi * hz) ** 2
        gap = np.min(np.abs(np.concatenate([own, [0.0]])[:, None] - omega))
        self.near(rom.frf(self.theta, hz, "carriage.z", "x", free="x")[:, 0, 0], want, rom.n_x * EPS * np.max(own) / gap)

    def test_exports_are_those_of_the_program(self):
        for to in "c", "casadi", "table", "acados":
            theirs, ours = os.path.join(self.folder.name, "their-" + to), os.path.join(self.folder.name, "our-" + to)
            subprocess.run([program, "export", self.file, "--to", to, "-o", theirs, "--name", "it", "--model", "none"], check=True,
                           stdout=subprocess.DEVNULL, env=dict(os.environ, CFLAGS="-O1"))
            with unittest.mock.patch.dict(os.environ, CFLAGS="-O1"):
                files = self.rom.export(to, ours, name="it")
            self.assertGreater(len(files), 1)
            for file in files:
                with open(file, "rb") as f, open(os.path.join(theirs, os.path.basename(file)), "rb") as g:
                    if not file.endswith(".so"):  # a compiler's
                        self.assertEqual(f.read(), g.read(), file)
        with self.assertRaisesRegex(ValueError, "found latex, expected c, casadi, acados, table or wasm"):
            self.rom.export("latex", self.folder.name)

    @unittest.skipUnless(importlib.util.find_spec("casadi"), "CasADi is not installed; tests/interop/clients has it")
    def test_functions_of_casadi_give_the_same_bits(self):
        f, F, y = self.rom.to_casadi()
        half = self.rom.s + self.rom.m
        self.same(np.array(f(self.x, self.u)).ravel(), np.concatenate([self.x[half:], self.rom.rhs(self.x, self.u)]))
        self.same(np.array(F(self.x, self.u, 1e-3)).ravel(), self.rom.step(self.x, self.u, 1e-3))
        for ours, theirs in zip(self.rom.outputs(self.x), y(self.x)):
            self.same(np.array(theirs).ravel(), ours)

    def test_energy_is_kept(self):
        x = self.x.copy()
        kinetic, potential, lost = self.rom.energy(x)
        rate = difference(lambda z: np.add(*self.rom.energy(z)[:2]), x, 1e-6)
        n = self.rom.s + self.rom.m
        moving = np.concatenate([x[n:], self.rom.rhs(x)])
        self.assertAlmostEqual(float(rate @ moving), -float(lost), delta=1e-6 * float(np.abs(rate * moving).sum()))
        self.assertGreater(float(kinetic), 0.0)

    def test_rows_are_single_calls(self):
        x = np.stack([[self.x, self.rom.rest(self.theta)], [self.rom.rest(self.rom.hi), self.x]])
        rows = self.rom.rhs(x, self.u)
        self.assertEqual(rows.shape, (2, 2, self.rom.s + self.rom.m))
        for i in range(2):
            for j in range(2):
                self.same(rows[i, j], self.rom.rhs(x[i, j], self.u))
        self.assertEqual(self.rom.frequencies(np.stack([self.theta] * 3), n=2).shape, (3, 2))

    def test_rollouts_are_steps(self):
        u = np.random.default_rng(2).standard_normal((5, 20, self.rom.n_u))
        states, done = self.rom.rollout(self.x, u)
        self.same(done, 20)
        for row in range(5):
            x = self.x
            for k in range(20):
                x = self.rom.step(x, u[row, k])
                self.same(states[row, k], x)
        self.same(self.rom.rollout(self.x, u, threads=3)[0], states)
        self.same(self.rom.rollout(self.x, u, path=False)[0], states[:, -1])

    def test_rollouts_that_leave_their_range_keep_the_last_good_state(self):
        x = np.stack([self.x, self.x])
        x[1, self.rom.s + self.rom.m] = 100.0  # m/s
        states, done = self.rom.rollout(x, np.zeros((2, 20, self.rom.n_u)))
        self.assertEqual(done[0], 20)
        self.assertLess(done[1], 20)
        self.same(states[1, done[1]:], np.broadcast_to(states[1, -1], (20 - done[1], self.rom.n_x)))

    def test_changes_and_prescribed_coordinates(self):
        heavy = modeway.Model(self.path, set={"bodies.carriage.rigid.mass": 50})
        self.assertNotEqual(float(heavy.simulate("force", path="rigid").s[-1, 0]),
                            float(self.model.simulate("force", path="rigid").s[-1, 0]))
        thdd = np.full(self.rom.s, 2.5)
        self.same(self.rom.rhs(self.x, self.u, thdd, prescribed=self.rom.coordinates)[:self.rom.s], thdd)

    def test_controllers_of_the_caller(self):
        scenario = os.path.join(self.folder.name, "hold.yaml")
        with open(scenario, "w") as f:
            f.write("scenarios: {hold: {duration: 0.2, step: 1e-3, control_period: 2e-3, store: 1e-2, start: {x: 0.3}, "
                    "drives: {motor_x: {follow: 0.35, kp: 40, kd: 8}}}}\n")
        model = modeway.Model(self.path, scenarios=scenario)
        seen = []

        def control(t, s, s_dot, u):
            seen.append(t)
            return [40 * (0.35 - s[0]) + 8 * (0.0 - s_dot[0])]

        own, given = model.simulate("hold", path="body"), model.simulate("hold", path="body", controller=control)
        self.same(given.s.values, own.s.values)
        self.assertGreater(float(np.ptp(own.s.values)), 0.01)
        self.same(np.round(np.diff(seen), 12), 2e-3)

        class Own(Exception):
            pass

        def broken(t, s, s_dot, u):
            if t > 0.01:
                raise Own("here")
            return u

        with self.assertRaisesRegex(Own, "here"):
            model.simulate("hold", path="body", controller=broken)
        with self.assertRaisesRegex(ValueError, "gave 2 forces, expected 1"):
            model.simulate("hold", path="body", controller=lambda t, s, s_dot, u: [0, 0])
        with self.assertRaises(ValueError):
            model.simulate("hold", path="rigid", controller=control)

    def test_runs_take_the_damping_of_the_model(self):
        file = os.path.join(self.folder.name, "damped.nc")
        subprocess.run([program, "simulate", self.path, "-s", "force", "--path", "gmp", "--rom", self.file, "--set",
                        "joints.x.damping=3", "-o", file, "-q"], check=True, stdout=subprocess.DEVNULL)
        damped = modeway.Model(self.path, set={"joints.x.damping": 3})
        before = self.model.simulate("force", path="gmp", rom=self.rom)
        run = damped.simulate("force", path="gmp", rom=self.rom)
        self.same(run.s.values, xarray.load_dataset(file, decode_times=False).s.values)
        self.assertIn("made with other damping", " ".join(run.notes))
        self.assertNotEqual(float(run.s[-1, 0]), float(before.s[-1, 0]))
        self.same(self.model.simulate("force", path="gmp", rom=self.rom).s.values, before.s.values)
        rubs = modeway.Model(self.path, set={"joints.x.friction": "{ coulomb: 0.1, smooth: 1e-3 }"})
        with self.assertRaisesRegex(modeway.InputError, "other bodies, joints"):
            rubs.simulate("force", path="gmp", rom=self.rom)

    def test_errors_say_where(self):
        broken = os.path.join(self.folder.name, "broken.yaml")
        with open(self.path) as f, open(broken, "w") as g:
            g.write(f.read().replace("duration: 3", "duration: -3"))
        with self.assertRaises(modeway.InputError) as e:
            modeway.Model(broken)
        self.assertEqual(e.exception.file, broken)
        self.assertGreater(e.exception.line, 0)
        self.assertIn("-3", str(e.exception))
        for wrong, call in ((modeway.InputError, lambda: self.model.simulate("nowhere")),
                            (modeway.InputError, lambda: modeway.Rom(self.path)),
                            (ValueError, lambda: self.rom.rhs(self.x[:-1])),
                            (ValueError, lambda: self.rom.rhs(self.x, np.zeros(self.rom.n_u + 1))),
                            (ValueError, lambda: self.rom.step(self.x, method="euler")),
                            (ValueError, lambda: self.rom.rhs(self.x, prescribed="nothing")),
                            (ValueError, lambda: self.model.simulate("force", path="gmp")),
                            (modeway.InputError, lambda: modeway.Model(os.path.join(cases, "polar.yaml")).simulate(
                                "work", path="gmp", rom=self.rom))):
            with self.assertRaises(wrong):
                call()
        outside = np.stack([self.x, self.x])
        outside[1, 0] = 99.0
        with self.assertRaisesRegex(modeway.RangeError, "row 1"):
            self.rom.rhs(outside)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
