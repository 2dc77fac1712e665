// SPDX-License-Identifier: LGPL-2.1-or-later
// Bad input causes an error that names the expected and the found value; afterwards good frames
// pass again.
#include <cstring>

#include "tests/conformance/nvmm.h"
#include "tests/support/mixed_frames.h"
#include "tests/support/unmappable_memory.h"

namespace conformance {
namespace {

bool takes_pictures(const Element& element) {
  return !element.is_source() && element.pictures && element.layouts;
}
bool takes_depth(const Element& element) {
  return takes_pictures(element) && element.shapes[0][0].format != GST_VIDEO_FORMAT_RGBA;
}

// Expects one error with all these words, and no frame.
void expect_refused(Stream& stream, GstFlowReturn flow, const std::string& domain,
                    const std::vector<std::string>& words, const std::string& what) {
  fail_if(stream.await(1));
  const std::string name = stream.of().name + ": " + what;
  fail_unless(stream.said.errors.size() == 1 ||
                  (!stream.said.errors.empty() && stream.of().further_errors > 0),
              "%s: %s, %s", name.c_str(), gst_flow_get_name(flow), stream.said.text().c_str());
  const std::string& error = stream.said.errors[0];
  fail_unless(error.find(domain) != std::string::npos, "%s: %s", name.c_str(), error.c_str());
  for (const std::string& word : words) {
    fail_unless(error.find(word) != std::string::npos, "%s: '%s' is not in %s", name.c_str(),
                word.c_str(), error.c_str());
  }
}

// Error codes: GST_CORE_ERROR_NEGOTIATION and GST_STREAM_ERROR_FORMAT.
constexpr const char* kNegotiation = "gst-core-error-quark 7";
constexpr const char* kFormat = "gst-stream-error-quark 11";

// Pushes refused caps and a frame on the first input.
GstFlowReturn push_with_caps(Stream& stream, const std::string& caps_text) {
  fail_unless(stream.start() && stream.begin());
  g_autoptr(GstCaps) caps = gst_caps_from_string(caps_text.c_str());
  gst_pad_push_event(stream.source(), gst_event_new_caps(caps));
  return stream.push(0, stream.film().make(0, 0));
}

void refused_caps(const Element& element) {
  const Film film(element);
  for (const char* caps :
       {"video/x-raw,format=RGB,width=64,height=48,framerate=30/1",
        "video/x-raw,format=GRAY16_BE,width=64,height=48,framerate=30/1",
        "video/x-raw,format=GRAY8,width=16385,height=48,framerate=30/1",
        "video/x-raw(memory:GLMemory),format=GRAY8,width=64,height=48,framerate=30/1",
        "audio/x-raw,rate=48000"}) {
    Stream stream(film);
    const GstFlowReturn flow = push_with_caps(stream, caps);
    fail_unless_equals_int(flow, GST_FLOW_NOT_NEGOTIATED);
    g_autoptr(GstCaps) given = gst_caps_from_string(caps);
    g_autofree gchar* text = gst_caps_to_string(given);
    expect_refused(stream, flow, kNegotiation,
                   {element.factory + " takes video/x-raw in system", element.takes,
                    std::string("it was given ") + text + ".", element.remedy},
                   caps);
    stream.check_fresh_start(caps);
  }
}

// Frames that are not one progressive picture each are refused. A single view of several is
// accepted. The error names the found value, and then the remedy.
void mixed_frames(const Element& element) {
  const Film film(element);
  for (const auto& each : frames::kMixedFrames) {
    Stream stream(film);
    const GstFlowReturn flow = push_with_caps(stream, film.caps(0) + "," + each.fields);
    const bool taken = each.remedy == nullptr;
    fail_unless_equals_int(flow, taken ? GST_FLOW_OK : GST_FLOW_NOT_NEGOTIATED);
    if (!taken) expect_refused(stream, flow, kNegotiation, {each.fields, each.remedy}, each.fields);
  }
}

void no_caps(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless(stream.start());
  gst_pad_set_active(stream.source(), TRUE);
  stream.event(gst_event_new_stream_start("nothing"));
  stream.segment();
  const GstFlowReturn flow = stream.push(0);
  fail_unless_equals_int(flow, GST_FLOW_NOT_NEGOTIATED);
  fail_unless_equals_uint64(stream.main.count(), 0);
}

// Downstream accepts other caps only.
void refused_downstream(const Element& element) {
  const Film film(element);
  for (const bool of_side : {false, true}) {
    if (of_side && element.sides.empty()) continue;
    Stream stream(film, of_side);
    faults::Sink& sink = of_side ? *stream.side() : stream.main;
    const auto takes = std::exchange(sink.query, [](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
      g_autoptr(GstCaps) caps = gst_caps_from_string("video/x-raw,format=RGBA,width=7,height=7");
      gst_query_set_caps_result(query, caps);
      return true;
    });
    fail_unless(stream.start());
    stream.begin();
    const GstFlowReturn flow = stream.push(0);
    fail_unless(flow == GST_FLOW_NOT_NEGOTIATED, "%s: %s", element.name.c_str(),
                gst_flow_get_name(flow));
    stream.await(2);
    fail_unless(stream.said.errors.size() == 1 &&
                    stream.said.errors[0].find(kNegotiation) != std::string::npos,
                "%s: %s", element.name.c_str(), stream.said.text().c_str());
    sink.query = takes;
    stream.check_fresh_start("downstream had refused");
  }
}

// The number of bytes up to the end of the last sample.
gsize needed_bytes(GstBuffer* buffer, const Shape& shape) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  return meta == nullptr ? gst_buffer_get_size(buffer)
                         : meta->offset[0] + frames::row_bytes(shape) +
                               static_cast<gsize>(meta->stride[0] * (shape.height - 1));
}

// Buffers that are too small for their caps, or empty. After each of them the element accepts good
// frames.
void small_buffers(const Element& element) {
  const Film film(element);
  for (const int part : {0, 1, 50, 99, 100}) {
    Stream stream(film);
    fail_unless(stream.start() && stream.begin());
    GstBuffer* buffer = film.make(0, 0);
    const gsize full = needed_bytes(buffer, film.shapes[0]);
    gst_buffer_resize(
        buffer, 0,
        static_cast<gssize>(part == 100 ? full - 1 : full * static_cast<gsize>(part) / 100));
    GstFlowReturn flow = stream.push(0, buffer);
    for (std::size_t i = 1; i < element.inputs.size() && flow == GST_FLOW_OK; ++i) {
      flow = stream.push(i, film.make(i, 0));
    }
    const bool is_drawn_on = !takes_depth(element) && !memory().feature.empty();
    expect_refused(stream, flow, kFormat,
                   {is_drawn_on ? "does not fit into its" : std::to_string(full) + " bytes"},
                   "a small buffer");
    if (element.is_joined()) {
      stream.check_fresh_start("a small buffer");
      continue;
    }
    fail_unless_equals_int(flow, GST_FLOW_ERROR);
    fail_unless_equals_int(stream.push(0), GST_FLOW_OK);
    fail_unless_equals_uint64(stream.main.count(), 1);
  }
}

// A wrong GstVideoMeta.
void bad_video_metas(const Element& element) {
  struct Lie {
    int wider, higher;
    gsize offset;
    int stride;  // added to the row's
    bool format;
    std::string reason;
  };
  const Film film(element);
  const Shape& shape = film.shapes[0];
  const auto row = static_cast<int>(frames::row_bytes(shape));
  const auto size = [&](int wider, int higher) {
    return "GstVideoMeta says " + std::to_string(shape.width + wider) + "x" +
           std::to_string(shape.height + higher);
  };
  GstBuffer* const good = film.make(0, 0);
  const std::string has = "but the buffer has " + std::to_string(gst_buffer_get_size(good));
  gst_buffer_unref(good);
  const bool on_device = !memory().feature.empty();
  for (const Lie& lie : {Lie{0, 0, 0, 0, true, size(0, 0)}, Lie{1, 0, 0, 2, false, size(1, 0)},
                         Lie{0, -1, 0, 0, false, size(0, -1)},
                         Lie{0, 0, 0, -1, false, "stride of " + std::to_string(row - 1)},
                         Lie{0, 0, 0, -row, false, "stride of 0"},
                         Lie{0, 0, 0, -2 * row, false, "stride of " + std::to_string(-row)},
                         Lie{0, 0, 0, 1, false, has}, Lie{0, 0, 1, 0, false, "at offset 1"},
                         Lie{0, 0, ~gsize{0} - 10, 0, false, "at offset"},
                         Lie{0, 0, 0, G_MAXINT - row, false, has}}) {
    // Colour pictures may be parts of larger ones.
    if (!takes_depth(element) && (lie.wider != 0 || lie.higher != 0)) continue;
    // Device memory has its own stride and alignment.
    if (on_device && (lie.stride == 1 || lie.offset == 1)) continue;
    if (on_device && !takes_depth(element) && !lie.format) continue;
    Stream stream(film);
    fail_unless(stream.start() && stream.begin());
    GstBuffer* buffer = film.make(0, 0);
    gsize offsets[GST_VIDEO_MAX_PLANES] = {0};
    gint strides[GST_VIDEO_MAX_PLANES] = {row + lie.stride};
    GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
    if (meta != nullptr) gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(meta));
    meta = gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, lie.format ? GST_VIDEO_FORMAT_UNKNOWN : shape.format,
        static_cast<guint>(shape.width + lie.wider), static_cast<guint>(shape.height + lie.higher),
        1, offsets, strides);
    meta->offset[0] = lie.offset;
    GstFlowReturn flow = stream.push(0, buffer);
    for (std::size_t i = 1; i < element.inputs.size() && flow == GST_FLOW_OK; ++i) {
      flow = stream.push(i, film.make(i, 0));
    }
    expect_refused(stream, flow, kFormat, {lie.reason}, lie.reason);
  }
}

// Unmappable memory, in shared and unshared buffers: the memory of shared ones would have to be
// copied.
void unreadable(const Element& element) {
  const Film film(element);
  for (const bool held : {false, true}) {
    Stream stream(film);
    fail_unless(stream.start() && stream.begin());
    GstBuffer* good = film.make(0, 0);
    const gsize size = gst_buffer_get_size(good);
    gst_buffer_unref(good);
    GstBuffer* buffer = gst_buffer_new();
    gst_buffer_append_memory(
        buffer, new_unmappable_memory(size, held ? GST_MEMORY_FLAG_NO_SHARE : GstMemoryFlags{}));
    film.finish(buffer, 0, 0);
    if (held) gst_buffer_ref(buffer);
    GstFlowReturn flow = stream.push(0, buffer);
    for (std::size_t i = 1; i < element.inputs.size() && flow == GST_FLOW_OK; ++i) {
      flow = stream.push(i, film.make(i, 0));
    }
    const char* const reason =
        held && !takes_depth(element) ? "cannot be copied" : "cannot be mapped";
    expect_refused(stream, flow, kFormat, {reason}, "unreadable");
    stream.stop();
    if (held) gst_buffer_unref(buffer);
  }
}

// A pad is activated before the element was started.
void not_started(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless_equals_int(gst_element_set_state(stream.element, GST_STATE_READY),
                         GST_STATE_CHANGE_SUCCESS);
  gst_pad_set_active(stream.input(), TRUE);
  stream.begin();
  const GstFlowReturn flow = stream.push(0, film.make(0, 0));
  fail_unless(flow != GST_FLOW_OK || element.is_joined(), "%s takes a frame in READY",
              element.name.c_str());
  fail_unless_equals_uint64(stream.main.count(), 0);
  stream.check_fresh_start("early frames");
}

// The reason for a missing device depends on the build and the machine. One error must give it, and
// another backend must start.
void no_device(const Element& element) {
  const Film film(element);
  Stream stream(film);
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(stream.element), "backend") == nullptr) {
    return;
  }
  gst_util_set_object_arg(G_OBJECT(stream.element), "backend", "cuda");
  if (gst_element_set_state(stream.element, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE) {
    const faults::Said said = faults::listen(stream.bus);
    fail_unless(said.errors.size() == 1 &&
                    said.errors[0].find("backend=cuda is not available: ") != std::string::npos,
                "%s: %s", element.name.c_str(), said.text().c_str());
  }
  gst_element_set_state(stream.element, GST_STATE_NULL);
  gst_util_set_object_arg(G_OBJECT(stream.element), "backend", "auto");
  stream.check_fresh_start("no device");
}

// GPU memory with backend=cpu is refused.
void on_the_cpu(const Element& element) {
  const bool nvmm = memory().feature == kNvmm;
  if (nvmm && element.factory != "rdpoverlay") return;  // its frames tell whose memory it is
  const Film film(element);
  Stream stream(film);
  gst_util_set_object_arg(G_OBJECT(stream.element), "backend", "cpu");
  fail_unless(stream.start());
  gst_pad_set_active(stream.source(), TRUE);  // the others have nothing to say
  stream.event(gst_event_new_stream_start("frames"));
  stream.set_caps(film);
  stream.segment();
  const GstFlowReturn flow = stream.push(0, film.make(0, 0));
  fail_unless_equals_int(flow, GST_FLOW_NOT_NEGOTIATED);
  expect_refused(stream, flow, kNegotiation,
                 {"With backend=cpu " + element.factory + " takes no " + (nvmm ? "NVMM" : "CUDA") +
                      " memory; it was given video/x-raw(memory:",
                  std::string("use backend=auto or backend=cuda, or put ") +
                      (nvmm ? "nvvideoconvert ! video/x-raw" : "depthdownload") + " before it"},
                 "backend=cpu");
}

bool takes_frames(const Element& element) { return !element.is_source(); }
bool has_one_input(const Element& element) { return element.has_one_input(); }
bool takes_one_view(const Element& element) {
  return takes_depth(element) && has_one_input(element);
}
bool looks_at_pictures(const Element& element) {
  return takes_pictures(element) && !element.gpu_only;
}
// Elements that copy frames accept them.
bool reads_one_view(const Element& element) { return takes_one_view(element) && !element.gpu_only; }

}  // namespace

Rows refusal_rows() {
  return {"refusals",
          {{"refused caps", refused_caps, takes_depth},
           {"mixed frames", mixed_frames, reads_one_view},
           {"no caps", no_caps, has_one_input},
           {"refused downstream", refused_downstream, takes_one_view},
           {"small buffers", small_buffers, takes_pictures, Row::Over::kCopied},
           {"bad video metas", bad_video_metas, takes_pictures, Row::Over::kCopied},
           {"unreadable", unreadable, takes_pictures, Row::Over::kSystem},
           {"not started", not_started, takes_frames},
           {"on the CPU", on_the_cpu, looks_at_pictures, Row::Over::kInDevice},
           {"no device", no_device, takes_frames}}};
}

}  // namespace conformance
