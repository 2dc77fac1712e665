# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports test cases in the Test Anything Protocol, which meson counts one by one."""

import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def _line(self, verdict, name, directive=""):
        self.count += 1
        name = " ".join(name.replace("#", " ").split())
        print(f"{verdict} {self.count} - {name}{directive}", flush=True)

    def ok(self, name):
        self._line("ok", name)

    def fail(self, name, why):
        self.failures += 1
        self._line("not ok", name)
        for line in str(why).splitlines():
            print(f"# {line}", flush=True)
            print(f"{name}: {line}", file=sys.stderr)

    def skip(self, name, why):
        self._line("ok", name, f" # SKIP {' '.join(why.split())}")

    def check(self, name, why):
        """One case: it passed if `why`, what is wrong, is empty."""
        if why:
            self.fail(name, why)
        else:
            self.ok(name)

    def done(self):
        """Ends the report and gives the exit status."""
        print(f"1..{self.count}", flush=True)
        return 1 if self.failures else 0
