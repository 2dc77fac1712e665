// SPDX-License-Identifier: LGPL-2.1-or-later
// Results are independent of the memory layout: strides, offsets, several memories, shared buffers,
// crops in place. Bytes beside the samples are not written.
#include <algorithm>
#include <cstring>

#include "tests/conformance/stream.h"
#include "tests/support/crops.h"

namespace conformance {
namespace {

// Pushes one frame on all inputs, with these buffers, and checks the result.
void push_all(Stream& stream, const std::vector<GstBuffer*>& buffers, const std::string& what) {
  const guint64 before = stream.main.count();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const GstFlowReturn flow = stream.push(i, buffers[i]);
    fail_unless(flow == GST_FLOW_OK, "%s: %s: %s: %s", stream.of().name.c_str(), what.c_str(),
                gst_flow_get_name(flow), faults::listen(stream.bus).text().c_str());
  }
  fail_unless(stream.await(before + 1), "%s: %s: no frame: %s", stream.of().name.c_str(),
              what.c_str(), stream.said.text().c_str());
  fail_unless(stream.main.complaint().empty(), "%s: %s: %s", stream.of().name.c_str(), what.c_str(),
              stream.main.complaint().c_str());
}

// A layout, tested with all sizes and formats; `lay` makes an input's buffer.
struct Layout {
  std::string what;
  std::function<GstBuffer*(const Film& film, std::size_t input, guint64 number)> lay;
};
void check_layouts(const Element& element, const std::vector<Layout>& layouts) {
  for (const Shapes& shapes : element.shapes) {
    const Film film(element, shapes);
    for (const auto& [what, lay] : layouts) {
      Stream stream(film);
      fail_unless(stream.start() && stream.begin());
      for (guint64 number = 0; number < 2; ++number) {
        std::vector<GstBuffer*> buffers;
        for (std::size_t i = 0; i < shapes.size(); ++i) buffers.push_back(lay(film, i, number));
        push_all(stream, buffers, what);
      }
    }
  }
}

// A frame with the samples at another place of its buffer.
GstBuffer* placed(const Film& film, std::size_t input, guint64 number, gsize offset, int extra) {
  Content content = film.contents(number)[input];
  content.shape.offset = offset;
  content.shape.stride = static_cast<gint>(frames::row_bytes(content.shape)) + extra;
  GstBuffer* buffer = memory().make ? memory().make(content) : frames::new_buffer(content);
  return film.finish(buffer, input, number);
}

// Any strides and offsets of a GstVideoMeta are honoured. In device memory the device chooses the
// stride, and samples are aligned.
void strides(const Element& element) {
  const bool device = !memory().feature.empty();
  const bool brought = !device && memory().settings != "cpu";
  std::vector<Layout> layouts;
  for (const int extra : device    ? std::vector{0}
                         : brought ? std::vector{0, 7}
                                   : std::vector{0, 1, 2, 7, 64, 1000}) {
    for (const gsize offset : device    ? std::vector<gsize>{0, 52}
                              : brought ? std::vector<gsize>{0, 33}
                                        : std::vector<gsize>{0, 1, 2, 33}) {
      layouts.push_back(
          {std::to_string(extra) + " bytes between rows, from " + std::to_string(offset) + " on",
           [=](const Film& film, std::size_t input, guint64 number) {
             return placed(film, input, number, offset, extra);
           }});
    }
  }
  check_layouts(element, layouts);
}

// A frame may consist of several memories, with and without a GstVideoMeta.
void several_memories(const Element& element) {
  for (const bool meta : {false, true}) {
    if (meta && !(element.pictures && element.layouts)) continue;
    check_layouts(element, {{meta ? "several memories, described" : "several memories",
                             [meta](const Film& film, std::size_t input, guint64 number) {
                               GstBuffer* whole = film.make(input, number);
                               GstBuffer* parts = gst_buffer_new();
                               const std::vector<std::uint8_t> bytes = frames::bytes(whole);
                               const gsize piece = bytes.size() / 5 + 1;
                               for (gsize begin = 0; begin < bytes.size(); begin += piece) {
                                 const gsize size = std::min(piece, bytes.size() - begin);
                                 GstMemory* part = gst_allocator_alloc(nullptr, size, nullptr);
                                 GstMapInfo map;
                                 fail_unless(gst_memory_map(part, &map, GST_MAP_WRITE));
                                 std::memcpy(map.data, bytes.data() + begin, size);
                                 gst_memory_unmap(part, &map);
                                 gst_buffer_append_memory(parts, part);
                               }
                               gst_buffer_unref(whole);
                               const Shape shape = film.contents(number)[input].shape;
                               if (meta)
                                 frames::add_video_meta(parts, shape, frames::stride_of(shape));
                               return film.finish(parts, input, number);
                             }}});
  }
}

// The number of the library's metas on a buffer.
guint results_on(GstBuffer* buffer) {
  return gst_buffer_get_n_meta(buffer, GST_RDP_SEGMENT_META_API_TYPE) +
         gst_buffer_get_n_meta(buffer, GST_RDP_PLANES_META_API_TYPE) +
         gst_buffer_get_n_meta(buffer, GST_RDP_TRACKS_META_API_TYPE) +
         gst_buffer_get_n_meta(buffer, GST_RDP_MOTION_META_API_TYPE) +
         gst_buffer_get_n_meta(buffer, GST_RDP_HEIGHTS_META_API_TYPE) +
         gst_buffer_get_n_meta(buffer, GST_RDP_OBSTACLES_META_API_TYPE);
}

// A shared buffer is not changed: results are added to a copy of the buffer object. Pixels are
// copied only if the element writes to them.
void shared_buffers(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless(stream.start() && stream.begin());
  std::vector<GstBuffer*> held;
  std::vector<std::vector<std::uint8_t>> before;
  std::vector<guint> metas;
  for (std::size_t i = 0; i < element.inputs.size(); ++i) {
    held.push_back(film.make(i, 0));
    before.push_back(frames::bytes(held[i]));
    metas.push_back(results_on(held[i]));
    gst_buffer_ref(held[i]);
  }
  push_all(stream, held, "buffers that are held");
  for (std::size_t i = 0; i < held.size(); ++i) {
    fail_unless(frames::bytes(held[i]) == before[i], "%s has changed somebody else's frame",
                element.name.c_str());
    fail_unless_equals_int(results_on(held[i]), metas[i]);
    gst_buffer_unref(held[i]);
  }
}

// Buffers that only the element holds are passed on with their memory.
void in_place(const Element& element) {
  const Film film(element);
  Stream stream(film);
  GstBuffer* seen = nullptr;
  GstMemory* memory = nullptr;
  stream.look = [&](GstBuffer* buffer, guint64 nth) {
    seen = buffer;
    memory = gst_buffer_peek_memory(buffer, 0);
    return film.complaint(buffer, nth);
  };
  fail_unless(stream.start() && stream.begin());
  std::vector<GstBuffer*> buffers;
  for (std::size_t i = 0; i < element.inputs.size(); ++i) buffers.push_back(film.make(i, 0));
  GstBuffer* const pushed = buffers[0];
  GstMemory* const pushed_memory = gst_buffer_peek_memory(pushed, 0);
  push_all(stream, buffers, "in place");
  fail_unless(seen == pushed && memory == pushed_memory, "%s has copied the frame",
              element.name.c_str());
}

// --- behind a tee -------------------------------------------------------------------------------

void answer_caps(GstQuery* query, const char* taken) {
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  g_autoptr(GstCaps) all = gst_caps_from_string(taken);
  g_autoptr(GstCaps) some = filter == nullptr
                                ? gst_caps_ref(all)
                                : gst_caps_intersect_full(filter, all, GST_CAPS_INTERSECT_FIRST);
  gst_query_set_caps_result(query, some);
}

// A sink that reads GstVideoMeta, and accepts these caps in any memory by name.
void read_any_rows(faults::Sink* sink, const std::string& caps) {
  const std::string video = "video/x-raw";
  const std::string taken =
      caps.empty() ? "video/x-raw(memory:CUDAMemory);video/x-raw;application/x-points;"
                     "application/x-json"
      : caps.starts_with(video)
          ? video + "(memory:CUDAMemory)" + caps.substr(video.size()) + ";" + caps
          : caps;
  sink->query = [taken](GstQuery* query) {
    if (GST_QUERY_TYPE(query) == GST_QUERY_ALLOCATION) {
      gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
      return true;
    }
    if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
    answer_caps(query, taken.c_str());
    return true;
  };
}

// A sink that accepts any caps and answers no allocation query, as file sinks do.
void read_nothing(faults::Sink* sink) {
  sink->reads_device_rows = false;
  sink->query = [](GstQuery* query) {
    if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
    answer_caps(query, "ANY");
    return true;
  };
}

// The fault of a frame for a reader that knows the caps only.
std::string not_plain(GstPad* pad, GstBuffer* buffer) {
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
  GstVideoInfo info;
  if (!gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw")) return "";
  if (!gst_caps_features_is_equal(gst_caps_get_features(caps, 0),
                                  GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)) {
    return "a frame that is not in system memory";
  }
  fail_unless(gst_video_info_from_caps(&info, caps));
  if (gst_buffer_get_size(buffer) != GST_VIDEO_INFO_SIZE(&info)) {
    return std::to_string(gst_buffer_get_size(buffer)) + " bytes for a frame of " +
           std::to_string(GST_VIDEO_INFO_SIZE(&info));
  }
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const bool plain = meta == nullptr || (meta->stride[0] == GST_VIDEO_INFO_PLANE_STRIDE(&info, 0) &&
                                         meta->offset[0] == GST_VIDEO_INFO_PLANE_OFFSET(&info, 0));
  return plain ? "" : "rows of " + std::to_string(meta->stride[0]) + " bytes";
}

// A tee between a pad and its sink, with another sink in either order.
class Branches {
 public:
  Branches(faults::Sink* sink, faults::Sink* other, bool other_first)
      : tee_(gst_element_factory_make("tee", nullptr)), src_(gst_pad_get_peer(sink->pad())) {
    gst_object_ref_sink(tee_);
    gst_pad_unlink(src_, sink->pad());
    gst_element_set_state(tee_, GST_STATE_PLAYING);
    gst_pad_set_active(other->pad(), TRUE);
    for (faults::Sink* each : {other_first ? other : sink, other_first ? sink : other}) {
      pads_.push_back(gst_element_request_pad_simple(tee_, "src_%u"));
      fail_unless_equals_int(gst_pad_link(pads_.back(), each->pad()), GST_PAD_LINK_OK);
    }
    g_autoptr(GstPad) in = gst_element_get_static_pad(tee_, "sink");
    fail_unless_equals_int(gst_pad_link(src_, in), GST_PAD_LINK_OK);
  }
  ~Branches() {
    gst_element_set_state(tee_, GST_STATE_NULL);
    for (GstPad* pad : pads_) {
      gst_element_release_request_pad(tee_, pad);
      gst_object_unref(pad);
    }
    gst_object_unref(src_);
    gst_object_unref(tee_);
  }
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;

 private:
  GstElement* tee_;
  GstPad* src_;
  std::vector<GstPad*> pads_;
};

// If one branch of a tee cannot read padded rows, no branch gets them.
void tee(const Element& element) {
  const Film film(element);
  // Skips src if its frames are made upstream.
  for (std::size_t pad = element.in_place ? 1 : 0; pad <= element.sides.size(); ++pad) {
    for (const bool plain_first : {false, true}) {
      Stream stream(film);
      if (memory().new_stream) memory().new_stream();
      faults::Sink* const reader = pad == 0 ? &stream.main : stream.add_side(pad - 1);
      read_any_rows(reader, pad == 0 ? element.src_caps : "");
      faults::Sink plain("plain");
      read_nothing(&plain);
      plain.look = [&](GstBuffer* buffer, guint64 nth) {
        const std::string wrong = not_plain(plain.pad(), buffer);
        return wrong.empty() ? reader->look(buffer, nth) : wrong;
      };
      {
        const Branches branches(reader, &plain, plain_first);
        guint64 came = 0;
        if (element.is_source()) {
          came = stream.play();
        } else {
          fail_unless(stream.start() && stream.begin());
          for (; came < kFrames; ++came) {
            fail_unless_equals_int(stream.push(came), GST_FLOW_OK);
            fail_unless(plain.count_after(came + 1) == came + 1, "%s: no frame",
                        element.name.c_str());
          }
        }
        fail_unless(plain.count_after(came) == came && came > 0);
        stream.stop();
      }
      const std::string where = pad == 0 ? "src" : element.sides[pad - 1];
      fail_unless(plain.complaint().empty(), "%s, %s: %s", element.name.c_str(), where.c_str(),
                  plain.complaint().c_str());
      fail_unless(reader->complaint().empty(), "%s, %s: %s", element.name.c_str(), where.c_str(),
                  reader->complaint().c_str());
    }
  }
}

// Upstream learns that padded rows may be used only if downstream of the element supports them.
void handed_on(const Element& element) {
  for (const bool reads : {false, true}) {
    const Film film(element);
    Stream stream(film);
    reads ? read_any_rows(&stream.main, element.src_caps) : read_nothing(&stream.main);
    fail_unless(stream.start() && stream.begin());
    g_autoptr(GstCaps) caps = gst_caps_from_string(film.caps(element.main).c_str());
    g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
    const bool answered = gst_pad_peer_query(stream.source(element.main), query) != FALSE;
    const bool told =
        answered && gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
    fail_unless(told == reads, "%s: GstVideoMeta is %sread", element.name.c_str(),
                told ? "said to be " : "not said to be ");
  }
}

// --- crops --------------------------------------------------------------------------------------

// A picture with `content` at the crop; other bytes are 0x5A.
GstBuffer* around(const Content& content, const Shape& picture, const crops::Rectangle& crop) {
  Content whole(picture);
  std::fill(whole.samples.begin(), whole.samples.end(), std::byte{0x5A});
  const gsize row = frames::row_bytes(content.shape);
  const gsize sample = row / static_cast<gsize>(content.shape.width);
  const gsize stride = frames::row_bytes(picture);
  for (gsize r = 0; r < static_cast<gsize>(content.shape.height); ++r) {
    std::memcpy(whole.samples.data() + (r + static_cast<gsize>(crop.y)) * stride +
                    static_cast<gsize>(crop.x) * sample,
                content.samples.data() + r * row, row);
  }
  whole.shape.offset = 4 * sample;
  if (!memory().make) whole.shape.stride = static_cast<gint>(stride) + 6;
  GstBuffer* buffer = memory().make ? memory().make(whole) : frames::new_buffer(whole);
  crops::add(buffer, crop);
  return buffer;
}

// Crops in place give the same results as cropped copies: odd offsets and sizes, corners, one
// column, one row, one sample, everything. With several inputs, those with the first one's format
// are cropped.
void cropped(const Element& element) {
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_RGBA}) {
    if (element.is_joined() && format != element.shapes[0][0].format) continue;
    const auto& shapes = element.shapes;
    const bool taken = std::any_of(shapes.begin(), shapes.end(), [&](const Shapes& each) {
      return each[0].format == format || (each[0].format == GST_VIDEO_FORMAT_GRAY16_LE &&
                                          format == GST_VIDEO_FORMAT_GRAY8 && !element.codec);
    });
    if (!taken) continue;
    const Shape picture{format, 37, 29};
    for (const crops::Rectangle& crop : crops::of(picture)) {
      if (element.is_joined() && (crop.width < 20 || crop.height < 12)) continue;
      const std::string what = std::to_string(crop.width) + "x" + std::to_string(crop.height) +
                               " at " + std::to_string(crop.x) + ", " + std::to_string(crop.y);
      Shapes of_film = shapes[0];
      for (Shape& each : of_film) {
        if (!element.is_joined() || each.format == format) each = crops::shape_of(crop, picture);
      }
      const Film film(element, of_film);
      Stream stream(film);
      std::vector<std::uint8_t> before;
      std::vector<GstBuffer*> buffers;
      for (std::size_t i = 0; i < element.inputs.size(); ++i) {
        const bool whole = element.is_joined() && of_film[i].format != format;
        buffers.push_back(whole ? film.make(i, 0)
                                : film.finish(around(film.contents(0)[i], picture, crop), i, 0));
      }
      before = frames::bytes(buffers[0]);
      stream.look = [&](GstBuffer* buffer, guint64 nth) {
        std::string wrong = film.complaint(buffer, nth);
        if (!wrong.empty() || !element.in_place) return wrong;
        // Bytes outside of the crop are unchanged.
        const std::vector<std::uint8_t> after = frames::bytes(buffer);
        const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
        const auto stride = static_cast<gsize>(meta->stride[0]);
        for (gsize byte = 0; byte < after.size(); ++byte) {
          const bool inside = byte >= meta->offset[0] &&
                              crops::contains(crop, picture, stride, byte - meta->offset[0]);
          if (!inside && after[byte] != before[byte]) return std::string("a byte beside the crop");
        }
        return std::string();
      };
      fail_unless(stream.start() && stream.begin());
      push_all(stream, buffers, what);
    }
  }
}

// A crop beyond its picture is refused.
void bad_crop(const Element& element) {
  const Film film(element);
  Stream stream(film);
  fail_unless(stream.start() && stream.begin());
  GstBuffer* buffer = placed(film, 0, 0, 0, 0);
  const Shape& shape = film.shapes[0];
  crops::add(buffer, {shape.width - 4, 0, shape.width, shape.height});
  GstFlowReturn flow = stream.push(0, buffer);
  for (std::size_t i = 1; i < element.inputs.size() && flow == GST_FLOW_OK; ++i) {
    stream.push(i, film.make(i, 0));
  }
  fail_if(stream.await(1));
  fail_unless(stream.said.errors.size() == 1, "%s: %s", element.name.c_str(),
              stream.said.text().c_str());
  const std::string expected = "the buffer's GstVideoCropMeta says " + std::to_string(shape.width) +
                               "x" + std::to_string(shape.height) +
                               " from x=" + std::to_string(shape.width - 4) + ", y=0 on";
  fail_unless(stream.said.errors[0].find(expected) != std::string::npos, "%s",
              stream.said.errors[0].c_str());
}

bool takes_pictures(const Element& element) {
  return !element.is_source() && element.pictures && element.layouts;
}
bool takes_frames(const Element& element) { return !element.is_source(); }
bool takes_crops(const Element& element) { return !element.is_source() && element.crops; }
bool hands_pictures_on(const Element& element) {
  return takes_pictures(element) && element.in_place && !element.ends_here;
}
bool makes_frames(const Element& element) {
  return !element.ends_here && !(element.in_place && element.sides.empty()) &&
         element.factory != "depthupload";  // its output is in CUDA memory only
}
bool goes_on(const Element& element) { return !element.is_source() && element.in_place; }

}  // namespace

Rows layout_rows() {
  return {"layouts",
          {{"strides", strides, takes_pictures},
           {"several memories", several_memories, takes_frames, Row::Over::kSystem},
           {"shared buffers", shared_buffers, takes_frames, Row::Over::kCopied},
           {"in place", in_place, goes_on},
           {"tee", tee, makes_frames},
           {"handed on", handed_on, hands_pictures_on, Row::Over::kCopied},
           {"cropped", cropped, takes_crops, Row::Over::kCopied},
           {"bad crop", bad_crop, takes_crops, Row::Over::kCopied}}};
}

}  // namespace conformance
