# SPDX-License-Identifier: BSD-3-Clause
"""Reduced models online: accelerations, steps, their derivatives, outputs, rollouts."""

import atexit
import collections
import concurrent.futures
import json
import math
import os
import shutil
import tempfile

import numpy as np

from . import _modeway

METHODS = ("exponential", "rk4", "midpoint")
RESPONSES = ("receptance", "mobility", "accelerance")
_RHS, _JACOBIAN, _STEP, _STEP_SENS, _OUTPUTS, _OUTPUTS_JACOBIAN, _ENERGY, _STATIC = range(8)
_NOTHING = (None, None, None)

CasadiFunctions = collections.namedtuple("CasadiFunctions", "f F y")


def _text(ends):
    return ends if isinstance(ends, str) else ",".join(ends)


class Rom:
    """A reduced model: a file that `modeway reduce` wrote, or what Model.reduce returns.

    s, m          numbers of rigid-body coordinates theta and elastic coordinates delta
    n_x           numbers of a state, 2 (s + m)
    coordinates   names [s], within lo [s] to hi [s], m or rad
    columns       names [m] of the elastic coordinates: "mode 1", "pattern tool.z", ...
    fields        names [n_y] of what outputs() returns: "tool.x", ...
    inputs        names [n_u] of the forces u, N or N m
    certificate   what `modeway info --json` says of the errors; met: whether all are within their tolerances

    prescribed, in the calls below: names or indices of coordinates that follow accelerations thdd [..., s] (0 if None)
    instead of forces.
    """

    def __init__(self, source):
        self._handle = _modeway.rom_open(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else source
        (self.m, self.model_name, self.coordinates, self.columns, self.fields, self.inputs, lo, hi, text,
         met) = _modeway.rom_info(self._handle)
        self.s, self.n_y, self.n_u = len(self.coordinates), len(self.fields), len(self.inputs)
        self.n_x = 2 * (self.s + self.m)
        self.lo, self.hi = np.array(lo), np.array(hi)
        self._no_input = np.zeros(self.n_u)
        self.certificate = json.loads(text)["certificate"]
        self.met = bool(met)

    def __repr__(self):
        return (f"<modeway.Rom of {self.model_name}: {', '.join(self.coordinates)}; {self.m} elastic coordinates; "
                f"certificate {'met' if self.met else 'missed'}>")

    @property
    def parameters(self):
        """Parameters that the model keeps: {name: (value, lo, hi)}, in the units of the model file."""
        return _modeway.rom_parameters(self._handle)

    def set_parameter(self, name, value):
        """Sets a parameter that the model keeps (reduction.parameters) to a value within its range; InputError beyond it.
        Calls after it are of that machine. Not while another thread calls this Rom. Runs of a Model with this Rom take the
        Model's value."""
        names = list(self.parameters)
        if name not in names:
            raise ValueError(f"parameter {name}: the model keeps {', '.join(names) or 'none'}")
        _modeway.rom_set_parameter(self._handle, names.index(name), float(value))

    def write(self, path):
        """Writes the file that Rom(path) reads, under a temporary name, then renamed."""
        _modeway.rom_write(self._handle, os.fspath(path))

    def _bits(self, prescribed):
        bits = 0
        for name in (prescribed,) if isinstance(prescribed, (str, int)) else prescribed:
            k = self.coordinates.index(name) if isinstance(name, str) else int(name)
            if not 0 <= k < self.s:
                raise ValueError(f"coordinate {name}: there are {', '.join(self.coordinates)}")
            bits |= 1 << k
        return bits

    def _call(self, kind, x, u, thdd, prescribed, method, h, *shapes, width=None):
        width = width or self.n_x
        x = np.ascontiguousarray(x, float)
        u = self._no_input if u is None else np.ascontiguousarray(u, float)
        thdd = None if thdd is None else np.ascontiguousarray(thdd, float)
        rows = ()
        if x.shape != (width,) or u.shape != (self.n_u,) or thdd is not None:  # not one call
            x, u, thdd, rows = self._rows(x, width, u, thdd)
        out = [np.empty(rows + shape) for shape in shapes]
        _modeway.online(kind, self._handle, math.prod(rows), x, u, thdd, self._bits(prescribed) if prescribed != () else 0,
                        METHODS.index(method), h, *out, *_NOTHING[len(out):])
        return out[0] if len(out) == 1 else tuple(out)

    def _rows(self, x, width, u, thdd):
        parts = [(x, width, "x"), (u, self.n_u, "u")] + ([] if thdd is None else [(thdd, self.s, "thdd")])
        for a, n, what in parts:
            if a.shape[-1:] != (n,):
                raise ValueError(f"{what}: found shape {a.shape}, expected [..., {n}]")
        rows = np.broadcast_shapes(*(a.shape[:-1] for a, _, _ in parts))
        given = [np.ascontiguousarray(np.broadcast_to(a, rows + (n,))) for a, n, _ in parts]
        return given[0], given[1], given[2] if thdd is not None else None, rows

    def rhs(self, x, u=None, thdd=None, prescribed=()):
        """Accelerations [..., s + m] of state x under inputs u [..., n_u]."""
        return self._call(_RHS, x, u, thdd, prescribed, "exponential", 0.0, (self.s + self.m,))

    def jacobian(self, x, u=None, thdd=None, prescribed=()):
        """Accelerations with their exact derivatives by x and by u: acc, acc_x [..., s + m, n_x], acc_u [..., s + m, n_u]."""
        n = self.s + self.m
        return self._call(_JACOBIAN, x, u, thdd, prescribed, "exponential", 0.0, (n,), (n, self.n_x), (n, self.n_u))

    def step(self, x, u=None, h=1e-3, thdd=None, prescribed=(), method="exponential"):
        """The state after a step of h seconds under constant u."""
        return self._call(_STEP, x, u, thdd, prescribed, method, h, (self.n_x,))

    def step_sens(self, x, u=None, h=1e-3, thdd=None, prescribed=(), method="exponential"):
        """The same, bit for bit, with the exact derivatives of that step: x, x_x [..., n_x, n_x], x_u [..., n_x, n_u]."""
        return self._call(_STEP_SENS, x, u, thdd, prescribed, method, h, (self.n_x,), (self.n_x, self.n_x),
                          (self.n_x, self.n_u))

    def outputs(self, x):
        """Fields y [..., n_y] (names: fields) and their rates."""
        return self._call(_OUTPUTS, x, None, None, (), "exponential", 0.0, (self.n_y,), (self.n_y,))

    def outputs_jacobian(self, x, u=None, thdd=None, prescribed=()):
        """Fields, rates and accelerations Y [..., 3, n_y] with Y_x [..., 3, n_y, n_x] and Y_u [..., 3, n_y, n_u]."""
        y = (3, self.n_y)
        return self._call(_OUTPUTS_JACOBIAN, x, u, thdd, prescribed, "exponential", 0.0, y, y + (self.n_x,),
                          y + (self.n_u,))

    def energy(self, x):
        """Kinetic and potential energy, J, and the power that is lost, W."""
        return self._call(_ENERGY, x, None, None, (), "exponential", 0.0, (), (), ())

    def static(self, theta, u=None):
        """delta [..., m] at rest with theta [..., s] held, under u."""
        return self._call(_STATIC, theta, u, None, (), "exponential", 0.0, (self.m,), width=self.s)

    def rest(self, theta, u=None):
        """The state [..., n_x] at rest with theta held, under u."""
        theta = np.asarray(theta, float)
        delta = self.static(theta, u)
        theta = np.broadcast_to(theta, delta.shape[:-1] + (self.s,))
        return np.concatenate([theta, delta, np.zeros(delta.shape[:-1] + (self.s + self.m,))], axis=-1)

    def frequencies(self, theta, n=None, drives_free=False):
        """The lowest n (default: all m) frequencies at theta [..., s], Hz; drives_free: theta is not held."""
        theta = np.ascontiguousarray(theta, float)
        if theta.shape[-1:] != (self.s,):
            raise ValueError(f"theta: found shape {theta.shape}, expected [..., {self.s}]")
        n = self.m if n is None else n
        out = np.empty(theta.shape[:-1] + (n,))
        _modeway.rom_frequencies(self._handle, int(np.prod(theta.shape[:-1])), theta, drives_free, n, out)
        return out

    def frf(self, theta, hz, to, from_=None, free=(), kind="receptance"):
        """Complex responses [..., n_hz, n_to, n_from] at rest at theta [..., s], frequencies hz [n_hz], as `modeway frf` has
        them: coordinates held but those that free names; dry friction and end stops left out.

        to, from_  ends as the program's --to and --from take them: "tool.x", "tool" (its directions), "tool.x-bed.x",
                   names of coordinates; several with commas or as a list. from_: those of to. Their names: ends(to)
        kind       "receptance", "mobility" or "accelerance"
        """
        theta, hz = np.ascontiguousarray(theta, float), np.ascontiguousarray(hz, float)
        if theta.shape[-1:] != (self.s,) or hz.ndim != 1:
            raise ValueError(f"found theta {theta.shape} and hz {hz.shape}, expected [..., {self.s}] and [n_hz]")
        to, from_ = _text(to), _text(to if from_ is None else from_)
        rows, n_to, n_from = theta.shape[:-1], len(self.ends(to)), len(self.ends(from_))
        out = np.empty(rows + (n_to, n_from, 2, hz.size))
        held = (1 << self.s) - 1 & ~self._bits(free)
        _modeway.rom_frf(self._handle, to, from_, RESPONSES.index(kind), held, math.prod(rows), theta, hz.size, hz, out)
        return np.moveaxis(out[..., 0, :] + 1j * out[..., 1, :], -1, -3)

    def ends(self, text):
        """Names of the ends that a text of frf's says: "tool" has tool.x, tool.y, tool.z."""
        return _modeway.rom_ends(self._handle, "to", _text(text))

    def export(self, to, folder, name=None, step=1e-3):
        """Writes what `modeway export --model none` writes into a folder and returns the names of the files.

        to    "c", "casadi", "acados", "matlab", "table" or "wasm"
        name  prefix of all names; default: from the model's name
        step  of acados, s

        Parameters have the values that they have here.
        """
        return _modeway.rom_export(self._handle, to, os.fspath(folder), name, float(step))[1]

    def to_casadi(self, folder=None, name=None):
        """CasADi's functions of this model, with exact Jacobians: f(x, u) gives x', F(x, u, h) the state after a step of h
        seconds, y(x) the fields and their rates; bits of rhs, step and outputs. A tuple with these names.

        They are compiled by a C compiler (CC, CFLAGS) into a folder, which stays as long as they are used; None: a
        temporary one, which goes when Python ends.
        """
        import casadi

        if folder is None:
            folder = tempfile.mkdtemp(prefix="modeway-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
        name, files = _modeway.rom_export(self._handle, "casadi", os.fspath(folder), name, 1e-3)
        library = [file for file in files if file.endswith(".so")]
        if not library:
            raise RuntimeError(f"no C compiler was found to build {files[0]}: CC says which")
        return CasadiFunctions(*(casadi.external(f"{name}_{which}", os.path.abspath(library[0])) for which in "fFy"))

    def linearize(self, x, u=None, prescribed=()):
        """A, B, C, D of dx/dt = A x + B u, y = C x + D u about x, u; y: the fields. [..., n_x, n_x] and so on."""
        _, acc_x, acc_u = self.jacobian(x, u, None, prescribed)
        _, y_x, y_u = self.outputs_jacobian(x, u, None, prescribed)
        n = self.s + self.m
        rows = acc_x.shape[:-2]
        upper = np.broadcast_to(np.eye(n, 2 * n, n), rows + (n, 2 * n))
        return (np.concatenate([upper, acc_x], axis=-2), np.concatenate([np.zeros(rows + (n, self.n_u)), acc_u], axis=-2),
                y_x[..., 0, :, :], y_u[..., 0, :, :])

    def rollout(self, x0, u, h=1e-3, prescribed=(), threads=1, path=True):
        """Many rollouts by the exponential method, in lanes of the vector unit: same bits as step(), for any number of threads.

        x0 [B, n_x] or [n_x], u [B, N, n_u]. Returns the states after each step, [B, N, n_x] (path=False: after the last,
        [B, n_x]), and done [B], the steps made: N, unless a coordinate left its range or something was not finite; what
        follows is the last good state.
        """
        u = np.ascontiguousarray(u, float)
        if u.ndim != 3 or u.shape[2] != self.n_u:
            raise ValueError(f"u: found shape {u.shape}, expected [B, N, {self.n_u}]")
        count, steps = u.shape[:2]
        x = np.array(np.broadcast_to(np.asarray(x0, float), (count, self.n_x)), order="C")
        states = np.empty((count, steps, self.n_x)) if path else None
        code, done = np.zeros(count, np.intc), np.zeros(count, np.intc)
        bits = self._bits(prescribed)
        share = max(1, -(-count // max(1, threads)))

        def run(first):
            _modeway.rollout(self._handle, first, min(share, count - first), count, steps, float(h), bits, u, x, states, code,
                             done)

        if threads > 1:
            with concurrent.futures.ThreadPoolExecutor(threads) as pool:
                list(pool.map(run, range(0, count, share)))
        else:
            run(0)
        for row in np.flatnonzero(done < steps) if path else ():
            states[row, done[row]:] = x[row]
        return (states if path else x), done
