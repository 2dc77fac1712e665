// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_watch.h"

#include <algorithm>
#include <cstdlib>

namespace rdp::gst {
namespace {

// Share of the known pixels: if so many have the largest disparity, they are no mismatches, but
// something nearer than the search range.
constexpr double kManySaturated = 0.05;
// Below it the known pixels say nothing of the range.
constexpr double kEnoughKnown = 0.05;
// One pair shows that its views are exchanged where that gives so many times as much.
constexpr double kClearlyMore = 4.0;
// Buffers in a row, of both streams, that met none.
constexpr guint64 kManyMisses = 10;

double share(guint64 part, guint64 whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double milliseconds(guint64 time) { return static_cast<double>(time) / 1e6; }

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
      ("Disparities up to %d px are looked at, but the pictures are %d px wide: what has no place "
       "in the right view is unknown.",
       end - 1, width),
      ("disparities=%d, min-disparity=%d; a smaller number takes less time and memory",
       parameters.disparities, parameters.min_disparity));
}

void StereoWatch::warn_of_range(const stereo::Counts& counts,
                                const stereo::Parameters& parameters) {
  const double saturated = share(counts.saturated, counts.known);
  const int largest = parameters.min_disparity + parameters.disparities - 1;
  if (saturated < kManySaturated || largest <= said_range_) return;
  said_range_ = largest;
  const int most = (stereo::kMostDisparities - stereo::first_sample(parameters.min_disparity)) /
                   stereo::kDisparityStep * stereo::kDisparityStep;
  const int more = std::min(2 * parameters.disparities, most);
  if (more > parameters.disparities) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity there is, %d px: things are "
         "nearer than is looked at. Set disparities=%d.",
         100.0 * saturated, largest, more),
        ("disparities=%d, min-disparity=%d", parameters.disparities, parameters.min_disparity));
  } else if (parameters.min_disparity < 0) {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity there is, %d px, and no more than "
         "%d disparities are looked at: things are nearer than is looked at. Set a larger "
         "min-disparity, or make the pictures smaller (videoscale before the element, both views "
         "alike).",
         100.0 * saturated, largest, parameters.disparities),
        ("disparities=%d, min-disparity=%d", parameters.disparities, parameters.min_disparity));
  } else {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("%.0f %% of the known pixels have the largest disparity there is, %d px, and more than "
         "%d px are not looked at: things are too near for these pictures. Make them smaller "
         "(videoscale before the element, both views alike), or keep a larger distance.",
         100.0 * saturated, largest, stereo::kMostDisparities - 1),
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
           "views before they come here.",
           known, then, std::abs(diagnosis.rows), std::abs(diagnosis.rows) == 1 ? "row" : "rows",
           diagnosis.rows > 0 ? "up" : "down"),
          (nullptr));
      break;
    case Finding::kNothing:
      GST_ELEMENT_WARNING(
          element_, STREAM, FORMAT,
          ("Little is known of %d pairs in a row (%.0f %% of the pixels where it was looked at): "
           "is the pair rectified, of the same moment, and are there textures to be matched? "
           "Neither "
           "exchanged views nor rows that are off explain it.",
           stereo::kLittleKnownFrames, known),
          ("calibration makes a rectified pair of two cameras; min-disparity and disparities say "
           "which distances are looked at"));
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
        ("%" G_GUINT64_FORMAT " buffers in a row met none of the other view, which did not come: "
         "they are dropped. Does the other camera run, and is it as fast as this one?",
         misses.count),
        ("sync-tolerance is %.3f ms; latency is how long a live buffer is waited for", tolerance));
    return;
  }
  const double apart = milliseconds(*misses.nearest);
  GST_ELEMENT_WARNING(
      element_, STREAM, FAILED,
      ("left and right keep missing each other: of the last %" G_GUINT64_FORMAT
       " buffers the nearest two are %.3f ms apart, and sync-tolerance is %.3f ms. Give both "
       "cameras one clock or trigger and the same rate, or set sync-tolerance=%" G_GUINT64_FORMAT
       " where nothing moves.",
       misses.count, apart, tolerance, *misses.nearest),
      ("by the running times of the buffers; what meets nothing is dropped and counted in stats"));
}

}  // namespace rdp::gst
