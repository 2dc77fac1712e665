#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds examples/cpp/segment_file.cpp with what pkg-config says and nothing else, against the build
# directory and against an installed tree, and runs it with the installed plugin.
set -euo pipefail
build=$1 source=$2
. "$source/examples/common.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset GST_PLUGIN_PATH LD_LIBRARY_PATH
export GST_REGISTRY=$folder/registry.bin

# compile NAME: the program, as a user of the library would.
compile() {
  local flags
  read -ra flags < <(pkg-config --cflags --libs gstreamer-rdpsegment-1.0 gstreamer-app-1.0)
  c++ -std=c++17 -Wall -Wextra -Werror "$source/examples/cpp/segment_file.cpp" \
    "${flags[@]}" -o "$folder/$1"
}

say "uninstalled"
PKG_CONFIG_PATH=$build/meson-uninstalled compile uninstalled
LD_LIBRARY_PATH=$build/gst/rdpsegment GST_PLUGIN_PATH=$build/gst/elements \
  "$folder/uninstalled" --frames=2

# Programs see GStreamer's headers alone: what the library reads cameras with is its own business, and
# packages for developers need not have it.
others=$(PKG_CONFIG_PATH=$build/meson-uninstalled \
  pkg-config --print-requires-private gstreamer-rdpsegment-1.0)
[ -z "$others" ] || die "the pkg-config file names what programs have no use for: $others"

say "installed"
DESTDIR=$folder/root "$(meson_command)" install -C "$build" --no-rebuild --quiet
pc=$(find "$folder/root" -name gstreamer-rdpsegment-1.0.pc)
[ -n "$pc" ] || die "no pkg-config file was installed"
# The tree would be moved to / by a package manager; here it stays where it is.
prefix=$(sed -n 's/^prefix=//p' "$pc")
sed -i "s|^prefix=.*|prefix=$folder/root$prefix|" "$pc"
libraries=$(dirname "$(find "$folder/root" -name 'libgstrdpsegment-1.0.so.0')")
plugin=$(find "$folder/root" -path '*/gstreamer-1.0/libgstrdpsegment.so')
[ -n "$plugin" ] || die "no plugin was installed in a folder gstreamer-1.0"
PKG_CONFIG_PATH=$(dirname "$pc") compile installed
LD_LIBRARY_PATH=$libraries GST_PLUGIN_PATH=$(dirname "$plugin") "$folder/installed" --frames=2
