# SPDX-License-Identifier: BSD-3-Clause
"""Model files: mechanisms, their scenarios, runs, reductions."""

import os
import tempfile

from . import _modeway
from ._rom import Rom


class Model:
    """A model file as a mechanism that can run.

    path       the YAML file
    set        changes as it is read, {"bodies.beam.density": 7800} (the program's --set)
    scenarios  a file of scenarios beside or instead of the model's

    InputError names file, line and column of what is wrong.
    """

    def __init__(self, path, set=None, scenarios=None):
        changes = [f"{key}={value}" for key, value in (set or {}).items()]
        self._handle = _modeway.model_open(os.fspath(path), changes, scenarios and os.fspath(scenarios))
        self.path = os.fspath(path)
        self.name, self.scenarios, self.outputs, self.drives = _modeway.model_names(self._handle)

    def __repr__(self):
        return f"<modeway.Model {self.name}: scenarios {', '.join(self.scenarios) or 'none'}>"

    def reduce(self, quiet=True):
        """The reduced model with its certificate, by this process alone; quiet=False: progress on stderr.

        A certificate that misses its tolerance is no exception: look at Rom.met. `modeway reduce -j N` shares the work
        among processes.
        """
        return Rom(_modeway.rom_reduce(self._handle, quiet))

    def simulate(self, scenario, path="full", rom=None, step=0.0, controller=None, file=None):
        """Runs a scenario by path "full", "body", "rigid" or "gmp" (by rom) and returns the run.

        rom   taken with the model's parameters, damping, friction and stops of joint coordinates, as `modeway simulate --rom` does: a note
              says where it was made with others; rom itself stays as it is
        step  s, 0: the scenario's
        controller  of paths full and body, in place of the scenario's: called once a control period, from t = 0 on, as
              controller(t, s, s_dot, u) with the drives' coordinates and rates (lists in the order of Model.drives; m, rad; 0 of
              drives on frames) and the forces held so far; gives the forces (N, N m) to hold until the next call. Of drives
              that the scenario does not control they are ignored. An exception in it ends the run and is raised here.
        file  where the run goes as netCDF, what `modeway simulate -o` writes; its name is returned. None: the run is
              returned as an xarray.Dataset

        Warnings, notes and what ended the run early are its attributes `warnings`, `notes` and `event`, if there are any.
        """
        if path == "gmp" and rom is None:
            raise ValueError("path gmp needs rom")
        if controller is not None and path not in ("full", "body"):
            raise ValueError(f"path {path}: controllers of the caller's are for paths full and body")
        handle = rom._handle if rom is not None else None
        if file is not None:
            _modeway.model_simulate(self._handle, scenario, path, handle, step, controller, os.fspath(file))
            return os.fspath(file)
        import xarray

        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "run.nc")
            event, warnings, notes = _modeway.model_simulate(self._handle, scenario, path, handle, step, controller, name)
            run = xarray.load_dataset(name, decode_times=False)
        if event:
            run.attrs["event"] = event
        if warnings:
            run.attrs["warnings"] = warnings
        if notes:
            run.attrs["notes"] = notes
        return run
