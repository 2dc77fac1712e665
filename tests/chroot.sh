#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"
. "$(dirname "$0")/bare_system.sh"

usage() {
  cat <<END
Usage: tests/chroot.sh [root|sudo]...

Runs examples/quickstart.sh and tests/run.sh in a bare Debian 12 that debootstrap makes, with a fresh
clone of the last commit: as root, and as a user with sudo (both unless one is named). Needs root,
debootstrap, a Debian mirror and 5 GB in \$TMPDIR.

Environment:
  MIRROR  the Debian mirror (http://deb.debian.org/debian)
  KEEP=1  leave the folder there, to look at it
END
}

mirror=${MIRROR:-http://deb.debian.org/debian}
ways=()
for word in "$@"; do
  case $word in
    -h | --help)
      usage
      exit 0
      ;;
    root | sudo) ways+=("$word") ;;
    *) usage_error "unknown argument $word" ;;
  esac
done
[ "${#ways[@]}" -gt 0 ] || ways=(root sudo)
need_bare_systems

folder=$(mktemp -d -t rdpsegment-chroot.XXXXXX)
clean_up() {
  if [ "${KEEP:-0}" = 1 ]; then say "left: $folder"; else rm -rf --one-file-system "$folder"; fi
}
trap clean_up EXIT

make_bare_system bookworm "$folder/base" "$mirror"

for way in "${ways[@]}"; do
  root=$folder/$way
  cp -a "$folder/base" "$root"
  user=(in_bare_system "$root")
  home=/root
  if [ "$way" = sudo ]; then
    in_bare_system "$root" apt-get -q update
    in_bare_system "$root" env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y --no-install-recommends install sudo
    in_bare_system "$root" useradd --create-home --shell /bin/bash tester
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
    user+=(setpriv --reuid tester --regid tester --init-groups env HOME=/home/tester)
    home=/home/tester
  fi
  git clone -q --no-hardlinks "$RDP_ROOT" "$root$home/rdpsegment"
  [ "$way" = root ] || in_bare_system "$root" chown -R tester: "$home/rdpsegment"

  for command in "examples/quickstart.sh" "tests/run.sh"; do
    say "==== $way: $command"
    start=$SECONDS
    "${user[@]}" bash -c "cd $home/rdpsegment && $command" 2>&1 |
      grep -vE '^(Get:|Selecting |Preparing |Unpacking |Setting up |\(Reading)' ||
      die "$command failed as $way"
    say "==== $way: $command took $((SECONDS - start)) s"
  done
done
say "Both commands work in a bare Debian 12, as: ${ways[*]}"
