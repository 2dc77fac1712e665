# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the folder of a prefix in which this Python looks for modules.

Usage: find_site.py PREFIX FOLDER

FOLDER is Meson's choice, and is printed where Python looks there, or nowhere under PREFIX. Debian's
Python needs this: below /usr/local it looks in python3.11/dist-packages, and not in
python3/dist-packages as below /usr.
"""

import pathlib
import sys

prefix, chosen = (pathlib.Path(argument) for argument in sys.argv[1:])
chosen = prefix / chosen
searched = [pathlib.Path(folder) for folder in sys.path]
under = [f for f in searched if prefix in f.parents and f.name.endswith("-packages")]
print(chosen if chosen in searched or not under else under[0])
