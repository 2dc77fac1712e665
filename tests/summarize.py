#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the test cases of the last `meson test` and prints "N passed, N failed, N skipped".

Usage: summarize.py BUILD_DIRECTORY [LOG_NAME]

Programs that report their cases (GoogleTest, TAP) count by case, all others as one. The exit status
is 0 when something ran and nothing failed.
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

GOOD = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
# Output of tests is in the file as it came; XML allows none of these characters.
NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:[0-8]|1[124-9]|2[0-9]|3[01]);")


def cases_by_program(junit):
    """{suite name: [outcome of each case]} of a JUnit file."""
    text = NOT_XML.sub("", junit.read_text(errors="replace"))
    result = {}
    for suite in xml.fromstring(text).iter("testsuite"):
        outcomes = result.setdefault(suite.get("name"), [])
        for case in suite.findall("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                outcomes.append("failed")
            elif case.find("skipped") is not None or case.get("status") == "notrun":
                outcomes.append("skipped")
            else:
                outcomes.append("passed")
    return result


def outcome_of(program):
    if program["result"] in GOOD:
        return "passed"
    return "skipped" if program["result"] in SKIPPED else "failed"


def main(build, name="testlog"):
    logs = pathlib.Path(build) / "meson-logs"
    count = {"passed": 0, "failed": 0, "skipped": 0}
    programs, junit = logs / f"{name}.json", logs / f"{name}.junit.xml"
    # Meson writes neither where there was no test to run.
    lines = programs.read_text(errors="replace").splitlines() if programs.exists() else []
    suites = cases_by_program(junit) if junit.exists() else {}
    for program in map(json.loads, filter(None, lines)):
        whole = outcome_of(program)
        # Meson calls a suite "project.program" or, with GoogleTest, "project.program.suite".
        own = re.compile(r"[^.]+\." + re.escape(program["name"]) + r"(\..*)?$")
        outcomes = [o for suite, found in suites.items() if own.match(suite) for o in found]
        if not outcomes or (whole == "failed" and "failed" not in outcomes):
            outcomes.append(whole)  # one that died or timed out between its cases
        for outcome in outcomes:
            count[outcome] += 1
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 0 if count["passed"] > 0 and count["failed"] == 0 else 1


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
