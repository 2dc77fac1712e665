# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Bare systems made by debootstrap, and commands in them: what tests/chroot.sh, tests/matrix.sh and
# tests/package.sh share. It is sourced after examples/common.sh, never run. Needs root.

# need_bare_systems: fails unless this machine can make them.
need_bare_systems() {
  [ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root"
  command -v debootstrap >/dev/null || die "debootstrap is missing (package: debootstrap)"
  command -v unshare >/dev/null || die "unshare is missing (package: util-linux)"
}

# make_bare_system SUITE FOLDER MIRROR [DEBOOTSTRAP_OPTION...]: a minimal system in FOLDER. One that is
# only half there is removed.
make_bare_system() {
  local suite=$1 folder=$2 mirror=$3 script=
  shift 3
  # A suite that is newer than this debootstrap is made as older ones of Ubuntu, or of Debian, are.
  if [ ! -e "/usr/share/debootstrap/scripts/$suite" ]; then
    case $suite in
      noble) script=jammy ;;
      *) script=sid ;;
    esac
  fi
  if ! debootstrap --variant=minbase "$@" "$suite" "$folder" "$mirror" ${script:+"$script"} \
    >"$folder.debootstrap.log"; then
    rm -rf --one-file-system "$folder"
    die "debootstrap failed: $(tail -n 5 "$folder.debootstrap.log")"
  fi
  cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
}

# in_bare_system ROOT COMMAND...: with the environment of a new container. Only what leads to the
# network is taken from this system. What it mounts and what it starts ends with it. Where $CUDA_ROOT
# names a CUDA toolkit, that is /usr/local/cuda in there, to read only.
in_bare_system() {
  local root=$1
  shift
  # shellcheck disable=SC2016 # expanded in there
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    CI=true ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    unshare --mount --pid --fork --kill-child bash -c '
      set -e
      root=$1 cuda=$2
      shift 2
      mount --make-rprivate /
      mount -t proc proc "$root/proc"
      if [ -n "$cuda" ]; then
        mkdir -p "$root/usr/local/cuda"
        mount --bind "$cuda" "$root/usr/local/cuda"
        mount -o remount,bind,ro "$root/usr/local/cuda"
      fi
      exec chroot "$root" "$@"' bare_system "$root" "${CUDA_ROOT:-}" "$@" </dev/null
}

# apt_in FOLDER WORD...: apt-get with these words, such as "install PACKAGE...", after an update.
apt_in() {
  local folder=$1 word
  shift
  # Also for what calls apt-get in there by itself, as autopkgtest does.
  for word in ${APT_OPTIONS:-}; do
    word=${word#-o}
    printf '%s "%s";\n' "${word%%=*}" "${word#*=}"
  done >"$folder/etc/apt/apt.conf.d/90options"
  {
    in_bare_system "$folder" apt-get -q update
    in_bare_system "$folder" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
      --no-install-recommends -o Acquire::Retries=3 "$@"
  } >>"$folder.apt.log" 2>&1 || die "apt-get failed: $(tail -n 5 "$folder.apt.log")"
}
