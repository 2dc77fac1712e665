// SPDX-License-Identifier: LGPL-2.1-or-later
// Colour pictures as messages, also those that are compressed.
#include <gst/video/video.h>

#include <memory>
#include <utility>

#include "gst/elements/mcap/mcap_stream.h"
#include "gst/memory/system_memory.h"

namespace rdp::gst {
namespace {

struct FreeConverter {
  void operator()(GstVideoConverter* converter) const { gst_video_converter_free(converter); }
};

// A frame that is mapped for as long as the object lives.
class MappedFrame {
 public:
  MappedFrame(GstVideoInfo* info, GstBuffer* buffer, GstMapFlags flags) {
    if (!gst_video_frame_map(&frame_, info, buffer, flags)) {
      throw StreamError("A frame cannot be read: its buffer does not fit its caps.");
    }
  }
  ~MappedFrame() { gst_video_frame_unmap(&frame_); }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;
  GstVideoFrame* get() { return &frame_; }

 private:
  GstVideoFrame frame_;
};

const char* encoding_of(GstVideoFormat format) {
  constexpr std::pair<GstVideoFormat, const char*> kEncodings[] = {
      {GST_VIDEO_FORMAT_BGR, "bgr8"},
      {GST_VIDEO_FORMAT_RGBA, "rgba8"},
      {GST_VIDEO_FORMAT_BGRA, "bgra8"},
      {GST_VIDEO_FORMAT_GRAY8, "mono8"}};
  for (const auto& [of, encoding] : kEncodings) {
    if (of == format) return encoding;
  }
  return "rgb8";  // also what frames of NV12 and I420 become
}

class PictureStream : public McapStream {
 public:
  PictureStream(const StreamSetup& setup, const GstCaps* caps)
      : McapStream(setup, setup.pad_name + "_optical_frame"),
        messages_(&topics_, setup.options, frame_id_) {
    if (!gst_video_info_from_caps(&info_, caps)) {
      throw StreamError("These frames cannot be recorded: their caps are not complete.");
    }
    // Converted frames are restored from their items alone.
    const bool restores = setup.options.metadata || !is_luma_of_colour(info_);
    channel_ =
        topics_.channel<ros::Image>("/image_raw", restores ? caps_metadata(caps) : mcap::TextMap());
    if (is_luma_of_colour(info_)) {
      gst_video_info_set_format(&rgb_, GST_VIDEO_FORMAT_RGB,
                                static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info_)),
                                static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info_)));
      rgb_.fps_n = info_.fps_n;  // converters want the same
      rgb_.fps_d = info_.fps_d;
      converter_.reset(gst_video_converter_new(&info_, &rgb_, nullptr));
      picture_.reset(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&rgb_), nullptr));
      packed_.reset(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info_), nullptr));
      if (converter_ == nullptr || picture_ == nullptr || packed_ == nullptr) {
        throw std::bad_alloc();
      }
      gst_buffer_memset(packed_.get(), 0, 0, GST_VIDEO_INFO_SIZE(&info_));
    }
  }

  mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) override {
    messages_.begin(buffer, stamp);
    if (converter_ != nullptr) return write_converted(buffer);
    SystemFrame frame;
    std::string reason;
    if (!frame.map(buffer, info_, Access::kRead, &reason)) {
      throw StreamError("A frame cannot be read: " + reason + ".");
    }
    const DepthView view = frame.view();
    messages_.add_before();
    add_picture({.data = view.data,
                 .row_bytes = static_cast<std::size_t>(samples_of_row(info_)),
                 .rows = static_cast<std::size_t>(GST_VIDEO_INFO_HEIGHT(&info_)),
                 .stride = static_cast<std::size_t>(view.stride)});
    return messages_.finish();
  }

 private:
  struct UnrefBuffer {
    void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
  };

  void add_picture(const ros::Blob& rows) {
    ros::Image message;
    message.header = topics_.header();
    message.height = static_cast<std::uint32_t>(GST_VIDEO_INFO_HEIGHT(&info_));
    message.width = static_cast<std::uint32_t>(GST_VIDEO_INFO_WIDTH(&info_));
    message.encoding = encoding_of(GST_VIDEO_INFO_FORMAT(&info_));
    message.step = static_cast<std::uint32_t>(rows.row_bytes);
    message.data = rows;
    topics_.add(channel_, message);
  }

  // ROS has no Image of these formats: viewers get RGB, mcapsrc the samples as they came.
  mcap::Recording::Result write_converted(GstBuffer* buffer) {
    MappedFrame from(&info_, buffer, GST_MAP_READ);
    if (GST_VIDEO_FRAME_WIDTH(from.get()) != GST_VIDEO_INFO_WIDTH(&info_) ||
        GST_VIDEO_FRAME_HEIGHT(from.get()) != GST_VIDEO_INFO_HEIGHT(&info_)) {
      throw StreamError("A frame cannot be read: it is " +
                        std::to_string(GST_VIDEO_FRAME_WIDTH(from.get())) + "x" +
                        std::to_string(GST_VIDEO_FRAME_HEIGHT(from.get())) +
                        ", not of the caps' size: put videoconvert ! video/x-raw,format=RGB "
                        "before mcapsink.");
    }
    MappedFrame to(&rgb_, picture_.get(), GST_MAP_WRITE);
    gst_video_converter_frame(converter_.get(), from.get(), to.get());
    {
      MappedFrame packed(&info_, packed_.get(), GST_MAP_WRITE);
      gst_video_frame_copy(packed.get(), from.get());  // into the layout of the caps
    }
    const ReadBuffer samples(packed_.get());
    messages_.add_before(samples.bytes());
    add_picture({.data = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(to.get(), 0)),
                 .row_bytes = 3 * static_cast<std::size_t>(GST_VIDEO_INFO_WIDTH(&info_)),
                 .rows = static_cast<std::size_t>(GST_VIDEO_INFO_HEIGHT(&info_)),
                 .stride = static_cast<std::size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(to.get(), 0))});
    return messages_.finish();
  }

  GstVideoInfo info_;
  FrameMessages messages_;
  std::uint16_t channel_ = 0;
  // For frames that are converted.
  GstVideoInfo rgb_;
  std::unique_ptr<GstVideoConverter, FreeConverter> converter_;
  std::unique_ptr<GstBuffer, UnrefBuffer> picture_, packed_;
};

// JPEG and PNG, as they are.
class CompressedStream : public McapStream {
 public:
  CompressedStream(const StreamSetup& setup, const GstCaps* caps)
      : McapStream(setup, setup.pad_name + "_optical_frame"),
        messages_(&topics_, setup.options, frame_id_),
        png_(gst_structure_has_name(gst_caps_get_structure(caps, 0), "image/png")),
        channel_(topics_.channel<ros::CompressedImage>("/compressed", caps_metadata(caps))) {}

  mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) override {
    const ReadBuffer read(buffer);
    messages_.begin(buffer, stamp);
    messages_.add_before();
    topics_.add(channel_, ros::CompressedImage{topics_.header(), png_ ? "png" : "jpeg",
                                               ros::Blob::of(read.bytes())});
    return messages_.finish();
  }

 private:
  FrameMessages messages_;
  bool png_;
  std::uint16_t channel_;
};

}  // namespace

std::unique_ptr<McapStream> new_video_stream(const StreamSetup& setup, const GstCaps* caps) {
  if (gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw")) {
    return std::make_unique<PictureStream>(setup, caps);
  }
  return std::make_unique<CompressedStream>(setup, caps);
}

}  // namespace rdp::gst
