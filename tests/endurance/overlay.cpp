// SPDX-License-Identifier: LGPL-2.1-or-later
// One rdpoverlay: pictures and frames of segments in pairs and alone; sizes, formats, segments,
// properties and states change. Each picture is compared with what an element makes of it that has
// seen nothing else, on the CPU.
#include <memory>
#include <optional>

#include "tests/endurance/element_run.h"
#include "tests/endurance/pictures.h"

namespace rdp::endurance {
namespace {

// A frame so much before a picture is not its own: half of a frame's duration is. But it is the
// last one before it.
constexpr GstClockTime kEarlier = 20 * GST_MSECOND;

struct Picture {
  Shape shape;
  BufferRef buffer;
  std::uint64_t bare;                             // its digest as it came
  std::vector<std::vector<std::uint64_t>> drawn;  // of each frame, with each look
};

class OverlayRun final : public ElementRun {
 public:
  explicit OverlayRun(const Setup& setup);

 private:
  void step() override;
  void stopped() override;
  std::string check_untouched() const override;
  std::string details() const override {
    return "  pictures without segments: " + grouped(all_bare_) +
           ", frames that met no picture: " + grouped(all_dropped_) + "\n";
  }
  void push_frame(std::size_t which, GstClockTime pts, bool own);

  std::vector<const Frame*> segmented_;
  std::vector<Picture> pictures_;
  // Of segments: the last frame, when it was, and whether it was drawn.
  std::optional<std::size_t> last_;
  GstClockTime last_pts_ = 0;
  bool last_used_ = false;
  bool gap_waits_ = false;
  // Since the element was started, and before.
  std::uint64_t drawn_ = 0;
  std::uint64_t bare_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t all_bare_ = 0;
  std::uint64_t all_dropped_ = 0;
};

OverlayRun::OverlayRun(const Setup& setup)
    : ElementRun(setup, {.element = "rdpoverlay",
                         .feature = setup.memory.feature(),
                         .noun = "picture",
                         .inputs = {"video", "segments"}}) {
  Parameters plain;
  plain.sample_scale = 1.0 / 256;
  Parameters classified = plain;
  classified.classify = classified.merge = true;
  Parameters joined = plain;
  joined.column_width = 3;
  const struct {
    Shape shape;
    Scene scene;
    const Parameters& parameters;
  } depth[] = {{{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120}, Scene::kStreet, classified},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, Scene::kNoise, plain},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 101, 31, 16, 300}, Scene::kSteps, joined},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 33, 60}, Scene::kUnknown, plain},
               {{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}, Scene::kLevels, plain}};
  for (const auto& one : depth) {
    segmented_.push_back(&prepare(frames::draw(one.shape, one.scene, 1)));
    add_segments(*segmented_.back(), one.parameters);
    add_camera(segmented_.back()->buffer.get(), one.shape, 0);
  }
  std::vector<Shape> shapes = {{GST_VIDEO_FORMAT_RGBA, 160, 120},
                               {GST_VIDEO_FORMAT_NV12, 97, 61},
                               {GST_VIDEO_FORMAT_RGBA, 33, 27, 8},
                               {GST_VIDEO_FORMAT_NV12, 64, 48},
                               {GST_VIDEO_FORMAT_RGBA, 1, 1}};
  // In device memory there are these two formats alone.
  if (setup.memory.feature() == nullptr) {
    shapes.insert(shapes.end(), {{GST_VIDEO_FORMAT_I420, 80, 60},
                                 {GST_VIDEO_FORMAT_BGRA, 53, 40},
                                 {GST_VIDEO_FORMAT_YUY2, 64, 30},
                                 {GST_VIDEO_FORMAT_GRAY8, 31, 17}});
  }
  for (const Shape& shape : shapes) {
    const BufferRef on_host = make_picture(shape, nullptr);
    pictures_.push_back({shape, make_picture(shape, setup.memory.context()), 0, {}});
    Picture& picture = pictures_.back();
    // Every second one sees from somewhere else.
    if (pictures_.size() % 2 == 0) {
      for (GstBuffer* buffer : {on_host.get(), picture.buffer.get()}) {
        add_camera(buffer, shape, 0.2);
      }
    }
    picture.bare = digest(on_host.get(), shape);
    for (const Frame* frame : segmented_) {
      picture.drawn.emplace_back();
      for (const Look& look : kLooks) {
        picture.drawn.back().push_back(
            draw_alone(shape, on_host.get(), *frame, setup.memory.feature(), look));
      }
    }
  }
}

// `own`: of the picture that waits. Otherwise it comes too early for it.
void OverlayRun::push_frame(std::size_t which, GstClockTime pts, bool own) {
  announce(kSegments, segmented_[which]->content.shape, setup().memory.feature());
  push(kSegments, share(segmented_[which]->buffer.get(), pts));
  if (last_ && !last_used_) ++dropped_;
  last_ = which;
  last_pts_ = pts;
  last_used_ = own;
}

void OverlayRun::step() {
  const Picture& picture = pictures_[visited(pictures_.size())];
  const std::size_t own = chosen(segmented_.size(), 1);
  const std::size_t look = chosen(std::size(kLooks), 2);
  const std::size_t kind = chosen(8, 3);
  const bool has_own = kind > 1;
  const bool early = kind == 1 || kind == 2;
  const GstClockTime max_age = visited(2) == 0 ? GST_SECOND : 0;
  apply(element(), kLooks[look]);
  g_object_set(element(), "max-age", max_age, nullptr);
  announce(kVideo, picture.shape, setup().memory.feature());

  // A gap stays where it is, and takes the place of a frame, until the next picture comes.
  const bool picture_first = gap_waits_ || early || frame() % 2 == 0;
  if (picture_first) push(kVideo, share(picture.buffer.get(), pts()));
  if (early) push_frame(chosen(segmented_.size(), 4), pts() - kEarlier, false);
  if (has_own) {
    push_frame(own, pts(), true);
  } else {
    announce(kSegments, segmented_[own]->content.shape, setup().memory.feature());
    rig().push_gap(kSegments, pts());
  }
  gap_waits_ = !has_own;
  if (!picture_first) push(kVideo, share(picture.buffer.get(), pts()));
  const BufferRef output = take();

  const bool bare = !last_ || pts() - last_pts_ > max_age;
  if (!bare) last_used_ = true;
  ++(bare ? bare_ : drawn_);
  if (output == nullptr || !compares()) return;
  if (digest(output.get(), picture.shape) != (bare ? picture.bare : picture.drawn[*last_][look])) {
    complain(std::string("its pixels are not what they should be, with ") +
             (bare ? "no segments" : "frame " + std::to_string(*last_)) + " and look " +
             std::to_string(look));
  }
}

// What the element has counted is what came and went.
void OverlayRun::stopped() {
  GstStructure* stats = nullptr;
  g_object_get(element(), "stats", &stats, nullptr);
  const auto check = [&](const char* name, std::uint64_t expected) {
    guint64 found = 0;
    gst_structure_get_uint64(stats, name, &found);
    if (found == expected) return;
    complain(std::string("stats say ") + name + "=" + std::to_string(found) + ", expected " +
             std::to_string(expected));
  };
  check("paired", drawn_);
  check("unpaired", bare_);
  check("dropped", dropped_);
  check("late", 0);
  gst_structure_free(stats);
  all_bare_ += bare_;
  all_dropped_ += dropped_;
  drawn_ = bare_ = dropped_ = 0;
  last_.reset();
  gap_waits_ = false;
}

std::string OverlayRun::check_untouched() const {
  for (const Picture& picture : pictures_) {
    forget_host_copy(picture.buffer.get());
    if (digest(picture.buffer.get(), picture.shape) == picture.bare) continue;
    return "somebody has drawn on a picture of " + describe(picture.shape) + " that others held";
  }
  return ElementRun::check_untouched();
}

}  // namespace

std::unique_ptr<Run> make_overlay(const Setup& setup) {
  return std::make_unique<OverlayRun>(setup);
}

}  // namespace rdp::endurance
