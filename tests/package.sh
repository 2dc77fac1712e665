#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"
. "$(dirname "$0")/bare_system.sh"

usage() {
  cat <<END
Usage: tests/package.sh [--fresh] [--nocheck] [--once] [SUITE...]

Makes the Debian packages of the last commit in bare systems of these suites (bookworm), from the
tarball of "meson dist", and looks at them:
  reuse       every file says whose it is and what its licence is
  build       dpkg-buildpackage, which runs the quick suites without git
  lintian     neither errors nor warnings
  again       a second build has the same bits
  subproject  another project builds with this one as a subproject
  autopkgtest the packages' own tests, in a system that only they are installed in
  purge       when they are purged, nothing is left
It needs root, debootstrap, network access and 3 GB of disk for each suite. Each of the two builds takes
ten minutes of two cores without tests, and an hour with them; ccache makes the next run's first build
shorter. Packages are left in \$PACKAGES/SUITE, what the steps printed in \$PACKAGES/log.

  --fresh    make the systems anew
  --nocheck  run no tests while building
  --once     build once

Environment:
  PACKAGES     where systems, logs and packages are (/var/tmp/rdpsegment-packages)
  MIRROR       Debian's mirror (http://deb.debian.org/debian)
  APT_OPTIONS  options of apt, e.g. -oAcquire::Check-Valid-Until=false with an old mirror
  JOBS         compilers at a time (as many as processors)
END
}

packages=${PACKAGES:-/var/tmp/rdpsegment-packages}
mirror=${MIRROR:-http://deb.debian.org/debian}
jobs=${JOBS:-$(nproc)}
fresh=0
build_options=parallel=$jobs
builds=(first second)
suites=()
for word in "$@"; do
  case $word in
    -h | --help)
      usage
      exit 0
      ;;
    --fresh) fresh=1 ;;
    --nocheck) build_options+=" nocheck" ;;
    --once) builds=(first) ;;
    -*) usage_error "unknown option $word" ;;
    *) suites+=("$word") ;;
  esac
done
[ "${#suites[@]}" -gt 0 ] || suites=(bookworm)
need_bare_systems
mkdir -p "$packages/log"

# base SUITE, copy_of_base SUITE PURPOSE: folders of systems; a copy replaces an earlier one.
base() { printf '%s/%s-base' "$packages" "$1"; }
copy_of_base() {
  local folder=$packages/$1-$2
  rm -rf --one-file-system "$folder"
  cp -a "$(base "$1")" "$folder"
  printf '%s\n' "$folder"
}

# builder SUITE: the system that packages are built in, with what debian/control asks for.
builder() {
  local suite=$1 folder=$packages/$1-build
  if [ "$fresh" = 1 ]; then rm -rf --one-file-system "$(base "$suite")" "$folder"; fi
  [ -d "$(base "$suite")" ] || make_bare_system "$suite" "$(base "$suite")" "$mirror"
  [ -d "$folder" ] || copy_of_base "$suite" build >/dev/null
  rm -rf "$folder/srv/source"
  git clone -q --no-hardlinks "$RDP_ROOT" "$folder/srv/source"
  apt_in "$folder" install build-essential ca-certificates ccache git lintian reuse xz-utils
  apt_in "$folder" build-dep /srv/source
  printf '%s\n' "$folder"
}

# step SUITE NAME SYSTEM COMMANDS...: what they print goes into a log; fails with its end.
step() {
  local suite=$1 name=$2 system=$3 log=$packages/log/$1-$2 start=$SECONDS
  shift 3
  if ! in_bare_system "$system" env "DEB_BUILD_OPTIONS=$build_options" CCACHE_NOHASHDIR=1 \
    CCACHE_SLOPPINESS=pch_defines,time_macros \
    PATH=/usr/lib/ccache:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -euo pipefail -c "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    die "$suite: $name failed, see $log"
  fi
  say "$suite: $name passed after $((SECONDS - start)) s"
}

# in_fresh_system SUITE NAME PACKAGE COMMANDS: a step in a system of its own, with the packages that
# were built in /srv/packages and PACKAGE installed.
in_fresh_system() {
  local suite=$1 name=$2 system
  system=$(copy_of_base "$suite" "$name")
  apt_in "$system" install "$3"
  cp -r "$packages/$suite" "$system/srv/packages"
  step "$suite" "$name" "$system" "$4"
  rm -rf --one-file-system "$system"
}

# shellcheck disable=SC2016 # expanded in there
tarball='
cd /srv/source
rm -rf /srv/dist
meson setup /srv/dist -Dtests=disabled -Dexamples=disabled -Dcuda=disabled -Dintrospection=disabled
meson dist -C /srv/dist --no-tests --formats xztar
'

# Meson does without the plugin here: what the program links to is enough.
# shellcheck disable=SC2016 # expanded in there
subproject='
rm -rf /srv/user
mkdir -p /srv/user/subprojects
ln -s /srv/source /srv/user/subprojects/rdpsegment
cd /srv/user
cp /srv/source/examples/cpp/segment_file.cpp .
tr "\"" "\047" >meson.build <<END
project("user", "cpp", default_options: ["cpp_std=c++17"])
library = dependency("gstreamer-rdpsegment-1.0", fallback: "rdpsegment", default_options: [
  "tests=disabled", "examples=disabled", "cuda=disabled", "introspection=disabled", "python=disabled"])
executable("segment_file", "segment_file.cpp",
  dependencies: [library, dependency("gstreamer-app-1.0")])
END
meson setup build
ninja -C build segment_file
build/segment_file --help
'

# build NAME: the packages go to /srv/NAME. A folder of always the same name, as buildds have it.
# shellcheck disable=SC2016 # expanded in there
build='
rm -rf /srv/work "/srv/$0"
mkdir /srv/work
cd /srv/work
archive=$(echo /srv/dist/meson-dist/rdpsegment-*.tar.xz)
folder=$(basename "$archive" .tar.xz)
# What packages are made with is no part of what they are made of.
tar -xf "$archive"
mv "$folder/debian" .
tar --sort=name -cJf "rdpsegment_${folder#rdpsegment-}.orig.tar.xz" "$folder"
mv debian "$folder"
cd "$folder"
[ ! -e .git ]
case $0 in
  first) dpkg-buildpackage -us -uc ;;
  *) CCACHE_RECACHE=1 TZ=Pacific/Kiritimati dpkg-buildpackage -us -uc -b ;;
esac
cd ..
mkdir "/srv/$0"
find . -maxdepth 1 -type f -exec mv -t "/srv/$0" {} +
cd "/srv/$0"
sha256sum ./*.deb >SHA256SUMS
cat SHA256SUMS
'

lintian='
lintian --version
lintian --allow-root -I --pedantic --fail-on error,warning /srv/first/*.changes
'

# The runner is in the system itself, and with it Python. Packages that are tested come from /srv.
# shellcheck disable=SC2016 # expanded in there
autopkgtest='
cd /srv/packages
mapfile -t debs < <(ls ./*.deb | grep -v dbgsym)
autopkgtest --no-built-binaries --timeout-factor=10 "${debs[@]}" ./*.dsc -- null
'

# shellcheck disable=SC2016 # expanded in there
purge='
cd /srv/packages
mapfile -t debs < <(ls ./*.deb | grep -v dbgsym)
mapfile -t names < <(for deb in "${debs[@]}"; do dpkg-deb -f "$deb" Package; done)
apt-get -q -y --no-install-recommends install "${debs[@]}" gstreamer1.0-tools
GST_REGISTRY=/srv/packages/registry gst-inspect-1.0 rdpsegment
python3 -c "import rdpsegment"
for deb in "${debs[@]}"; do dpkg-deb -c "$deb"; done | awk "\$1 !~ /^d/ {print substr(\$6, 2)}" >/srv/packages/shipped
apt-get -q -y purge "${names[@]}"
left=$(
  dpkg-query -W -f "\${db:Status-Abbrev} \${Package}\n" "${names[@]}" 2>/dev/null | grep -v "^un" || true
  while read -r path; do [ ! -e "$path" ] || echo "$path"; done </srv/packages/shipped
  find / -xdev -iname "*rdpsegment*" -not -path "/srv/*" -not -path "/proc/*"
)
if [ -n "$left" ]; then echo "left: $left"; exit 1; fi
echo "nothing is left of ${names[*]}"
'

for suite in "${suites[@]}"; do
  system=$(builder "$suite")
  step "$suite" reuse "$system" 'cd /srv/source && reuse lint'
  step "$suite" tarball "$system" "$tarball"
  for name in "${builds[@]}"; do step "$suite" "build-$name" "$system" "$build" "$name"; done
  step "$suite" lintian "$system" "$lintian"
  if [ "${#builds[@]}" -gt 1 ]; then
    step "$suite" again "$system" 'diff /srv/first/SHA256SUMS /srv/second/SHA256SUMS'
  fi
  step "$suite" subproject "$system" "$subproject"
  rm -rf "${packages:?}/$suite"
  cp -r "$system/srv/first" "$packages/$suite"

  in_fresh_system "$suite" autopkgtest autopkgtest "$autopkgtest"
  in_fresh_system "$suite" purge ca-certificates "$purge"
done
say "Packages of ${suites[*]} are in $packages"
