#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Finds the elements, and a Python that can drive GStreamer, for examples/python/depth_folder.py.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# What only prints its options needs no elements.
for word in "$@"; do
  case $word in
    -h | --help) DRY_RUN=1 ;;
  esac
done
need_elements pngfoldersrc videoconvert pngenc multifilesink
# Without PyGObject the program says what to install.
python=$(python_with gi) || python=$(python_with argparse) ||
  die "there is no python3 here (Debian: python3 python3-gi gir1.2-gstreamer-1.0)"
exec "$python" "$RDP_ROOT/examples/python/depth_folder.py" "$@"
