// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/mcap_stream.h"

#include <string_view>

namespace rdp::gst {
namespace {

// Lines of JSON, a message each.
class JsonStream : public McapStream {
 public:
  JsonStream(const StreamSetup& setup, const GstCaps* caps)
      : McapStream(setup, ""),
        channel_(topics_.channel<ros::String>("", caps_metadata(caps))),
        items_channel_(setup.options.metadata ? topics_.channel<ros::UInt8MultiArray>("/rdp") : 0) {
  }

  mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) override {
    const ReadBuffer read(buffer);
    const std::string_view text(reinterpret_cast<const char*>(read.bytes().data()),
                                read.bytes().size());
    topics_.begin(stamp, "");
    topics_.add_lines(channel_, text, items_channel_,
                      {{}, ros::Blob::of(items_.of(buffer, nullptr))});
    return topics_.write();
  }

 private:
  std::uint16_t channel_, items_channel_;
  FrameItems items_;
};

}  // namespace

mcap::TextMap caps_metadata(const GstCaps* caps) {
  g_autofree gchar* text = gst_caps_to_string(caps);
  return {{"rdp.caps", text}};
}

std::unique_ptr<McapStream> new_stream(const StreamSetup& setup, const GstCaps* caps) {
  switch (setup.kind) {
    case McapPadKind::kDepth:
      return new_depth_stream(setup, caps);
    case McapPadKind::kVideo:
      return new_video_stream(setup, caps);
    case McapPadKind::kPoints:
      return new_points_stream(setup, caps);
    case McapPadKind::kJson:
      break;
  }
  return std::make_unique<JsonStream>(setup, caps);
}

}  // namespace rdp::gst
