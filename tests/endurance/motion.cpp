// SPDX-License-Identifier: LGPL-2.1-or-later
// One rdpmotion: frames of depth with tracks and alone; sizes, lists, properties and states change,
// its overlay comes and goes. The motion of each frame is compared with that of an engine that gets
// the same lists.
#include <cstring>
#include <memory>
#include <utility>

#include "common/motion/engine.h"
#include "tests/endurance/element_run.h"
#include "tests/endurance/pictures.h"

namespace rdp::endurance {
namespace {

constexpr std::size_t kDepth = 0;
constexpr std::size_t kTracked = 1;

struct Settings {
  motion::Parameters parameters;
  const char* ego_motion;
};

std::vector<Settings> motion_settings() {
  std::vector<Settings> all(3);
  all[0].ego_motion = "none";
  all[1].ego_motion = "estimate";
  all[1].parameters.ego_motion = motion::EgoMotion::kEstimate;
  all[1].parameters.min_tracks = 2;
  all[2].ego_motion = "none";
  all[2].parameters.filter = motion::Filter::kNone;
  all[2].parameters.reach = 5;
  all[2].parameters.min_age = 1;
  return all;
}

void apply(GstElement* element, const Settings& settings) {
  const motion::Parameters& p = settings.parameters;
  gst_util_set_object_arg(G_OBJECT(element), "ego-motion", settings.ego_motion);
  g_object_set(element, "filter", static_cast<gint>(p.filter), "min-tracks",
               static_cast<guint>(p.min_tracks), "min-age", static_cast<guint>(p.min_age), "reach",
               static_cast<guint>(p.reach), nullptr);
}

// The same segments in metadata of their own: of a frame that was repeated there is no motion.
void renew_segments(GstBuffer* buffer) {
  GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  gsize offsets = 0;
  gsize n = 0;
  const guint32* first = gst_rdp_segmentation_peek_offsets(meta->segmentation, &offsets);
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(meta->segmentation, &n);
  GstRdpSegmentation* fresh = gst_rdp_segmentation_new(
      gst_rdp_segmentation_get_info(meta->segmentation), first, offsets, segments, n);
  gst_rdp_segmentation_unref(std::exchange(meta->segmentation, fresh));
}

class MotionRun final : public ElementRun {
 public:
  explicit MotionRun(const Setup& setup);

 private:
  void step() override;
  void stopped() override { engine_.reset(); }
  void move_tracks(const Shape& shape);
  std::string compare(GstBuffer* output, const Settings& settings);

  const std::vector<Settings> settings_ = motion_settings();
  std::vector<const Frame*> depth_;
  std::vector<GstRdpTrack> tracks_;
  guint32 next_id_ = 1;
  motion::Engine engine_;
};

MotionRun::MotionRun(const Setup& setup)
    : ElementRun(setup, {.element = "rdpmotion",
                         .feature = setup.memory.feature(),
                         .inputs = {"depth", "video"},
                         .sides = {"overlay"}}) {
  Parameters parameters;
  parameters.sample_scale = 1.0 / 256;
  constexpr auto k16 = GST_VIDEO_FORMAT_GRAY16_LE;
  const std::pair<Shape, Scene> all[] = {{{k16, 160, 120}, Scene::kStreet},
                                         {{k16, 64, 48}, Scene::kNoise},
                                         {{k16, 101, 31, 16, 300}, Scene::kSteps},
                                         {{k16, 33, 60}, Scene::kUnknown},
                                         {{k16, 1, 1}, Scene::kLevels}};
  for (const auto& [shape, scene] : all) {
    depth_.push_back(&prepare(frames::draw(shape, scene, 1)));
    add_segments(*depth_.back(), parameters);
    add_camera(depth_.back()->buffer.get(), shape, 0);
  }
}

// Some live on, some are lost, and new ones come.
void MotionRun::move_tracks(const Shape& shape) {
  std::erase_if(tracks_, [&](const GstRdpTrack& one) {
    return one.x >= static_cast<float>(shape.width) || one.y >= static_cast<float>(shape.height) ||
           chosen(40, one.id) == 0;
  });
  for (GstRdpTrack& one : tracks_) {
    ++one.age;
    one.dx = static_cast<float>(chosen(5, one.id)) / 4.0F - 0.5F;
    one.x += one.dx;
  }
  const std::size_t wanted = chosen(90, 7);
  while (tracks_.size() < wanted) {
    const auto at = [&](int side, std::uint64_t salt) {
      return static_cast<float>(chosen(static_cast<std::size_t>(side), salt + next_id_));
    };
    tracks_.push_back({next_id_, 0, at(shape.width, 11), at(shape.height, 13), 0, 0, 0, 0});
    ++next_id_;
  }
}

std::string MotionRun::compare(GstBuffer* output, const Settings& settings) {
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(output, nullptr);
  const GstRdpCameraInfo& of = *gst_rdp_camera_get_info(camera);
  gsize offsets = 0;
  gsize n = 0;
  const guint32* first = gst_rdp_segmentation_peek_offsets(segmentation, &offsets);
  const auto* segments =
      reinterpret_cast<const Segment*>(gst_rdp_segmentation_peek_segments(segmentation, &n));
  motion::Input input;
  input.width = static_cast<int>(info.width);
  input.height = static_cast<int>(info.height);
  input.segments = {std::span(first, offsets), std::span(segments, n)};
  input.values = {.measures = motion::Measure::kDisparity,
                  .unit = of.disparity_unit,
                  .offset = of.disparity_offset};
  input.pts = GST_BUFFER_PTS(output);
  input.has_camera = true;
  input.camera = {of.focal_length, of.focal_length_y, of.principal_x, of.principal_y, of.baseline};
  input.tracks = {reinterpret_cast<const klt::Track*>(tracks_.data()), tracks_.size()};
  const motion::Result expected = engine_.advance(input, settings.parameters);
  GstRdpMotion* found = gst_rdp_buffer_get_motion(output);
  if (found == nullptr) return expected.accepted ? "no motion" : "";
  const GstRdpSegmentMotion* moved = gst_rdp_motion_peek_segments(found, &n);
  if (n != expected.segments.size() ||
      (n > 0 && std::memcmp(moved, expected.segments.data(), n * sizeof *moved) != 0)) {
    return "another motion of segments";
  }
  const GstRdpTrackMotion* of_tracks = gst_rdp_motion_peek_tracks(found, &n);
  if (n != expected.tracks.size() ||
      (n > 0 && std::memcmp(of_tracks, expected.tracks.data(), n * sizeof *of_tracks) != 0)) {
    return "another motion of tracks";
  }
  return {};
}

void MotionRun::step() {
  const Frame& frame = *depth_[visited(depth_.size())];
  const Shape& shape = frame.content.shape;
  const Settings& settings = settings_[visited(settings_.size())];
  apply(element(), settings);
  if (side(0) != nullptr) side(0)->set_style(static_cast<int>(chosen(2, 3)));
  announce(kDepth, shape, setup().memory.feature());
  announce(kTracked, {GST_VIDEO_FORMAT_GRAY8, shape.width, shape.height}, nullptr);
  const bool has_tracks = chosen(10, 5) != 0;
  GstBuffer* depth = share(frame.buffer.get(), pts());
  renew_segments(depth);
  push(kDepth, depth);
  if (has_tracks) {
    move_tracks(shape);
    GstRdpTracksInfo info;
    gst_rdp_tracks_info_init(&info);
    info.width = static_cast<guint>(shape.width);
    info.height = static_cast<guint>(shape.height);
    GstBuffer* buffer = gst_buffer_new();
    GstRdpTracks* tracks = gst_rdp_tracks_new(&info, tracks_.data(), tracks_.size(), nullptr, 0);
    gst_buffer_add_rdp_tracks_meta(buffer, tracks);
    gst_rdp_tracks_unref(tracks);
    GST_BUFFER_PTS(buffer) = pts();
    push(kTracked, buffer);
  } else {
    rig().push_gap(kTracked, pts());
  }
  const BufferRef output = take();
  // A frame without motion has no picture.
  if (has_tracks) take_of(0);
  if (output == nullptr) return;
  if (!has_tracks) {
    if (gst_rdp_buffer_get_motion(output.get()) != nullptr) complain("motion without tracks");
    return;
  }
  // The engine beside it has to see each frame.
  const std::string wrong = compare(output.get(), settings);
  if (compares()) complain(wrong);
}

}  // namespace

std::unique_ptr<Run> make_motion(const Setup& setup) { return std::make_unique<MotionRun>(setup); }

}  // namespace rdp::endurance
