# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What the scripts with a pipeline from some depth source to segments have in common. It is sourced,
# never run. A script sets its options' defaults, defines usage(), calls parse_options "$@" and then
# run_segmentation with the pipeline up to and including the caps that rdpsegment gets.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The options of all sources, and the unit of epsilon in the usage text; a script may change them.
frames=
out=
epsilon=4
unit=px
DRY_RUN=0
# Properties of rdpsegment beside epsilon, e.g. (sample-scale=0.00390625).
segment_properties=()

common_options() {
  cat <<END
  --epsilon E      the tolerance ($epsilon $unit)
  --frames N       stop after N frames
  --out FOLDER     write overlay-00000.png ... and segments.jsonl there; without it, the overlay is
                   shown in a window
  --dry-run        print the pipeline, run nothing
END
}

# parse_options "$@": sets a variable for each option: --min-depth sets $min_depth. What the script
# takes beside the common options stands in $own_options; the other arguments end up in
# $arguments, at most $most_arguments of them.
arguments=()
parse_options() {
  local name
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --dry-run)
        DRY_RUN=1
        shift
        ;;
      --*)
        [[ " epsilon frames out ${own_options:-} " == *" ${1#--} "* ]] ||
          usage_error "unknown option $1"
        need_value "$1" "$@"
        name=${1#--}
        declare -g "${name//-/_}=$2"
        shift 2
        ;;
      *)
        arguments+=("$1")
        [ "${#arguments[@]}" -le "${most_arguments:-0}" ] || usage_error "unexpected argument '$1'"
        shift
        ;;
    esac
  done
  number --epsilon "$epsilon"
  [ -z "$frames" ] || whole_number --frames "$frames" 1
}

# In millimetres a plane is no straight line, its inverse is: segment 1e6 / z, which is 1/km. There,
# epsilon 10 is 4 cm at 2 m and 25 cm at 5 m. Some cameras write 65535 for what they do not know.
segment_millimetres() {
  segment_properties=(domain=inverse inverse-scale=1e6 max-value=65534 median=3x3)
}

# run_segmentation WORD...: adds the segmentation and its outputs, and runs the whole or prints it.
# None of the queues is needed to start. They let a branch be late now and then, as when it encodes a
# PNG, while the frames go on. Files get every picture, also those of a camera; in a window the newest
# is shown, and has no queue to wait in.
run_segmentation() {
  local pipeline=("$@" ! rdpsegment name=seg "epsilon=$epsilon" "${segment_properties[@]}")
  if [ -n "$out" ]; then
    pipeline+=(
      overlay::drop=never
      seg.src ! queue ! rdpmetaconvert ! filesink "location=$out/segments.jsonl"
      seg.overlay ! queue ! pngenc ! multifilesink "location=$out/overlay-%05d.png"
    )
  else
    pipeline+=(
      seg.src ! queue ! fakesink "sync=true"
      seg.overlay ! videoconvert ! autovideosink
    )
  fi
  if [ "$DRY_RUN" = 1 ]; then
    print_pipeline "${pipeline[@]}"
    return
  fi
  if [ -n "$out" ]; then
    mkdir -p "$out" || die "cannot make the folder $out"
    rm -f "$out"/overlay-*.png "$out"/segments.jsonl
  elif [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    die "there is no display to show the overlay on: write it to files with --out FOLDER"
  fi
  run_pipeline -q "${pipeline[@]}"
  [ -z "$out" ] || report "$out"
}

# What there is in an output folder now.
report() {
  local count
  count=$(wc -l <"$1/segments.jsonl")
  [ "$count" -gt 0 ] || die "no frame came through: nothing was written to $1"
  say "$count frames: $1/segments.jsonl, and pictures of them in $1/overlay-*.png"
}
