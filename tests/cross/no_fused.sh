#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What is said to be the same bits on every machine has no fused multiply-add, which rounds once
# where others round twice. That shows in so few values that no comparison of results can be relied
# upon to meet one, so the machine code is looked at.
# Usage: no_fused.sh OBJDUMP LIBRARY...
set -euo pipefail
objdump=$1
shift
fused='[[:space:]]v?f(n?m(add|sub)|ml[as])[0-9a-z]*[[:space:]]'
separate='[[:space:]](v?mul[sp][sd]|fmul)[[:space:]]'

# That the patterns know one, on both families of processors.
for line in 'vfmadd213ss %xmm1,%xmm2,%xmm0' 'fmadd s0, s1, s2, s3' 'fmla v0.4s, v1.4s, v2.4s' \
  'vfnmsub132pd %ymm1,%ymm2,%ymm0' 'fnmsub d0, d1, d2, d3'; do
  awk -v fused="$fused" '$0 ~ fused {found = 1} END {exit !found}' <<<" $line" || {
    echo "FAILED: this is not taken for a fused operation: $line"
    exit 1
  }
done

failed=0
products=0
for library in "$@"; do
  code=$("$objdump" --disassemble --demangle "$library")
  found=$(awk -v fused="$fused" '/^[0-9a-f]+ <.*>:$/ {name = $0}
    $0 ~ fused {print name " " $0}' <<<"$code")
  count=$(grep -cE "$separate" <<<"$code" || true)
  products=$((products + count))
  if [ -n "$found" ]; then
    echo "FAILED: fused operations in $library (is -ffp-contract=off missing?)"
    cut -c1-160 <<<"$found" | head -n 20
    failed=1
  else
    echo "done: $library: $count products, none fused"
  fi
done
# Else it was not machine code that was read.
[ "$products" -gt 0 ] || {
  echo "FAILED: there is not even a multiplication"
  failed=1
}
exit $failed
