#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Writes a C++ file that holds the bytes of a fat binary as the array SYMBOL:
#   embed.sh FATBIN SYMBOL OUT.cpp
# The assembler reads the bytes, which takes no time, unlike a list of numbers for the compiler.
set -eu
fatbin=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cat >"$3" <<END
asm(".section .rodata\n"
    ".balign 64\n"
    ".global $2\n"
    ".hidden $2\n"
    "$2:\n"
    ".incbin \"$fatbin\"\n"
    ".byte 0\n"
    ".previous\n");
END
