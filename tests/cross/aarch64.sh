#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../../examples/common.sh"

usage() {
  cat <<END
Usage: tests/cross/aarch64.sh [--build-only] [TEST...]

Builds everything for 64-bit Arm (Jetson, for one) with Debian's cross compiler and Debian's arm64
libraries, and runs all tests or those named under qemu, as a processor with NEON and without SVE.
Where the CUDA toolkit is installed, the kernels are compiled for Jetson Orin (sm_87) and Thor
(sm_110), and the GPU's code runs over the stand-in driver. Ends with the line
  N passed, N failed, N skipped
and fails if a test failed or none ran.

The packages that the build itself needs are installed where they are missing (with apt-get, as root
or through sudo). The arm64 libraries are only unpacked, into a folder of the build directory, which
needs no root and leaves this system as it is.

Environment:
  BUILD       the build directory (build-aarch64)
  SYSROOT     where the arm64 libraries are, or are unpacked to (\$BUILD-sysroot)
  MIRROR      the Debian mirror (http://deb.debian.org/debian)
  SETUP_ARGS  more arguments for "meson setup"
  TEST_ARGS   more arguments for "meson test"
END
}

run_tests=1
case ${1:-} in
  --build-only)
    run_tests=0
    shift
    [ $# -eq 0 ] || usage_error "--build-only runs no test, so it takes none: $*"
    ;;
  -h | --help)
    usage
    exit 0
    ;;
  -*) usage_error "unknown option $1" ;;
esac

suite=bookworm
mirror=${MIRROR:-http://deb.debian.org/debian}
build=${BUILD:-$RDP_ROOT/build-aarch64}
[[ $build = /* ]] || build=$PWD/$build
sysroot=${SYSROOT:-$build-sysroot}
[[ $sysroot = /* ]] || sysroot=$PWD/$sysroot
tools=$build-tools
read -ra setup_args <<<"${SETUP_ARGS:-}"
read -ra test_args <<<"${TEST_ARGS:-}"

# Unpacked with all that they depend on.
libraries=(libc6-dev libglib2.0-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libhwy-dev
  libgtest-dev libjson-glib-dev libyaml-dev libgl-dev gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good)
# For libgstcuda, which is the one thing wanted of them: without the 250 packages behind the others.
alone=(libgstreamer-plugins-bad1.0-0 libgstreamer-plugins-bad1.0-dev)
# Of the processors that qemu 7.2 knows, the nearest to Jetson Orin's (Cortex-A78AE).
emulator=(qemu-aarch64-static -cpu cortex-a76 -L "$sysroot")
# What the sysroot was made of; it is made anew when this changes.
packages="$suite: ${libraries[*]} ${alone[*]}"
made_of=$sysroot/.packages

# make_sysroot: downloads with an apt of its own, which knows nothing of what is installed here.
make_sysroot() {
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg work=$sysroot.new
  local command
  for command in apt-get dpkg-deb; do
    command -v "$command" >/dev/null ||
      die "$command is missing: this takes Debian. With a sysroot of another origin, use aarch64.ini"
  done
  [ -r "$keys" ] || die "$keys is missing (package: debian-archive-keyring)"
  [ ! -e "$sysroot" ] || [ -e "$made_of" ] ||
    die "$sysroot was not made by this script: name another folder in SYSROOT"
  rm -rf --one-file-system "$work"
  mkdir -p "$work"/{root,lists/partial,cache/archives/partial,alone,sources,preferences}
  : >"$work/status"
  echo "deb [signed-by=$keys] $mirror $suite main" >"$work/sources.list"
  local apt=(apt-get -q -o "Dir::Etc::SourceList=$work/sources.list"
    -o "Dir::Etc::SourceParts=$work/sources" -o "Dir::Etc::PreferencesParts=$work/preferences"
    -o Dir::Etc::Preferences=/dev/null -o "Dir::State=$work" -o "Dir::State::Status=$work/status"
    -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Architecture=arm64
    -o APT::Architectures=arm64 -o APT::Install-Recommends=false -o "APT::Sandbox::User=$(id -un)"
    -o Debug::NoLocking=1 -o Acquire::Languages=none -o Acquire::Retries=3)

  say "Downloading Debian's arm64 packages"
  if ! "${apt[@]}" update >"$work/log" 2>&1 ||
    ! "${apt[@]}" install -y --download-only "${libraries[@]}" >>"$work/log" 2>&1 ||
    ! (cd "$work/alone" && "${apt[@]}" download "${alone[@]}") >>"$work/log" 2>&1; then
    tail -n 15 "$work/log" >&2
    die "Debian's arm64 packages could not be downloaded from $mirror (apt's messages are above)"
  fi
  local archive count=0
  for archive in "$work"/cache/archives/*.deb "$work"/alone/*.deb; do
    dpkg-deb --extract "$archive" "$work/root" || die "could not unpack $archive"
    count=$((count + 1))
  done
  # Links to absolute paths would lead out of the sysroot, to libraries of this machine.
  local link
  while IFS= read -r -d '' link; do
    ln -srfn "$work/root$(readlink "$link")" "$link"
  done < <(find "$work/root" -type l -lname '/*' -print0)
  say "$packages" >"$work/root/${made_of##*/}"
  rm -rf --one-file-system "$sysroot"
  mv "$work/root" "$sysroot"
  rm -rf --one-file-system "$work"
  say "Unpacked $count packages to $sysroot"
}

# make_tools: programs of GStreamer's that run under the emulator, for the tests' scripts, and the
# cross file that says where all is.
make_tools() {
  local tool words
  mkdir -p "$tools"
  for tool in gst-launch-1.0 gst-inspect-1.0; do
    [ -x "$sysroot/usr/bin/$tool" ] || die "$sysroot has no $tool: remove the folder and run again"
    {
      echo '#!/bin/sh'
      printf 'exec'
      printf ' "%s"' "${emulator[@]}" "$sysroot/usr/bin/$tool"
      echo ' "$@"'
    } >"$tools/$tool"
    chmod +x "$tools/$tool"
  done
  words=$(printf "'%s', " "${emulator[@]}")
  printf "[constants]\nsysroot = '%s'\ntools = '%s'\nemulator = [%s]\n" "$sysroot" "$tools" \
    "${words%, }" >"$tools/paths.ini"
}

install_packages build cross
meson=$(meson_command)
[ "$(cat "$made_of" 2>/dev/null)" = "$packages" ] || make_sysroot
make_tools

# Without what would run a program of the host's while building, and without what needs OpenCV.
# shellcheck disable=SC2054 # the comma belongs to the option
options=(--cross-file "$tools/paths.ini" --cross-file "$RDP_ROOT/tests/cross/aarch64.ini"
  -Dtests=enabled -Dintrospection=disabled -Dbenchmarks=disabled -Dgpu_architectures=87,110)
[ ! -f "$build/build.ninja" ] || options=(--reconfigure "${options[@]}")
"$meson" setup "${options[@]}" "${setup_args[@]}" "$build" "$RDP_ROOT" </dev/null
"$meson" compile -C "$build" </dev/null
[ "$run_tests" = 1 ] || exit 0

# An emulated processor takes its time.
export CK_TIMEOUT_MULTIPLIER=10
rm -f "$build"/meson-logs/testlog*.json "$build"/meson-logs/testlog*.junit.xml
status=0
"$meson" test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier=10 "${test_args[@]}" \
  "$@" </dev/null || status=$?
"$(python_with json xml)" "$RDP_ROOT/tests/summarize.py" "$build" || status=1
exit "$status"
