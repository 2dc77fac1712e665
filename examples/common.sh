# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What the scripts of this repository share. It is sourced, never run:
#   . "$(dirname "$0")/common.sh"

# The repository's root.
RDP_ROOT=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  warn "$@"
  exit 1
}

# What is wrong with the arguments, and where the right ones are described.
usage_error() {
  warn "$*"
  warn "see: $0 --help"
  exit 2
}

# need_value OPTION "$@": fails unless OPTION is followed by a value.
need_value() {
  [ $# -ge 3 ] || usage_error "$1 needs a value"
}

# whole_number NAME VALUE [SMALLEST]
whole_number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] || usage_error "$1 is a whole number, not '$2'"
  [ "$((10#$2))" -ge "${3:-0}" ] || usage_error "$1 is at least ${3:-0}, not $2"
}

# number NAME VALUE: a decimal number that is not negative.
number() {
  [[ $2 =~ ^[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$ || $2 =~ ^\.[0-9]+$ ]] ||
    usage_error "$1 is a number such as 4 or 0.5, not '$2'"
}

# positive_number NAME VALUE: one above 0.
positive_number() {
  number "$1" "$2"
  awk -v value="$2" 'BEGIN {exit !(value > 0)}' || usage_error "$1 is above 0, not $2"
}

# Runs a command as root. sudo may ask for a password only where somebody can type it.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

# install_packages GROUP...: installs what is missing of these groups of examples/debian-packages.
# Where nothing is missing, neither the network nor root is needed.
install_packages() {
  local group package wanted missing=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    warn "this is not Debian: make sure that the counterparts of these packages are installed:" \
      "$(awk -v groups=" $* " 'NF == 2 && index(groups, " " $1 " ") {printf "%s ", $2}' \
        "$RDP_ROOT/examples/debian-packages")"
    return 0
  fi
  while read -r group package; do
    for wanted in "$@"; do
      [ "$group" = "$wanted" ] || continue
      # A package that another one stands in for counts as installed, too.
      dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
        missing+=("$package")
    done
  done <"$RDP_ROOT/examples/debian-packages"
  [ "${#missing[@]}" -gt 0 ] || return 0

  say "Installing: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    die "packages are missing, and installing them needs root or sudo. As root, run:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  local apt=(env DEBIAN_FRONTEND=noninteractive) variable
  # sudo drops the environment; a proxy must still reach apt.
  for variable in http_proxy https_proxy no_proxy; do
    [ -z "${!variable:-}" ] || apt+=("$variable=${!variable}")
  done
  apt+=(apt-get -q -o Acquire::Retries=3)
  if ! as_root "${apt[@]}" update ||
    ! as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; then
    die "apt-get could not install: ${missing[*]} (its messages are above)"
  fi
}

# Debian's own meson where there is one: another that comes first on PATH may belong to a python3
# without the modules it needs.
meson_command() {
  if [ -n "${MESON:-}" ]; then
    say "$MESON"
  elif [ -x /usr/bin/meson ]; then
    say /usr/bin/meson
  else
    command -v meson || die "meson is missing (package: meson)"
  fi
}

# python_with MODULE...: prints an interpreter that can import all of them. $PYTHON comes first.
python_with() {
  local candidate imports='' module
  for module in "$@"; do imports+="import $module;"; done
  for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
    if [ -n "$candidate" ] && "$candidate" -c "$imports" >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

# Of any version: alone, --exists asks for one that is as new as GStreamer itself.
have_element() {
  gst-inspect-1.0 --exists --atleast-version=0.0.0 "$1"
}

# Makes the elements of this repository findable: those that are already (installed, or inside
# `meson devenv`), else those of the build directory ($BUILD, else build).
use_elements() {
  command -v gst-inspect-1.0 >/dev/null ||
    die "gst-inspect-1.0 is missing: install GStreamer's tools (Debian: gstreamer1.0-tools)"
  local build=${BUILD:-$RDP_ROOT/build} plugins
  plugins=$build/gst/elements
  if [ -d "$plugins" ] && [[ ":${GST_PLUGIN_PATH:-}:" != *":$plugins:"* ]]; then
    if [ -n "${BUILD:-}" ] || ! have_element rdpsegment; then
      export GST_PLUGIN_PATH="$plugins${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
      export GI_TYPELIB_PATH="$build/gst/rdpsegment${GI_TYPELIB_PATH:+:$GI_TYPELIB_PATH}"
      export LD_LIBRARY_PATH="$build/gst/rdpsegment${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    fi
  fi
  have_element rdpsegment && return
  # The whole list is read: grep -q would end gst-inspect-1.0 with SIGPIPE.
  if gst-inspect-1.0 -b | grep libgstrdpsegment >/dev/null; then
    die "GStreamer has blacklisted the plugin of rdpsegment, because it once failed to load. See why with
  GST_REGISTRY=/tmp/new-registry.bin GST_REGISTRY_FORK=no GST_DEBUG=GST_PLUGIN_LOADING:5 gst-inspect-1.0 rdpsegment
mend that, and make GStreamer try again with
  rm -f ${GST_REGISTRY:-${XDG_CACHE_HOME:-$HOME/.cache}/gstreamer-1.0/registry.*.bin}"
  fi
  die "GStreamer does not find the element rdpsegment. Build it first, for instance with
  $RDP_ROOT/examples/quickstart.sh
If it is built elsewhere, name its build directory: BUILD=/path/to/build $0"
}

# need_elements ELEMENT...: fails unless GStreamer has them and this repository's own. A dry run
# needs nothing.
need_elements() {
  local element
  [ "${DRY_RUN:-0}" = 0 ] || return 0
  use_elements
  for element in "$@"; do
    have_element "$element" || die "the element $element is missing.$(where_from "$element")"
  done
}

where_from() {
  case $1 in
    v4l2src | pngdec | pngenc | jpegdec | multifilesrc | multifilesink | autovideosink)
      say " It is in GStreamer's good plugins (Debian: gstreamer1.0-plugins-good)." ;;
    pngfoldersrc)
      say " It is one of these, in builds that have found libpng (Debian: libpng-dev)." ;;
    videoconvert | videoscale | rawvideoparse)
      say " It is in GStreamer's base plugins (Debian: gstreamer1.0-plugins-base)." ;;
    openni2src)
      say " It is in GStreamer's bad plugins (Debian: gstreamer1.0-plugins-bad)." ;;
    zedsrc | zeddemux)
      say " It comes from Stereolabs: https://github.com/stereolabs/zed-gstreamer" ;;
    realsensesrc | rsdemux)
      say " It comes from https://github.com/WKDSMRT/realsense-gstreamer" ;;
    k4asrc | rgbddemux)
      say " It comes from Aivero's RGB-D plugins: https://gitlab.com/aivero/legacy/public/aivero-rgbd-toolkit" ;;
  esac
}

# The command line as one could type it, a branch of the pipeline on each line.
print_pipeline() {
  local word line='gst-launch-1.0 -e'
  for word in "$@"; do
    case $word in
      *. | *.src | *.overlay)
        say "$line \\"
        line="   $word"
        ;;
      *) line+=" $(quoted "$word")" ;;
    esac
  done
  say "$line"
}

quoted() {
  if [[ $1 =~ ^[A-Za-z0-9_./:,=%@+!-]+$ ]]; then printf '%s' "$1"; else printf "'%s'" "${1//\'/\'\\\'\'}"; fi
}

# run_pipeline WORD...: runs it, or prints it where DRY_RUN=1.
run_pipeline() {
  if [ "${DRY_RUN:-0}" = 1 ]; then
    print_pipeline "$@"
  else
    gst-launch-1.0 -e "$@"
  fi
}
