#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"
. "$(dirname "$0")/bare_system.sh"

# name | system | compiler | packages | CUDA. "bare": only what building needs, and GoogleTest, so that
# OpenCV, introspection, PyGObject and GStreamer's bad plugins are not there. "debian": Debian packages
# are made by tests/package.sh; the other rows of the system run the tests. CUDA "auto": the toolkit is
# there, and Meson decides, as when the system's compiler is too new for it.
rows='
debian12          bookworm gcc   all  no
debian12-clang    bookworm clang all  no
debian12-bare     bookworm clang bare no
debian12-cuda     bookworm gcc   all  yes
debian12-packages bookworm gcc   debian no
debian13          trixie   gcc   all  no
debian13-clang    trixie   clang all  no
debian13-bare     trixie   gcc   bare no
debian13-cuda     trixie   gcc   all  yes
debian13-packages trixie   gcc   debian no
testing           forky    gcc   all  auto
testing-clang     forky    clang all  no
testing-packages  forky    gcc   debian no
ubuntu22          jammy    gcc   all  no
ubuntu24          noble    gcc   all  no
'

usage() {
  cat <<END
Usage: tests/matrix.sh [--list] [--fresh] [--build-only] [ROW...]

Builds the last commit on other systems, with other compilers and without what is optional, and runs
all tests there: all rows, or those named. Each row is a bare system that debootstrap makes: it needs
root, debootstrap, network access and 3 GB of disk. Systems are kept for the next run in \$MATRIX.
The cells of the table that is printed at the end are counts of test cases, compiler warnings and
seconds; what a row printed is in \$MATRIX/log/ROW. It fails if a row fails.

  --list        print the names of all rows
  --fresh       make the systems anew
  --build-only  run no tests

Environment:
  MATRIX       where systems and logs are (/var/tmp/rdpsegment-matrix)
  MIRROR       Debian's mirror (http://deb.debian.org/debian)
  UBUNTU       Ubuntu's mirror (http://archive.ubuntu.com/ubuntu)
  CUDA_ROOT    the CUDA toolkit for rows with CUDA (/usr/local/cuda)
  SETUP_ARGS   more for "meson setup", e.g. -Dgpu_architectures=90 to save time
  APT_OPTIONS  options of apt, e.g. -oAcquire::Check-Valid-Until=false with an old mirror
  JOBS         compilers and tests at a time (as many as processors)
END
}

matrix=${MATRIX:-/var/tmp/rdpsegment-matrix}
mirror=${MIRROR:-http://deb.debian.org/debian}
ubuntu=${UBUNTU:-http://archive.ubuntu.com/ubuntu}
jobs=${JOBS:-$(nproc)}
cuda_root=$(readlink -f "${CUDA_ROOT:-/usr/local/cuda}" || true)
fresh=0
tests=yes
wanted=()
for word in "$@"; do
  case $word in
    -h | --help)
      usage
      exit 0
      ;;
    --list)
      awk 'NF {print $1}' <<<"$rows"
      exit 0
      ;;
    --fresh) fresh=1 ;;
    --build-only) tests=no ;;
    *)
      awk -v row="$word" '$1 == row {found = 1} END {exit !found}' <<<"$rows" ||
        usage_error "there is no row $word: see tests/matrix.sh --list"
      wanted+=("$word")
      ;;
  esac
done
[ "${#wanted[@]}" -gt 0 ] || mapfile -t wanted < <(awk 'NF {print $1}' <<<"$rows")
need_bare_systems
mkdir -p "$matrix/log"

# system SUITE PACKAGES: makes it unless it is there, and prints its folder. What is said goes to stderr.
system() {
  local suite=$1 packages=$2 folder=$matrix/$1-$2 groups='build|run' extra='' names
  if [ "$packages" = bare ]; then
    extra='clang libgtest-dev'
  else
    groups='build|run|test|cuda'
    extra='clang'
  fi
  names=$(awk -v groups="^($groups)\$" '$1 ~ groups && NF == 2 {print $2}' \
    "$RDP_ROOT/examples/debian-packages")
  # A system that was made with other packages is made anew.
  if [ "$(cat "$folder/ready" 2>/dev/null)" != "$names $extra" ]; then
    say "making $suite with packages: $packages" >&2
    rm -rf --one-file-system "$folder"
    case $suite in
      jammy | noble)
        # Ubuntu's keys are a package of Debian's, from 13 on.
        make_bare_system trixie "$folder.keys" "$mirror"
        apt_in "$folder.keys" install ubuntu-archive-keyring
        make_bare_system "$suite" "$folder" "$ubuntu" --components=main,universe \
          --keyring="$folder.keys/usr/share/keyrings/ubuntu-archive-keyring.gpg"
        rm -rf --one-file-system "$folder.keys"
        ;;
      *) make_bare_system "$suite" "$folder" "$mirror" ;;
    esac
    # shellcheck disable=SC2086 # words
    apt_in "$folder" install $names $extra ca-certificates ccache
    [ "$suite" != jammy ] || add_highway "$folder" || die "Debian's Highway does not install in $suite"
    printf '%s\n' "$names $extra" >"$folder/ready"
  fi
  printf '%s\n' "$folder"
}

# Ubuntu 22.04's Highway is 0.16. Debian 12's packages of it install there.
add_highway() {
  local debian
  debian=$(system bookworm bare) &&
    in_bare_system "$debian" bash -c "rm -rf /tmp/highway && mkdir -m 777 /tmp/highway &&
      cd /tmp/highway && apt-get -q download libhwy1 libhwy-dev" >&2 &&
    cp "$debian"/tmp/highway/*.deb "$1/tmp" &&
    in_bare_system "$1" bash -c 'dpkg -i /tmp/libhwy*.deb' >&2
}

# What a row does in its system. "all" must have everything, "bare" takes what there is.
# shellcheck disable=SC2016 # expanded in there
steps='
cd /root/rdpsegment
export CC="ccache $CC" CXX="ccache $CXX" CCACHE_SLOPPINESS=pch_defines,time_macros
build=/root/build-$ROW
rm -rf "$build"
echo "versions: $(pkg-config --modversion gstreamer-1.0) | $($CXX --version | head -n 1)"
case $CUDA in
  no) options=(-Dcuda=disabled) ;;
  yes) options=(-Dcuda=enabled) ;;
  auto) options=(-Dcuda=auto) ;;
esac
[ "$PACKAGES" = bare ] ||
  options+=(-Dtests=enabled -Dintrospection=enabled -Dexamples=enabled -Dbenchmarks=enabled)
# clang takes no precompiled header from ccache once its sources have other dates.
[ "${CXX#*clang}" = "$CXX" ] || options+=(-Db_pch=false)
meson setup "${options[@]}" $SETUP_ARGS "$build"
ninja -C "$build" -j "$JOBS"
[ "$TESTS" = yes ] || exit 0
status=0
meson test -C "$build" --no-rebuild --print-errorlogs --num-processes "$JOBS" \
  --timeout-multiplier 4 || status=$?
/usr/bin/python3 tests/summarize.py "$build" || status=1
exit $status
'

# pack_row NAME SUITE LOG: what run_row does of Debian packages. Its counts are those of steps.
pack_row() {
  local name=$1 suite=$2 log=$3 start=$SECONDS status=passed options=(--nocheck)
  [ "$fresh" = 0 ] || options+=(--fresh)
  say "row $name: $log" >&2
  PACKAGES=$matrix/packages JOBS=$jobs MIRROR=$mirror \
    "$RDP_ROOT/tests/package.sh" "${options[@]}" "$suite" >"$log" 2>&1 || status=failed
  say "| $name | - | - | $(grep -c ' passed after ' "$log" || true) | $(grep -c ' failed, see ' "$log" || true)" \
    "| 0 | - | $((SECONDS - start)) | $status |"
  [ "$status" != failed ]
}

# run_row NAME SUITE COMPILER PACKAGES CUDA: prints its line of the table, and fails if it failed.
run_row() {
  local name=$1 suite=$2 compiler=$3 packages=$4 cuda=$5 log=$matrix/log/$1
  local cc=gcc cxx=g++ folder start counts versions passed failed skipped status=passed
  [ "$tests" = yes ] || status=built
  if [ "$cuda" != no ] && [ ! -x "$cuda_root/bin/nvcc" ]; then
    say "| $name | | | | | | | no CUDA toolkit in ${CUDA_ROOT:-/usr/local/cuda}: not run |"
    return 0
  fi
  if [ "$packages" = debian ]; then
    pack_row "$name" "$suite" "$log"
    return
  fi
  [ "$compiler" = gcc ] || cc=clang cxx=clang++
  folder=$(system "$suite" "$packages") || return 1
  rm -rf --one-file-system "$folder/root/rdpsegment"
  git clone -q --no-hardlinks "$RDP_ROOT" "$folder/root/rdpsegment"
  say "row $name: $log" >&2
  start=$SECONDS
  CUDA_ROOT=$([ "$cuda" = no ] || printf '%s' "$cuda_root") \
    in_bare_system "$folder" env "ROW=$name" "CUDA=$cuda" "PACKAGES=$packages" "CC=$cc" "CXX=$cxx" \
    "SETUP_ARGS=${SETUP_ARGS:-}" "JOBS=$jobs" "TESTS=$tests" CCACHE_NOHASHDIR=1 \
    bash -euo pipefail -c "$steps" \
    >"$log" 2>&1 || status=failed
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1 || true)
  versions=$(sed -n 's/^versions: //p' "$log")
  read -r passed _ failed _ skipped _ <<<"${counts:-- passed, - failed, - skipped}"
  say "| $name | ${versions:-- | -} | $passed | $failed | $skipped |" \
    "$(grep -cE '^[^ ]+:[0-9]+:[0-9]+: warning:' "$log" || true) | $((SECONDS - start)) | $status |"
  [ "$status" != failed ]
}

table=()
result=0
for name in "${wanted[@]}"; do
  read -ra row < <(awk -v row="$name" '$1 == row' <<<"$rows")
  if [ "$fresh" = 1 ]; then rm -f "$matrix/${row[1]}-${row[3]}/ready"; fi
  line=$(run_row "${row[@]}") || result=1
  table+=("$line")
done
say "| row | GStreamer | compiler | passed | failed | skipped | warnings | seconds | result |"
say "|---|---|---|---|---|---|---|---|---|"
printf '%s\n' "${table[@]}"
exit "$result"
