// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PNGFOLDER_PNG_RIG_H_
#define RDP_TESTS_PNGFOLDER_PNG_RIG_H_

#include <string>
#include <vector>

#include "tests/pngfolder/png_bytes.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

// Helpers that run pngfoldersrc on a folder.
namespace rdp::test {

struct ReadPicture {
  std::string caps;
  std::vector<std::uint8_t> samples;  // without gaps
  GstClockTime pts;
  GstClockTime duration;
  guint64 offset;
};

struct ReadPictures {
  std::string error;  // "" if the stream ended
  std::string warnings;
  std::vector<ReadPicture> pictures;
};

// The samples of a buffer that reached `pad`, without GstVideoMeta.
inline std::vector<std::uint8_t> samples_of_frame(GstPad* pad, GstBuffer* buffer) {
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
  GstVideoInfo info;
  fail_unless(caps != nullptr && gst_video_info_from_caps(&info, caps));
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  std::vector<std::uint8_t> samples;
  const auto row =
      static_cast<gsize>(GST_VIDEO_INFO_WIDTH(&info) * GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  for (int i = 0; i < GST_VIDEO_INFO_HEIGHT(&info); ++i) {
    const auto* begin = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                        i * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    samples.insert(samples.end(), begin, begin + row);
  }
  gst_video_frame_unmap(&frame);
  return samples;
}

inline GstPadProbeReturn note_picture(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
  g_autofree gchar* text = gst_caps_to_string(caps);
  static_cast<ReadPictures*>(data)->pictures.push_back(
      {text, samples_of_frame(pad, buffer), GST_BUFFER_PTS(buffer), GST_BUFFER_DURATION(buffer),
       GST_BUFFER_OFFSET(buffer)});
  return GST_PAD_PROBE_OK;
}

// Runs pngfoldersrc with the properties `words`. Calls `before` before it starts the pipeline.
template <typename Before>
ReadPictures read_pictures(const std::string& words, Before before) {
  PipelineRig rig("pngfoldersrc name=source " + words + " ! fakesink name=sink");
  ReadPictures result;
  GstPad* pad = gst_element_get_static_pad(rig.get("sink"), "sink");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, note_picture, &result, nullptr);
  gst_object_unref(pad);
  before(rig, &result);
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);  // may fail at once
  result.error = rig.wait();
  for (const std::string& warning : rig.warnings) result.warnings += warning;
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  return result;
}
inline ReadPictures read_pictures(const std::string& words) {
  return read_pictures(words, [](const PipelineRig&, ReadPictures*) {});
}

// A picture whose samples depend on its number.
inline PngPicture numbered(unsigned number) { return {.seed = number + 77}; }

}  // namespace rdp::test

#endif  // RDP_TESTS_PNGFOLDER_PNG_RIG_H_
