# SPDX-License-Identifier: BSD-3-Clause
"""Runs single tests against changes that a build of mutants_many.py can choose.

Each test is run alone once without a change, which tells what it takes and which changed lines it reaches. A change is tried by tests
that reach it, until one fails: first by those that have killed most of its file in the least time. A test gets ten times the
processor time that it takes, and its tests `each` seconds for a change at most; how many were left out is said.
"""
import os
import resource
import subprocess
import tempfile


def run(build, suite, seconds, **environment):
    """Whether a suite passes, its processor time and what it prints."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    folder = os.path.join(build, "tests")
    try:
        done = subprocess.run([os.path.join(folder, suite)], cwd=folder, env=dict(os.environ, **environment), preexec_fn=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20 + 20 * seconds, check=False)
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, said = -1, b""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said.decode(errors="replace")


class Judge:
    def __init__(self, build, suites, each):
        self.build, self.each = build, each
        self.takes, self.reach = {}, {}  # of (suite, test): seconds, numbers of changes
        self.tried, self.kills = {}, {}  # of (suite, test, file)
        for suite in suites:
            for name in run(build, suite, 60, MW_TEST_NAMES="1")[2].split():
                self.measure(suite, name)

    def measure(self, suite, name):
        with tempfile.NamedTemporaryFile("r", encoding="ascii") as f:
            passes, seconds, _ = run(self.build, suite, 600, MW_TEST_ONLY=name, MW_MUTANT="0", MW_MUTANT_SEEN=f.name)
            if passes:
                self.takes[suite, name], self.reach[suite, name] = seconds, {int(k) for k in f.read().split()}
            else:
                print(f"{suite}.{name}: fails where nothing is changed, left out", flush=True)

    def worth(self, test, path):
        """Chance of a kill over the time, of a test that has not been tried one half."""
        key = test + (path,)
        return (self.kills.get(key, 0) + 0.5) / (self.tried.get(key, 0) + 1.0) / (self.takes[test] + 0.02)

    def of(self, number, path):
        """("killed", by which test) or ("survived", how many tests of those that reach it)."""
        tests = sorted((test for test in self.reach if number in self.reach[test]), key=lambda test: -self.worth(test, path))
        spent, tried = 0.0, 0
        for test in tests:
            if spent + self.takes[test] > self.each:
                continue
            key = test + (path,)
            self.tried[key] = self.tried.get(key, 0) + 1
            passes, seconds, _ = run(self.build, test[0], 1.0 + 10.0 * self.takes[test], MW_TEST_ONLY=test[1], MW_TEST_FIRST="1",
                                     MW_MUTANT=str(number))
            if not passes:
                self.kills[key] = self.kills.get(key, 0) + 1
                return "killed", ".".join(test)
            spent, tried = spent + seconds, tried + 1
        return "survived", f"{tried} of {len(tests)} tests that reach it"
