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

// Metres as whole millimetres, halves up: as the method counts.
int millimetres(double metres);

// As the engine takes them.
heightmap::Parameters parameters_of(const HeightSearch& search);

// The fault of values that are in their ranges one by one, with the remedy, as a sentence; empty:
// none. Throws std::bad_alloc.
std::string explain_settings(const HeightSearch& search);

// Reads a polygon, "x,y x,y x,y" in metres. False: *reason says what was expected, what came and
// what to do. Null is no polygon. Throws std::bad_alloc.
bool read_area(const char* text, heightmap::Area* area, std::string* reason);

// The fault of a raster of cells of so many millimetres over an area that is not empty, with the
// remedy; empty: none. Throws std::bad_alloc.
std::string explain_grid(const heightmap::Area& area, int cell);

enum class Processor { kCpu, kGpu };

// Why an engine cannot have the memory that it needs, where the machine or the GPU has `most`
// bytes, and what needs less; empty: it can. Throws std::bad_alloc.
std::string explain_memory(const heightmap::Memory& memory, std::uint64_t most, Processor of,
                           const heightmap::Rig& rig, const heightmap::Parameters& parameters);
// The most memory that this process can have: of the machine, and of the limit that it was given.
std::uint64_t most_memory();

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_SETTINGS_H_
