// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_ELEMENT_H_
#define RDP_TESTS_CONFORMANCE_ELEMENT_H_

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/frames.h"

// The table of elements, with everything that the suite's rows need to know of an element. A row is
// a test that is written once and runs for every element that it applies to.
namespace conformance {

using frames::Content;
using frames::Shape;
// One shape per input.
using Shapes = std::vector<Shape>;
using Contents = std::vector<Content>;
// Caps of a point cloud of floats, twelve bytes per point.
inline constexpr char kCloudCaps[] =
    "application/x-points,format=XYZ32F,point-step=12,offset=0,unit=(double)1.0,axes=camera,"
    "framerate=30/1";
// Returns the fault of an output buffer; "": none.
using Check = std::function<std::string(GstBuffer* output)>;

struct Element {
  std::string name;      // of the entry
  std::string factory;   // of the element
  std::string settings;  // as in a pipeline, after the element's name
  // Input pads. A source has none, and makes its frames itself.
  std::vector<std::string> inputs = {"sink"};
  std::size_t main = 0;  // the input whose stream the output continues
  // Request source pads, each with its own thread.
  std::vector<std::string> sides;
  // The input shapes to try. Most rows use the first one only.
  std::vector<Shapes> shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}}};
  // Draws frames of such shapes, or the bytes of clouds. Default: depth frames.
  std::function<Contents(const Shapes& shapes, unsigned scene)> draw;
  // The caps of an input. Default: those of a picture.
  std::function<std::string(std::size_t input, const Shape& shape)> caps;
  // The required caps of the source pad; "": any.
  std::string src_caps;
  // Parts of the error for refused caps: the accepted caps, and the remedy.
  std::string takes = "format GRAY16_LE or GRAY8, up to 16384x16384";
  std::string remedy =
      "GRAY16_BE: put videoconvert ! video/x-raw,format=GRAY16_LE before it. Colour is not depth, "
      "and videoconvert would give its luminance: take the depth stream of the source. Other "
      "memory: put the element that downloads it before this one.";
  // Adds metadata to a frame.
  std::function<void(std::size_t input, const Content& content, GstBuffer* buffer)> describe;
  // Called before the element starts.
  std::function<void(GstElement* element)> prepare;
  // The scalar reference's result. Default: the element's own result in the simplest stream, which
  // its own tests check.
  std::function<Check(const Contents& contents)> expect;
  // The same for the output of a side pad. Default: not compared.
  std::function<Check(const std::string& side, const Contents& contents)> expect_side;
  // The bytes of an output that are equal in all streams. Default: all bytes.
  std::function<std::vector<std::uint8_t>(const Shapes& shapes, GstBuffer* output)> result;
  // For a source: the expected frame `number`.
  std::function<Check(guint64 number)> expect_made;
  // Variants of the element with other settings, inputs or caps, for rows that compare a stream
  // with itself. add_way() makes them.
  std::vector<Element> ways = {};
  bool tries_properties = true;   // in ways: all properties are tried, too
  bool needs_all = false;         // with several inputs: needs frames of all for an output
  bool pictures = true;           // inputs are pictures
  bool layouts = true;            // accepts any strides and offsets, and a GstVideoMeta
  bool crops = true;              // accepts frames cropped in place
  bool in_place = true;           // input buffers become output buffers
  bool on_gpu = true;             // also accepts CUDA memory
  bool on_nvmm = true;            // also accepts NVMM memory, if its caps name it
  bool gpu_only = false;          // exists only with a usable CUDA device
  bool calls_driver = true;       // calls the CUDA driver for frames in CUDA memory
  bool makes_context = true;      // makes a CUDA context on start if it gets none
  bool side_of_pairs = false;     // a side's buffer is all 0 if the main buffer has no partner
  bool writes = false;            // writes to the samples of buffers that it passes on
  std::uint64_t metas = 1;        // number of metas that it adds to a frame
  std::uint64_t allocations = 0;  // its base class's, per frame
  std::uint64_t queries = 0;      // GstAggregator's, at most, per frame: see steady.cpp
  // Waits of the host for the device per frame in CUDA memory; one more if the result goes to the
  // host.
  std::uint64_t waits = 1;
  unsigned further_errors = 0;  // errors that its base class adds to the first

  bool aggregates = false;  // one input, on GstAggregator
  bool ends_here = false;   // a sink without a source pad; in few rows
  // Based on a codec's class: events wait for the next frame, a flush drops them, and a backward
  // segment needs an end.
  bool codec = false;

  bool is_source() const { return inputs.empty(); }
  bool has_one_input() const { return !is_source() && !is_joined(); }
  bool is_joined() const { return inputs.size() > 1 || aggregates; }
};

// Adds a way with these additional settings. Its output is not compared with a reference.
Element& add_way(Element* element, const std::string& settings);
void add_ways(Element* element, std::initializer_list<const char*> settings);
// The element itself and its ways, all without a reference.
std::vector<Element> all_ways(const Element& element);

// All elements of the plugin, and those of the program that are no part of it.
const std::vector<Element>& elements();

// The samples of a frame in system or CUDA memory, row after row without gaps, as placed by
// GstVideoMeta and GstVideoCropMeta. Empty if they are unreadable.
std::vector<std::uint8_t> samples_of(GstBuffer* buffer, const Shape& shape);
// Parts of the error for refused caps, of elements with several views.
inline constexpr char kLumaTaken[] =
    "format GRAY8, NV12 or I420 (only the luma is matched), up to 16384x16384";
inline constexpr char kLumaRemedy[] =
    "Colour: put videoconvert ! video/x-raw,format=GRAY8 before it, or nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. GRAY16: convert it to GRAY8 in the same way. Other "
    "memory: put the element that downloads it before this one.";
// The complaint about unreadable samples.
inline constexpr char kUnreadable[] = "its samples cannot be read";
// Compares the samples; "" if they are equal.
std::string same_samples(GstBuffer* buffer, const Shape& shape, const void* expected);

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_ELEMENT_H_
