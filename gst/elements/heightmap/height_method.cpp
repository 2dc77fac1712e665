// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/heightmap/height_method.h"

#include <gst/rdpsegment/rdpcamerameta.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "gst/elements/heightmap/height_properties.h"
#include "gst/memory/frame_layout.h"
#include "gst/memory/nvmm_memory.h"
#include "gst/metadata/attach_results.h"

GST_DEBUG_CATEGORY_EXTERN(gst_heightmap_debug);
#define GST_CAT_DEFAULT gst_heightmap_debug

namespace rdp::gst {
namespace {

// Larger spreads between views let people walk out of their match.
constexpr guint64 kWideSpread = 5 * GST_MSECOND;
// Consecutive buffers without a complete set that cause a warning.
constexpr guint64 kManyMisses = 30;
// Rows of one work item, enough to be worth a thread.
constexpr int kRowsOfItem = 16;

}  // namespace

const CapsWords kHeightCapsWords = {
    .takes = "format GRAY8, NV12 or I420 (only the luma is matched), up to 16384x16384",
    .remedy =
        "Colour: put videoconvert ! video/x-raw,format=GRAY8 before it, or nvvideoconvert ! "
        "video/x-raw(memory:NVMM),format=NV12. GRAY16: convert it to GRAY8 in the same way. Other "
        "memory: put the element that downloads it before this one.",
    .example =
        "video/x-raw,format=GRAY8,width=640,height=480 (rawvideoparse or a capsfilter adds "
        "them to raw data)",
};

NoMemoryForHeights::NoMemoryForHeights(const std::string& reason) noexcept {
  g_strlcpy(text_, reason.c_str(), sizeof text_);
}

NoMemoryForHeights::NoMemoryForHeights(const heightmap::Rig& rig,
                                       const heightmap::Parameters& parameters,
                                       const heightmap::Memory& memory) noexcept {
  std::snprintf(text_, sizeof text_,
                "%zu views, labelled in %dx%d with %d heights, need %llu MB: use smaller pictures "
                "(videoscale)%s fewer heights (height-step)%s",
                rig.views.size(), rig.seen().width, rig.seen().height, parameters.heights(),
                static_cast<unsigned long long>((memory.work + memory.table) / 1000000 + 1),
                memory.table > 0 ? "," : " or", memory.table > 0 ? " or table-memory=0" : "");
}

bool is_batch_of_views(const JoinedInput& input, GstBuffer* next) {
  // A buffer that is none of NVIDIA's batches is refused with a reason when it is opened.
  return input.memory == MemoryKind::kNvmm && nvmm_batch_size(next).most != 1;
}

HeightMethod::HeightMethod(GstRdpJoiner* element, HeightStats* stats)
    : element_(element), stats_(stats), cameras_(GST_ELEMENT(element)) {}

HeightMethod::~HeightMethod() { gst_clear_caps(&reference_caps_); }

bool HeightMethod::refuse(const std::string& text) {
  GST_ELEMENT_ERROR(element_, LIBRARY, SETTINGS, ("Heights cannot be found: %s.", text.c_str()),
                    (nullptr));
  return false;
}

bool HeightMethod::start() {
  const auto settings = copy_settings<HeightSettings>(element_);
  const std::string wrong = explain_settings(settings.search);
  if (!wrong.empty()) return refuse(wrong);
  parameters_ = parameters_of(settings.search);
  std::string reason;
  if (!read_area(settings.area.get(), &area_, &reason)) return refuse(reason);
  const int cell = millimetres(settings.cell_size);
  no_ground_ = area_.empty()
                   ? std::string(
                         "the pad ground is used, but area is not set, expected the part of the "
                         "ground to show: set area=\"x,y x,y x,y\" in metres, or release the pad")
                   : explain_grid(area_, cell);
  if (no_ground_.empty()) grid_ = heightmap::ground_grid(area_, cell);
  GST_OBJECT_LOCK(element_);
  *stats_ = {};
  GST_OBJECT_UNLOCK(element_);
  start_reference_ = settings.reference;
  return cameras_.start(settings.camera);
}

// A flush ends head tracks. New caps do not, as heads are in world coordinates.
void HeightMethod::reset(ResetReason reason) noexcept {
  if (reason == ResetReason::kFlush) ends_tracks_ = true;
}

// --- caps ---------------------------------------------------------------------------------------

bool HeightMethod::is_there(const char* pad) const {
  GstPad* found = gst_element_get_static_pad(GST_ELEMENT(element_), pad);
  if (found == nullptr) return false;
  gst_object_unref(found);
  return true;
}

// Numbers the views of batches on one pad as in the calibration.
bool HeightMethod::read_batches(const JoinedInput& input) {
  gint room = 0;
  gst_structure_get_int(gst_caps_get_structure(input.caps, 0), "batch-size", &room);
  const std::size_t views = cameras_.views_of_batch(static_cast<guint>(std::max(room, 0)));
  if (views == 0) {
    return refuse(
        "batches arrive on one pad, but there is no calibration, expected calibration=FILE with a "
        "view for each frame of a batch: a buffer carries one camera alone");
  }
  if (input.number != 0) {
    return refuse(
        format_text("batches arrive on the pad %s alone, expected them on sink_0", input.name()));
  }
  if (views < heightmap::kLeastViews || views > heightmap::kMaxViews) {
    return refuse(format_text("the calibration has %" G_GSIZE_FORMAT
                              " views for the frames of a batch, expected %d to %d",
                              views, heightmap::kLeastViews, heightmap::kMaxViews));
  }
  view_names_.clear();
  for (std::size_t view = 0; view < views; ++view) {
    numbers_.push_back(static_cast<guint>(view));
    view_names_.push_back(
        format_text("view %" G_GSIZE_FORMAT " of the batches on %s", view, input.name()));
  }
  reference_ = start_reference_;
  return check_reference("batches have", "views");
}

bool HeightMethod::check_reference(const char* who, const char* what) {
  const std::size_t views = numbers_.size();
  if (start_reference_ < views) return true;
  return refuse(format_text("reference=%u, and %s %" G_GSIZE_FORMAT
                            " %s, expected the number of one of them: set reference to 0 to "
                            "%" G_GSIZE_FORMAT,
                            start_reference_, who, views, what, views - 1));
}

// A pad's number is its view's place among the cameras.
bool HeightMethod::check_views() {
  const std::size_t views = numbers_.size();
  for (guint number = 0; number < views; ++number) {
    if (std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end()) continue;
    return refuse(
        format_text("there are %" G_GSIZE_FORMAT
                    " pads sink_%%u and none of them is sink_%u, expected numbers from 0 "
                    "without a gap: a pad's number is its view's place in the calibration",
                    views, number));
  }
  // The view whose pad is the main one.
  reference_ = numbers_[0];
  return check_reference("there are", "pads");
}

GstCaps* HeightMethod::possible_caps(std::span<const JoinedInput> inputs, bool cuda,
                                     bool cuda_first) {
  numbers_.clear();
  batches_ = inputs.size() == 1;
  if (batches_) {
    if (!read_batches(inputs[0])) return nullptr;
  } else {
    for (const JoinedInput& input : inputs) numbers_.push_back(input.number);
    if (!check_views()) return nullptr;
  }
  if (!no_ground_.empty() && is_there(kGroundPad)) {
    refuse(no_ground_);
    return nullptr;
  }
  gst_caps_replace(&reference_caps_, inputs[0].caps);
  return made_caps(reference_caps_, "GRAY16_LE", cuda, cuda_first);
}

GstCaps* HeightMethod::data_caps(const JoinerPadRow&) {
  if (!no_ground_.empty()) return nullptr;
  GstCaps* caps = made_caps(reference_caps_, "GRAY16_LE");
  gst_structure_remove_field(gst_caps_get_structure(caps, 0), "pixel-aspect-ratio");
  gst_caps_set_simple(caps, "width", G_TYPE_INT, static_cast<gint>(grid_.columns), "height",
                      G_TYPE_INT, static_cast<gint>(grid_.rows), nullptr);
  return caps;
}

// --- a set --------------------------------------------------------------------------------------

void HeightMethod::tell_spread() {
  if (spread_ <= kWideSpread || std::exchange(said_spread_, true)) return;
  GST_ELEMENT_WARNING(
      element_, STREAM, FAILED,
      ("The views of a set are %.3g ms apart; moving people are measured wrongly. Synchronise the "
       "cameras to %.0f ms, or set sync-tolerance=0 to drop such sets.",
       milliseconds(spread_), milliseconds(kWideSpread)),
      ("a person who walks at 1.4 m/s moves %.0f mm meanwhile", 1.4 * milliseconds(spread_)));
}

// Live sources leave a batch incomplete now and then, above all at the start.
void HeightMethod::tell_incomplete() {
  if (++incomplete_ < kManyMisses || std::exchange(said_incomplete_, true)) return;
  GST_ELEMENT_WARNING(
      element_, STREAM, FAILED,
      ("No complete set in %" G_GUINT64_FORMAT " batches: the last one has %" G_GSIZE_FORMAT
       " frames and none of view %" G_GSIZE_FORMAT ", expected one of each of %" G_GSIZE_FORMAT
       " views. Check its camera, or let the multiplexer wait longer (batched-push-timeout of "
       "nvstreammux, and sync-inputs=true).",
       incomplete_, batch_.there(), batch_.missing(), numbers_.size()),
      ("stats counts dropped batches as unpaired"));
}

SetVerdict HeightMethod::look_at_batch(Pairing& set) {
  std::string reason;
  switch (batch_.look(set.main(), numbers_.size(), &reason)) {
    case ViewBatch::Verdict::kComplete:
      break;
    case ViewBatch::Verdict::kIncomplete:
      tell_incomplete();
      return SetVerdict::kIncomplete;
    case ViewBatch::Verdict::kWrong:
      refuse(reason);
      return SetVerdict::kRefused;
  }
  incomplete_ = 0;
  const guint64 tolerance = set.tolerance();
  if (batch_.spread() <= tolerance) {
    set.set_spread(batch_.spread());
    return SetVerdict::kTaken;
  }
  if (!std::exchange(said_wide_, true)) {
    GST_ELEMENT_WARNING(
        element_, STREAM, FAILED,
        ("Dropped a batch: its frames are %.3g ms apart, from view %" G_GSIZE_FORMAT
         " to view %" G_GSIZE_FORMAT
         ", but sync-tolerance is %.3g ms. Trigger the cameras together, let the multiplexer wait "
         "for frames of the same time (sync-inputs=true of nvstreammux), or set a larger "
         "sync-tolerance, at which moving people are measured less well.",
         milliseconds(batch_.spread()), batch_.earliest(), batch_.latest(),
         milliseconds(tolerance)),
        ("stats counts dropped sets as wide"));
  }
  return SetVerdict::kTimesTooFarApart;
}

SetVerdict HeightMethod::begin_set(Pairing& set) {
  const SetVerdict verdict = batches_ ? look_at_batch(set) : SetVerdict::kTaken;
  if (verdict == SetVerdict::kTaken) {
    spread_ = set.spread();
    tell_spread();
  }
  return verdict;
}

void HeightMethod::look_at(const PairingMisses& misses) {
  if (misses.wide.earliest != nullptr) {
    if (std::exchange(said_wide_, true)) return;
    GST_ELEMENT_WARNING(element_, STREAM, FAILED,
                        ("Dropped a set: its views are %.3g ms apart, from pad %s to pad %s, but "
                         "sync-tolerance is %.3g ms. Trigger the cameras together, or set a larger "
                         "sync-tolerance, at which moving people are measured less well.",
                         milliseconds(misses.wide.time), GST_PAD_NAME(misses.wide.earliest),
                         GST_PAD_NAME(misses.wide.latest), milliseconds(misses.tolerance)),
                        ("stats counts dropped sets as wide"));
    return;
  }
  if (misses.count < kManyMisses || said_apart_) return;
  if (misses.stalled != nullptr) {
    said_apart_ = true;
    GST_ELEMENT_WARNING(
        element_, STREAM, FAILED,
        ("No complete set in %" G_GUINT64_FORMAT " buffers: pad %s delivered nothing within the "
         "latency. Check its source, or increase latency.",
         misses.count, GST_PAD_NAME(misses.stalled)),
        ("stats counts dropped buffers by pad (inputs)"));
    return;
  }
  if (!misses.nearest || *misses.nearest <= misses.tolerance || misses.pad == nullptr) return;
  said_apart_ = true;
  GST_ELEMENT_WARNING(element_, STREAM, FAILED,
                      ("No complete set in %" G_GUINT64_FORMAT
                       " buffers: those of pad %s and of the reference are %.3g ms apart or more, "
                       "but sync-tolerance is %.3g ms. Trigger the cameras together, check whether "
                       "one of them starts later (timestamps), or set a larger sync-tolerance.",
                       misses.count, GST_PAD_NAME(misses.pad), milliseconds(*misses.nearest),
                       milliseconds(misses.tolerance)),
                      ("stats counts dropped buffers by pad (inputs)"));
}

// Contradictory values are an error at start. During playback they may be temporary: a warning is
// posted, and the last valid ones stay in effect.
void HeightMethod::use_settings() {
  settings_ = copy_settings<HeightSettings>(element_);
  if (seen_any_ && settings_.search == seen_) return;
  const std::string wrong = explain_settings(settings_.search);
  if (wrong.empty()) {
    parameters_ = parameters_of(settings_.search);
  } else {
    GST_ELEMENT_WARNING(
        element_, LIBRARY, SETTINGS,
        ("Heights cannot be found with these settings, and the previous ones stay in effect: %s.",
         wrong.c_str()),
        (nullptr));
  }
  seen_ = settings_.search;
  seen_any_ = true;
}

void HeightMethod::find_frames(const Frame& frame) {
  frames_.resize(numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const FrameBuffer& input = frame.inputs[batches_ ? 0 : i];
    frames_[numbers_[i]] = {input.buffer, static_cast<guint>(GST_VIDEO_INFO_WIDTH(input.info)),
                            static_cast<guint>(GST_VIDEO_INFO_HEIGHT(input.info)),
                            batches_ ? view_names_[i].c_str() : input.pad};
  }
}

Plan HeightMethod::plan(const Frame& frame) {
  use_settings();
  pts_ = frame.pts();
  if (std::exchange(ends_tracks_, false) || !settings_.track_heads) last_.tracks.end();
  Plan plan;
  plan.inputs_of_frame = numbers_.size();
  find_frames(frame);
  // The pad `ground` may have been requested after the caps.
  if (!no_ground_.empty() && is_there(kGroundPad)) {
    plan.refused = !refuse(no_ground_);
    return plan;
  }
  if (frame.overlay != nullptr) picture_ = HeightsOverlayPad::get_settings(frame.overlay);
  const RigSettings rig{settings_.camera, settings_.undistort, settings_.output, reference_,
                        parameters_};
  plan.refused = !cameras_.change(rig, frames_);
  if (!plan.refused) parameters_ = cameras_.parameters();
  return plan;
}

// Arranges the surfaces of a batch in the order of the views.
bool HeightMethod::arrange(std::span<const FrameSurface> surfaces,
                           std::vector<FrameSurface>* arranged) {
  if (surfaces.size() != numbers_.size()) {
    throw std::runtime_error(format_text("expected one surface in each buffer of %" G_GSIZE_FORMAT
                                         " pads, got %" G_GSIZE_FORMAT
                                         " in all: split batches (nvstreamdemux), or link batches "
                                         "with a frame of each view to sink_0 alone",
                                         numbers_.size(), surfaces.size()));
  }
  if (!batches_) return false;
  for (const std::size_t place : batch_.places()) arranged->push_back(surfaces[place]);
  return true;
}

std::size_t HeightMethod::input_of(std::size_t view) const {
  return static_cast<std::size_t>(std::find(numbers_.begin(), numbers_.end(), view) -
                                  numbers_.begin());
}

void HeightMethod::follow(std::span<const heightmap::Head> heads, HeightsContent* content) {
  obstacles::TrackParameters parameters = settings_.tracks;
  parameters.gate = millimetres(settings_.gate);
  next_ = last_;
  next_.pts = pts_;
  const bool known = GST_CLOCK_TIME_IS_VALID(pts_) && GST_CLOCK_TIME_IS_VALID(last_.pts);
  next_.tracks.update(heads, known ? GST_CLOCK_DIFF(last_.pts, pts_) : 0, parameters);
  content->set_tracks(next_.tracks);
}

void HeightMethod::set_result(const Task& task, const heightmap::Result& result) {
  GstRdpHeightsInfo info = heights_info(cameras_.rig(), result);
  info.frame = task.frame;
  info.spread = spread_;
  if (no_ground_.empty()) set_ground(grid_, &info);
  HeightsDraft draft = pool_.acquire();
  draft->set(result.heads);
  if (settings_.track_heads) follow(result.heads, draft.operator->());
  task.results[0] = GST_MINI_OBJECT_CAST(draft.finish(info));
  const double pixels = static_cast<double>(info.width) * static_cast<double>(info.height);
  found_ = {spread_, static_cast<double>(info.known_pixels) / pixels, result.heads.size(),
            info.iterations, info.energy};
}

gsize HeightMethod::count(GstMiniObject* result) {
  gsize n = 0;
  gst_rdp_heights_peek_heads(GST_RDP_HEIGHTS(result), &n);
  return n;
}

void HeightMethod::attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) {
  attach_results<meta::HeightsKind>(buffer, results);
  if (settings_.track_heads) std::swap(last_, next_);
  GST_OBJECT_LOCK(element_);
  *stats_ = found_;
  GST_OBJECT_UNLOCK(element_);
}

void HeightMethod::describe_output(std::size_t which, GstBuffer* output) {
  if (which == kHeights) gst_buffer_add_rdp_camera_meta(output, cameras_.camera());
}

// --- on the CPU ---------------------------------------------------------------------------------

void HeightMethod::CpuWorker::use_threads() {
  threads_wanted_.use(
      GST_ELEMENT(method_.element_), method_.settings().threads,
      [this](guint wanted) {
        threads_.resize(wanted == 0 ? std::min(usable_processors(), ThreadPool::kMaxThreads)
                                    : wanted);
        engine_.set_threads(threads_.size());
      },
      [this] { return threads_.size(); });
}

// Returns the view without lens distortion.
DepthView HeightMethod::CpuWorker::straighten(const DepthView& picture, std::size_t view) {
  const RectificationMap& map = *method_.cameras().maps()[view];
  const auto bytes = static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height);
  const MutableDepthView straight{straight_[view].ensure(bytes), map.width, map.width, map.height,
                                  SampleType::kU8};
  const auto items = static_cast<unsigned>((map.height + kRowsOfItem - 1) / kRowsOfItem);
  threads_.run(items, std::min(threads_.size(), items), [&](unsigned item, unsigned, unsigned) {
    const int first = static_cast<int>(item) * kRowsOfItem;
    rectify_rows(picture, map, first, std::min(first + kRowsOfItem, map.height), straight);
  });
  return straight;
}

void HeightMethod::CpuWorker::read_pictures(const Task& task) {
  const std::size_t views = task.inputs.size();
  pictures_.resize(views);
  if (straight_.size() < views) straight_.resize(views);
  for (std::size_t view = 0; view < views; ++view) {
    const DepthView picture = task.inputs[method_.input_of(view)].host;
    pictures_[view] =
        method_.cameras().maps()[view] == nullptr ? picture : straighten(picture, view);
  }
}

void HeightMethod::CpuWorker::analyze(const Task& task) {
  use_threads();
  const heightmap::Rig& rig = method_.cameras().rig();
  const heightmap::Parameters& parameters = method_.parameters();
  const std::string too_much = memory_.explain(rig, parameters, [&] {
    return explain_memory(heightmap::Engine::memory_of(rig, parameters, method_.table_memory()),
                          most_memory(), Processor::kCpu, rig, parameters);
  });
  if (!too_much.empty()) throw NoMemoryForHeights(too_much);
  try {
    engine_.prepare(rig, parameters, method_.area(), method_.table_memory());
    read_pictures(task);
  } catch (const std::bad_alloc&) {
    throw NoMemoryForHeights(rig, parameters,
                             heightmap::Engine::memory_of(rig, parameters, method_.table_memory()));
  }
  result_ = engine_.run(pictures_);
  method_.set_result(task, result_);
  const MutableDepthView& samples = task.outputs[kHeights].host;
  if (method_.settings().output == HeightOutput::kDepthMm) {
    heightmap::write_depths(rig, parameters, result_.labels, samples);
  } else {
    heightmap::write_heights(parameters, result_.labels, samples);
  }
  const MutableDepthView& ground = task.outputs[kGround].host;
  if (ground.data != nullptr) {
    heightmap::draw_ground(rig, parameters, result_.labels, method_.grid(), ground);
  }
}

// Paints the pictures that were labelled, without lens distortion.
void HeightMethod::CpuWorker::paint(const Task& task) {
  painter_threads_.use(GST_ELEMENT(method_.element_), method_.settings().threads, &painter_);
  const heightmap::Rig& rig = method_.cameras().rig();
  heightmap::OverlayScene scene;
  scene.picture = pictures_[static_cast<std::size_t>(rig.reference)];
  scene.rig = &rig;
  scene.parameters = &method_.parameters();
  scene.area = &method_.area();
  scene.cell = millimetres(method_.settings().cell_size);
  scene.labels = result_.labels;
  scene.heads = result_.heads;
  painter_.paint(scene, method_.picture(), task.picture);
}

}  // namespace rdp::gst
