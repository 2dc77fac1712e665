// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_SETTINGS_H_
#define RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_SETTINGS_H_

#include <gst/gst.h>

#include <cstdint>
#include <string>

#include "common/heightmap/engine.h"
#include "common/heightmap/head_tracks.h"
#include "common/heightmap/overlay.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

enum class HeightOutput { kHeightMm, kDepthMm };
enum class Undistort {
  kAuto,  // views whose lens distorts are resampled
  kOff,   // such views are refused
};

// The enumerations of the properties.
GType height_output_get_type();
GType undistort_get_type();
GType heights_overlay_style_get_type();

// The user's settings of the search, lengths in metres. The lengths in `parameters` are not used.
struct HeightSearch {
  heightmap::Parameters parameters;
  double min_height = 1.4;
  double max_height = 1.975;
  double height_step = 0.025;
  double low_step = 0.05;

  bool operator==(const HeightSearch&) const = default;
};

// The user's settings of heightmap. A set of views works on a copy taken when it is complete.
struct HeightSettings : JoinerSettings {
  HeightSearch search;
  guint reference = 0;
  HeightOutput output = HeightOutput::kHeightMm;
  Undistort undistort = Undistort::kAuto;
  SharedText area;
  double cell_size = 0.05;
  guint table_memory = 256;  // MB
  bool track_heads = false;
  double gate = heightmap::kHeadTracks.gate / 1000.0;          // m
  obstacles::TrackParameters tracks = heightmap::kHeadTracks;  // without the gate
};

// Rounds metres to whole millimetres, halves up, as the method counts.
int millimetres(double metres);

// Converts settings to the engine's parameters.
heightmap::Parameters parameters_of(const HeightSearch& search);

// Explains a contradiction between values that are each in range, with the remedy, as a sentence;
// empty if there is none. Throws std::bad_alloc.
std::string explain_settings(const HeightSearch& search);

// Parses a polygon, "x,y x,y x,y" in metres; null gives an empty one. False: *reason says what was
// expected, what came and what to do. Throws std::bad_alloc.
bool read_area(const char* text, heightmap::Area* area, std::string* reason);

// Explains the fault of a raster with cells of `cell` millimetres over a non-empty area, with the
// remedy; empty if there is none. Throws std::bad_alloc.
std::string explain_grid(const heightmap::Area& area, int cell);

enum class Processor { kCpu, kGpu };

// Explains that an engine needs more than the `most` bytes of the machine or the GPU, and what
// would need less; empty if it fits. Throws std::bad_alloc.
std::string explain_memory(const heightmap::Memory& memory, std::uint64_t most, Processor of,
                           const heightmap::Rig& rig, const heightmap::Parameters& parameters);
// Maximum memory of this process: the machine's, or the process limit if that is lower.
std::uint64_t most_memory();

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_SETTINGS_H_
