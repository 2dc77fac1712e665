// SPDX-License-Identifier: LGPL-2.1-or-later
// Depth and disparity as messages: millimetres as they are, everything else as metres and as
// samples.
#include <gst/video/video.h>

#include <cmath>
#include <utility>
#include <vector>

#include "gst/elements/mcap/depth_codes.h"
#include "gst/elements/mcap/mcap_stream.h"
#include "gst/memory/frame_layout.h"
#include "gst/memory/system_memory.h"

namespace rdp::gst {
namespace {

constexpr double kMillimetre = 0.001;
constexpr std::size_t kSamples = 65536;

class DepthStream : public McapStream {
 public:
  DepthStream(const StreamSetup& setup, const GstCaps* caps)
      : McapStream(setup, setup.pad_name + "_optical_frame"),
        metadata_(caps_metadata(caps)),
        messages_(&topics_, setup.options, frame_id_) {
    if (!gst_video_info_from_caps(&info_, caps)) {
      throw StreamError("These frames cannot be recorded: their caps are not complete.");
    }
    check_depth_encoding(setup.encoding);
  }

  mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) override {
    SystemFrame frame;
    std::string reason;
    if (!frame.map(buffer, info_, Access::kRead, &reason)) {
      throw StreamError("A frame cannot be read: " + reason + ".");
    }
    const DepthView view = frame.view();
    messages_.begin(buffer, stamp);
    GstRdpCamera* camera = messages_.camera();
    messages_.add_before();
    if (is_millimetres(camera)) {
      add_millimetres(view, gst_rdp_camera_get_info(camera)->rectified != FALSE);
    } else {
      refuse_codes(camera);
      const bool metric = camera != nullptr && gst_rdp_camera_measures_metres(camera, nullptr);
      const McapDisparity wanted = setup_.options.disparity;
      if (metric && wanted != McapDisparity::kSamples) add_metres(view, camera);
      if (!metric || wanted != McapDisparity::kMetres) add_samples(view, camera);
    }
    return messages_.finish();
  }

 private:
  bool is_wide() const { return sample_type(info_) == SampleType::kU16; }

  bool is_millimetres(GstRdpCamera* camera) const {
    if (camera == nullptr || !is_wide()) return false;
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
    return info.measures == GST_RDP_MEASURE_DEPTH && info.depth_unit == kMillimetre;
  }

  void refuse_codes(GstRdpCamera* camera) const {
    if (setup_.encoding == McapDepthEncoding::kRaw) return;
    const GstRdpCameraInfo* info = camera != nullptr ? gst_rdp_camera_get_info(camera) : nullptr;
    const std::string came = !is_wide()        ? "samples of 8 bits"
                             : info == nullptr ? "frames without a camera"
                             : info->measures == GST_RDP_MEASURE_DISPARITY ? "disparity"
                             : info->measures == GST_RDP_MEASURE_DEPTH
                                 ? "depth of unit " + number_text(info->depth_unit)
                                 : "samples of unknown meaning";
    const bool may_be_depth =
        is_wide() && (info == nullptr || info->measures == GST_RDP_MEASURE_UNKNOWN);
    throw StreamError("depth-encoding=" + std::string(name_of(setup_.encoding)) +
                      " is for depth in mm (GRAY16_LE, depth-unit=0.001), but " + came +
                      " came: set depth-encoding=raw on the pad " + setup_.pad_name +
                      (may_be_depth ? ", or depth-unit=0.001 on the element before mcapsink."
                                    : ", or send depth in mm."));
  }

  ros::Image image(const DepthView& view, const char* encoding, const ros::Blob& data) const {
    ros::Image message;
    message.header = topics_.header();
    message.height = static_cast<std::uint32_t>(view.height);
    message.width = static_cast<std::uint32_t>(view.width);
    message.encoding = encoding;
    message.step = static_cast<std::uint32_t>(data.size() / message.height);
    message.data = data;
    return message;
  }

  ros::Blob rows(const DepthView& view) const {
    return {.data = view.data,
            .row_bytes = static_cast<std::size_t>(view.width) * (is_wide() ? 2 : 1),
            .rows = static_cast<std::size_t>(view.height),
            .stride = static_cast<std::size_t>(view.stride)};
  }

  void add_millimetres(const DepthView& view, bool rectified) {
    const bool coded = setup_.encoding != McapDepthEncoding::kRaw;
    std::uint16_t& channel = coded ? coded_ : rectified ? rectified_ : raw_;
    if (channel == 0 && coded) {
      channel =
          topics_.channel<ros::CompressedImage>("/image_raw/compressedDepth", metadata_, false,
                                                std::make_shared<DepthEncoder>(setup_.encoding));
    } else if (channel == 0) {
      channel = topics_.channel<ros::Image>(topic_of(rectified), metadata_);
    }
    topics_.add(channel, image(view, "16UC1", rows(view)));
  }

  static const char* topic_of(bool rectified) { return rectified ? "/image_rect" : "/image_raw"; }

  void add_metres(const DepthView& view, GstRdpCamera* camera) {
    if (table_camera_.get() != camera) {
      table_camera_.reset();
      table_.resize(is_wide() ? kSamples : 256);
      for (std::size_t i = 0; i < table_.size(); ++i) {
        table_[i] = static_cast<float>(gst_rdp_camera_get_depth(camera, static_cast<double>(i)));
      }
      table_camera_.reset(gst_rdp_camera_ref(camera));
    }
    const auto width = static_cast<std::size_t>(view.width);
    metres_.resize(width * static_cast<std::size_t>(view.height));
    float* out = metres_.data();
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) *out++ = table_[view.at(y, x)];
    }
    const bool rectified = gst_rdp_camera_get_info(camera)->rectified != FALSE;
    std::uint16_t& channel = rectified ? metres_rectified_ : metres_raw_;
    if (channel == 0) {
      const bool alone = setup_.options.disparity == McapDisparity::kMetres;
      channel = topics_.channel<ros::Image>(
          topic_of(rectified), alone ? mcap::TextMap{} : mcap::TextMap{{"rdp.samples", "samples"}});
    }
    const ros::Blob data = ros::Blob::of(std::as_bytes(std::span(metres_)));
    topics_.add(channel, image(view, "32FC1", data));
  }

  // Not 16UC1, which is taken for millimetres.
  void add_samples(const DepthView& view, GstRdpCamera* camera) {
    const GstRdpCameraInfo* info = camera != nullptr ? gst_rdp_camera_get_info(camera) : nullptr;
    const bool disparity = info != nullptr && info->measures == GST_RDP_MEASURE_DISPARITY;
    const bool depth = info != nullptr && info->measures == GST_RDP_MEASURE_DEPTH;
    const double unit = disparity ? info->disparity_unit : depth ? info->depth_unit : 0.0;
    const char* measures = disparity ? "disparity" : depth ? "depth" : "unknown";
    if (samples_ == 0 || measures != samples_measures_ || unit != samples_unit_) {
      mcap::TextMap metadata = metadata_;
      metadata.emplace_back("rdp.measures", measures);
      if (unit > 0.0) metadata.emplace_back("rdp.unit", number_text(unit, "%.17g"));
      samples_ = topics_.channel<ros::Image>("/samples", std::move(metadata));
      samples_measures_ = measures;
      samples_unit_ = unit;
    }
    topics_.add(samples_, image(view, is_wide() ? "mono16" : "mono8", rows(view)));
  }

  GstVideoInfo info_;
  const mcap::TextMap metadata_;
  FrameMessages messages_;
  // Channels; 0: not yet there.
  std::uint16_t raw_ = 0, rectified_ = 0, coded_ = 0, metres_raw_ = 0, metres_rectified_ = 0;
  std::uint16_t samples_ = 0;
  const char* samples_measures_ = nullptr;
  double samples_unit_ = 0.0;

  CameraRef table_camera_;
  std::vector<float> table_;  // metres of each sample
  std::vector<float> metres_;
};

}  // namespace

std::unique_ptr<McapStream> new_depth_stream(const StreamSetup& setup, const GstCaps* caps) {
  return std::make_unique<DepthStream>(setup, caps);
}

}  // namespace rdp::gst
