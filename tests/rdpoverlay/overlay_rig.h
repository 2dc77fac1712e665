// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_RDPOVERLAY_OVERLAY_RIG_H_
#define RDP_TESTS_RDPOVERLAY_OVERLAY_RIG_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/pipeline_rig.h"

// rdpoverlay between two sources that tests push to and a sink that keeps all buffers.
namespace overlay_rig {

using rdp::test::check_has;

inline const std::string kOpaque = "opacity=1 palette-min=0 palette-max=255";

inline void check(const std::string& text, const std::string& wanted) {
  fail_unless(text == wanted, "%s, not %s", text.c_str(), wanted.c_str());
}

// A frame for the pad `segments`. Its samples are zero: only its metadata is drawn.
struct DepthFrame {
  guint width = 8;
  guint height = 6;
  std::vector<std::vector<GstRdpSegment>> columns;
  GstRdpCamera* camera = nullptr;  // borrowed
};

// Segments of all colours with gaps between them. Some ends share a pair of rows or columns with
// undrawn pixels.
inline DepthFrame many_segments() {
  DepthFrame frame;
  frame.width = 16;
  frame.height = 12;
  frame.columns.resize(frame.width);
  for (guint16 c = 0; c < 16; c = static_cast<guint16>(c + 1 + c % 3)) {
    const auto far = static_cast<float>(15 * c);
    const auto odd = static_cast<guint16>(c % 2);
    const auto step = static_cast<guint16>(c % 4);
    const auto first_end = static_cast<guint16>(4 + odd);
    const auto second_end = static_cast<guint16>(8 + step);
    frame.columns[c] = {{step, first_end, far, 255.0F - far}, {8, second_end, 255.0F - far, far}};
  }
  return frame;
}

// Two columns in the middle, rows 1 to 4.
inline DepthFrame two_columns() {
  DepthFrame frame;
  frame.columns.resize(8);
  frame.columns[3] = frame.columns[4] = {{1, 4, 100.0F, 100.0F}};
  return frame;
}
// The result of drawing() for two_columns() on a picture of the same size.
inline constexpr const char* kTwoColumns = "........ ...##... ...##... ...##... ...##... ........ ";

inline GstRdpSegmentation* segmentation_of(const DepthFrame& frame) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = frame.width;
  info.height = frame.height;
  std::vector<guint32> offsets = {0};
  std::vector<GstRdpSegment> segments;
  for (guint c = 0; c < frame.width; ++c) {
    if (c < frame.columns.size()) {
      segments.insert(segments.end(), frame.columns[c].begin(), frame.columns[c].end());
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  GstRdpSegmentation* result = gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(),
                                                        segments.data(), segments.size());
  fail_unless(result != nullptr);
  return result;
}

inline GstBuffer* depth_buffer(const DepthFrame& frame, GstClockTime pts = 0) {
  const gsize size = GST_ROUND_UP_4(frame.width * 2) * frame.height;
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  gst_buffer_memset(buffer, 0, 0, size);
  GST_BUFFER_PTS(buffer) = pts;
  GstRdpSegmentation* segmentation = segmentation_of(frame);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  gst_rdp_segmentation_unref(segmentation);
  if (frame.camera != nullptr) gst_buffer_add_rdp_camera_meta(buffer, frame.camera);
  return buffer;
}

inline std::string depth_caps(const DepthFrame& frame) {
  return "video/x-raw,format=GRAY16_LE,width=" + std::to_string(frame.width) +
         ",height=" + std::to_string(frame.height) + ",framerate=30/1";
}

struct PictureShape {
  std::string format = "RGBA";
  int width = 8;
  int height = 6;
  std::string more = "";  // of the caps, with a comma before it

  std::string caps() const {
    return "video/x-raw,format=" + format + ",width=" + std::to_string(width) +
           ",height=" + std::to_string(height) + ",framerate=30/1" + more;
  }
  GstVideoInfo info() const {
    GstVideoInfo result;
    GstCaps* parsed = gst_caps_from_string(caps().c_str());
    fail_unless(gst_video_info_from_caps(&result, parsed));
    gst_caps_unref(parsed);
    return result;
  }
};

// A picture with every byte set to `fill`.
inline GstBuffer* picture_buffer(const PictureShape& shape, GstClockTime pts = 0,
                                 std::uint8_t fill = 128) {
  const GstVideoInfo info = shape.info();
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  gst_buffer_memset(buffer, 0, fill, gst_buffer_get_size(buffer));
  GST_BUFFER_PTS(buffer) = pts;
  return buffer;
}

class Rig : public rdp::test::PipelineRig {
 public:
  explicit Rig(const std::string& properties, const std::string& picture_caps,
               const std::string& frame_caps, const std::string& behind = "")
      : PipelineRig(
            "appsrc name=video format=time ! o.video appsrc name=segments format=time ! o.segments "
            "rdpoverlay name=o " +
            properties + behind + " ! fakesink name=out sync=false async=false") {
    set_caps("video", picture_caps);
    set_caps("segments", frame_caps);
    element_ = gst_bin_get_by_name(GST_BIN(pipeline()), "o");
    sink_ = gst_element_get_static_pad(get("out"), "sink");
    gst_pad_add_probe(sink_,
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM),
                      note, this, nullptr);
  }
  ~Rig() override {
    gst_element_set_state(pipeline(), GST_STATE_NULL);
    for (GstBuffer* buffer : received) gst_buffer_unref(buffer);
    gst_object_unref(sink_);
    gst_object_unref(element_);
  }

  GstElement* element() const { return element_; }
  void end() const { PipelineRig::end({"video", "segments"}); }
  // Plays until end of stream or an error; returns the error with its debug text.
  std::string run() {
    end();
    play();
    return wait();
  }
  GstCaps* sink_caps() const { return gst_pad_get_current_caps(sink_); }

  std::vector<GstBuffer*> received;
  bool downstream_blends = false;  // announced in the reply to allocation queries

 private:
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<Rig*>(data);
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
      self->received.push_back(gst_buffer_ref(GST_PAD_PROBE_INFO_BUFFER(info)));
      return GST_PAD_PROBE_OK;
    }
    GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
    if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION || !self->downstream_blends) {
      return GST_PAD_PROBE_OK;
    }
    gst_query_add_allocation_meta(query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, nullptr);
    return GST_PAD_PROBE_HANDLED;
  }

  GstElement* element_ = nullptr;
  GstPad* sink_ = nullptr;
};

// The four bytes of a pixel of RGBA.
inline std::uint32_t pixel(GstBuffer* buffer, const PictureShape& shape, int row, int column) {
  std::uint32_t result = 0;
  gst_buffer_extract(buffer, static_cast<gsize>(4 * (row * shape.width + column)), &result, 4);
  return result;
}

// A map of an RGBA picture: '#' for changed pixels, '.' for others, a blank after each row.
inline std::string drawing(GstBuffer* buffer, const PictureShape& shape,
                           std::uint32_t before = 0x80808080) {
  std::string text;
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      text += pixel(buffer, shape, row, column) == before ? '.' : '#';
    }
    text += ' ';
  }
  return text;
}

}  // namespace overlay_rig

#endif  // RDP_TESTS_RDPOVERLAY_OVERLAY_RIG_H_
