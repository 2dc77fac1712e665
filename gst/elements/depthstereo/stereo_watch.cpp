// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_watch.h"

#include <algorithm>
#include <cstdlib>

namespace rdp::gst {
namespace {

// Share of the known pixels with the largest disparity: above it, they are no mismatches, but
// objects nearer than the search range.
constexpr double kManySaturated = 0.05;
// Minimum density at which the known pixels tell anything about the range.
constexpr double kEnoughKnown = 0.05;
// Density gain of swapped views that proves the swap by a single pair.
constexpr double kClearlyMore = 4.0;
// Consecutive unpaired buffers of both streams that cause a warning.
constexpr guint64 kManyMisses = 10;

double share(guint64 part, guint64 whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void StereoWatch::note(const stereo::Counts& counts, int width, int height,
                       const stereo::Parameters& parameters) {
  warn_of_width(width, parameters);
  const auto pixels = static_cast<guint64>(width) * static_cast<guint64>(height);
  const double known = share(counts.known, pixels);
  if (known >= kEnoughKnown) warn_of_range(counts, parameters);
  if (known >= stereo::kLittleKnown) {
    little_known_ = 0;
  } else if (little_known_ < stereo::kLittleKnownFrames) {
    ++little_known_;
  }
}

// Pixels beyond the left border have no match.
void StereoWatch::warn_of_width(int width, const stereo::Parameters& parameters) {
  const int end = parameters.min_disparity + parameters.disparities;
  if (end <= width || said_width_) return;
  said_width_ = true;
  GST_ELEMENT_WARNING(
      element_, LIBRARY, SETTINGS,
      ("The search range, up to %d px, exceeds what views %d px wide allow: reduce disparities.",
       end - 1, width),
      ("disparities=%d, min-disparity=%d; pixels without a match in the right view are unknown",
       parameters.disparities, parameters.min_disparity));
}

void StereoWatch::warn_of_range(const stereo::Counts& counts,
                                const stereo::Parameters& parameters) {
  const double saturated = share(counts.saturated, counts.known);
  const int largest = parameters.min_disparity + parameters.disparities - 1;
  if (saturated < kManySaturated || largest <= said_range_) return;
  said_range_ = largest;
  const int most = (stereo::kMaxDisparities - stereo::first_sample(parameters.min_disparity)) /
                   stereo::kDisparityStep * stereo::kDisparityStep;
  const int more = std::min(2 * parameters.disparities, most);
  if (more > parameters.disparities) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity of the search range, %d px: "
         "objects are nearer than it allows. Set disparities=%d.",
         100.0 * saturated, largest, more),
        ("disparities=%d, min-disparity=%d", parameters.disparities, parameters.min_disparity));
  } else if (parameters.min_disparity < 0) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity of the search range, %d px, and "
         "the range cannot be wider than %d disparities: objects are nearer than it allows. Set a "
         "larger min-disparity, or scale both views down alike (videoscale before the element).",
         100.0 * saturated, largest, parameters.disparities),
        ("disparities=%d, min-disparity=%d", parameters.disparities, parameters.min_disparity));
  } else {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity of the search range, %d px, and "
         "the range cannot go beyond %d px: objects are too near for pictures of this size. Scale "
         "both views down alike (videoscale before the element), or keep a larger distance.",
         100.0 * saturated, largest, stereo::kMaxDisparities - 1),
        ("disparities=%d, min-disparity=%d", parameters.disparities, parameters.min_disparity));
  }
}

void StereoWatch::take(const stereo::Diagnosis& diagnosis) {
  looked_ = true;
  if (little_known_ >= stereo::kLittleKnownFrames) {
    tell(diagnosis);
    return;
  }
  first_ = diagnosis;
  if (diagnosis.finding == stereo::Diagnosis::Finding::kSwapped &&
      diagnosis.known_then >= kClearlyMore * diagnosis.known) {
    tell(diagnosis);
  }
}

void StereoWatch::end() {
  if (diagnosed_ || !first_ || little_known_ == 0) return;
  if (first_->finding != stereo::Diagnosis::Finding::kNothing) tell(*first_);
}

void StereoWatch::tell(const stereo::Diagnosis& diagnosis) {
  using Finding = stereo::Diagnosis::Finding;
  diagnosed_ = true;
  const double known = 100.0 * diagnosis.known;
  const double then = 100.0 * diagnosis.known_then;
  switch (diagnosis.finding) {
    case Finding::kSwapped:
      GST_ELEMENT_WARNING(
          element_, STREAM, FORMAT,
          ("The views seem to be swapped: %.0f %% of the pixels are known, and %.0f %% with left "
           "and right exchanged. Link the left camera to the pad left and the right one to right; "
           "of a packed stream, multiview-flags=right-view-first in the caps exchanges them.",
           known, then),
          (nullptr));
      break;
    case Finding::kRowsOff:
      GST_ELEMENT_WARNING(
          element_, STREAM, FORMAT,
          ("The views are not rectified: %.0f %% of the pixels are known, and %.0f %% with the "
           "right view moved %d %s %s. Set calibration to a file with both cameras, or rectify the "
           "views upstream.",
           known, then, std::abs(diagnosis.rows), std::abs(diagnosis.rows) == 1 ? "row" : "rows",
           diagnosis.rows > 0 ? "up" : "down"),
          (nullptr));
      break;
    case Finding::kNothing:
      GST_ELEMENT_WARNING(
          element_, STREAM, FORMAT,
          ("Low density in %d consecutive pairs (%.0f %% of the pixels). Check rectification, "
           "synchronisation and texture; swapped views and row offsets were ruled out.",
           stereo::kLittleKnownFrames, known),
          ("calibration rectifies the views of two raw cameras; min-disparity and disparities set "
           "the range of distances"));
      break;
  }
}

void StereoWatch::look_at(const PairingMisses& misses) {
  if (misses.count < kManyMisses || said_misses_) return;
  said_misses_ = true;
  const double tolerance = milliseconds(misses.tolerance);
  if (!misses.nearest) {
    GST_ELEMENT_WARNING(
        element_, STREAM, FAILED,
        ("Dropped %" G_GUINT64_FORMAT " consecutive buffers: the other view delivered none. Check "
         "that both cameras run at the same rate.",
         misses.count),
        ("sync-tolerance is %.3f ms; latency limits how long live buffers wait", tolerance));
    return;
  }
  const double apart = milliseconds(*misses.nearest);
  GST_ELEMENT_WARNING(
      element_, STREAM, FAILED,
      ("left and right do not match in time: of the last %" G_GUINT64_FORMAT
       " buffers the nearest two are %.3f ms apart, but sync-tolerance is %.3f ms. Give both "
       "cameras one clock or trigger and the same rate, or set sync-tolerance=%" G_GUINT64_FORMAT
       " if nothing moves.",
       misses.count, apart, tolerance, *misses.nearest),
      ("by the running times of the buffers; buffers without a partner are dropped and counted in "
       "stats"));
}

}  // namespace rdp::gst
