// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_ELEMENT_H_
#define RDP_TESTS_CONFORMANCE_ELEMENT_H_

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/frames.h"

// The table of elements: what a row of the suite has to know of an element to run it. A row is a
// case that is written once and holds for every element that it applies to.
namespace conformance {

using frames::Content;
using frames::Shape;
// One of each input.
using Shapes = std::vector<Shape>;
using Contents = std::vector<Content>;
// Of a cloud of floats, twelve bytes a point.
inline constexpr char kCloudCaps[] =
    "application/x-points,format=XYZ32F,point-step=12,offset=0,unit=(double)1.0,axes=camera,"
    "framerate=30/1";
// What is wrong with a buffer that came out; "" if nothing is.
using Check = std::function<std::string(GstBuffer* output)>;

struct Element {
  std::string name;      // of the entry
  std::string factory;   // of the element
  std::string settings;  // as behind the element's name in a pipeline
  // The pads that frames come to. None: a source, which makes its frames itself.
  std::vector<std::string> inputs = {"sink"};
  std::size_t main = 0;  // the input whose stream the output goes on with
  // Source pads on request, each with a thread of its own.
  std::vector<std::string> sides;
  // What it is fed in turn. Most rows use the first alone.
  std::vector<Shapes> shapes = {{{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16}}};
  // What frames of such shapes show. Of clouds, the content is their bytes. Without: depth frames.
  std::function<Contents(const Shapes& shapes, unsigned scene)> draw;
  // The caps of an input. Without: those of a picture.
  std::function<std::string(std::size_t input, const Shape& shape)> caps;
  // Which caps the source pad is to have; "": any.
  std::string src_caps;
  // Words of the error that refuses caps: the caps that it takes, and the remedy.
  std::string takes = "format GRAY16_LE or GRAY8, up to 16384x16384";
  std::string remedy =
      "GRAY16_BE: put videoconvert ! video/x-raw,format=GRAY16_LE before it. Colour is not depth, "
      "and videoconvert would give its luminance: take the depth stream of the source. Other "
      "memory: put the element that downloads it before this one.";
  // What frames carry beside their samples.
  std::function<void(std::size_t input, const Content& content, GstBuffer* buffer)> describe;
  // Before it starts.
  std::function<void(GstElement* element)> prepare;
  // What the scalar reference makes of these. Without: what the element itself makes of them in the
  // plainest stream there is, which tests of its own compare.
  std::function<Check(const Contents& contents)> expect;
  // The same for what a side sends. Without: it is not compared.
  std::function<Check(const std::string& side, const Contents& contents)> expect_side;
  // Which bytes of an output are the same in all streams. Without: all of them.
  std::function<std::vector<std::uint8_t>(const Shapes& shapes, GstBuffer* output)> result;
  // Of a source, what its frame `number` has to be.
  std::function<Check(guint64 number)> expect_made;
  // The same element with other settings, inputs or caps, for rows that compare a stream with
  // itself: add_way() makes them.
  std::vector<Element> ways = {};
  bool tries_properties = true;   // of a way: whether all properties are tried in it, too
  bool needs_all = false;         // of several inputs: nothing comes of one alone
  bool pictures = true;           // inputs are pictures
  bool layouts = true;            // in any layout: strides, offsets, GstVideoMeta
  bool crops = true;              // takes them cropped in place
  bool in_place = true;           // the buffers that come go on
  bool on_gpu = true;             // works on CUDA memory, too
  bool on_nvmm = true;            // and on NVMM memory, where its caps name that
  bool gpu_only = false;          // is there only where a device is
  bool calls_driver = true;       // of CUDA, for frames in its memory
  bool makes_context = true;      // of CUDA, when it starts, where nobody gives one
  bool side_of_pairs = false;     // a side's buffer is all 0 where the main one has no other
  bool writes = false;            // to the samples of buffers that go on
  std::uint64_t metas = 1;        // that a frame is given
  std::uint64_t allocations = 0;  // for a frame, of its base class
  std::uint64_t queries = 0;      // for a frame, of GstAggregator at most: see steady.cpp
  // Of the host for the device, for a frame in CUDA memory; once more where what is made of it goes
  // to the host.
  std::uint64_t waits = 1;
  unsigned further_errors = 0;  // errors more than one that its base class makes of a failure

  bool aggregates = false;  // one input, on the base for several
  bool ends_here = false;   // a sink: without a source pad; in few rows
  // On a base class of codecs: events wait for the next frame, a flush drops them, and a segment
  // that runs backwards needs an end.
  bool codec = false;

  bool is_source() const { return inputs.empty(); }
  bool has_one_input() const { return !is_source() && !is_joined(); }
  bool is_joined() const { return inputs.size() > 1 || aggregates; }
};

// Adds another way, with these settings behind the element's own. What comes of it is not compared
// with a reference.
Element& add_way(Element* element, const std::string& settings);
void add_ways(Element* element, std::initializer_list<const char*> settings);
// The element itself and its ways, nothing of which is compared with a reference.
std::vector<Element> all_ways(const Element& element);

// All there are, in the plugin or, for what is no part of it, in the program.
const std::vector<Element>& elements();

// The samples of a frame in system or CUDA memory, row after row without gaps, wherever a
// GstVideoMeta and a GstVideoCropMeta say that they are; empty where they cannot be read.
std::vector<std::uint8_t> samples_of(GstBuffer* buffer, const Shape& shape);
// Words of elements of views that refuse caps.
inline constexpr char kLumaTaken[] =
    "format GRAY8, NV12 or I420 (only the luma is matched), up to 16384x16384";
inline constexpr char kLumaRemedy[] =
    "Colour: put videoconvert ! video/x-raw,format=GRAY8 before it, or nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. GRAY16: convert it to GRAY8 in the same way. Other "
    "memory: put the element that downloads it before this one.";
// What is said of samples that cannot be read.
inline constexpr char kUnreadable[] = "its samples cannot be read";
// "" if those are the samples.
std::string same_samples(GstBuffer* buffer, const Shape& shape, const void* expected);

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_ELEMENT_H_
