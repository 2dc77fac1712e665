# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports test cases in the Test Anything Protocol, which meson counts one by one."""

import sys
import traceback


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

    def run(self, tests):
        """A case for each (name, function); it fails with an exception."""
        for name, test in tests:
            try:
                test()
                self.ok(name)
            except Exception:
                self.fail(name, traceback.format_exc())

    def done(self):
        """Ends the report and gives the exit status."""
        print(f"1..{self.count}", flush=True)
        return 1 if self.failures else 0


def run_tests(module):
    """All of a module, its globals(), that is called test_...; gives the exit status."""
    tap = Tap()
    tap.run([item for item in module.items() if item[0].startswith("test_")])
    return tap.done()
