#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail
. "$(dirname "$0")/../examples/common.sh"

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
[ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root"
command -v debootstrap >/dev/null || die "debootstrap is missing (package: debootstrap)"

folder=$(mktemp -d -t rdpsegment-chroot.XXXXXX)
mounted=
clean_up() {
  [ -z "$mounted" ] || umount "$mounted"
  if [ "${KEEP:-0}" = 1 ]; then say "left: $folder"; else rm -rf --one-file-system "$folder"; fi
}
trap clean_up EXIT

# in_root COMMAND...: with the environment of a new container. Only what leads to the network is
# taken from this system.
in_root() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    CI=true ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    chroot "$root" "$@" </dev/null
}

debootstrap --variant=minbase bookworm "$folder/base" "$mirror" >"$folder/debootstrap.log" ||
  die "debootstrap failed: $(tail -n 5 "$folder/debootstrap.log")"
cp -L /etc/resolv.conf "$folder/base/etc/resolv.conf"

for way in "${ways[@]}"; do
  root=$folder/$way
  cp -a "$folder/base" "$root"
  mount -t proc proc "$root/proc"
  mounted=$root/proc
  user=(in_root)
  home=/root
  if [ "$way" = sudo ]; then
    in_root apt-get -q update
    in_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install sudo
    in_root useradd --create-home --shell /bin/bash tester
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
    user=(in_root setpriv --reuid tester --regid tester --init-groups env HOME=/home/tester)
    home=/home/tester
  fi
  git clone -q --no-hardlinks "$RDP_ROOT" "$root$home/rdpsegment"
  [ "$way" = root ] || in_root chown -R tester: "$home/rdpsegment"

  for command in "examples/quickstart.sh" "tests/run.sh"; do
    say "==== $way: $command"
    start=$SECONDS
    "${user[@]}" bash -c "cd $home/rdpsegment && $command" 2>&1 |
      grep -vE '^(Get:|Selecting |Preparing |Unpacking |Setting up |\(Reading)' ||
      die "$command failed as $way"
    say "==== $way: $command took $((SECONDS - start)) s"
  done
  umount "$mounted"
  mounted=
done
say "Both commands work in a bare Debian 12, as: ${ways[*]}"
