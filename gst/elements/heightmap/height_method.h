// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_METHOD_H_
#define RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_METHOD_H_

#include <span>
#include <string>
#include <vector>

#include "common/heightmap/engine.h"
#include "common/heightmap/ground.h"
#include "common/heightmap/head_tracks.h"
#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/joined_work.h"
#include "gst/elements/base/made_caps.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/heightmap/height_cameras.h"
#include "gst/elements/heightmap/height_settings.h"
#include "gst/elements/heightmap/view_batch.h"
#include "gst/metadata/heights_pool.h"

namespace rdp::gst {

extern const CapsWords kHeightCapsWords;

// The outcome of the last set, under the element's object lock.
struct HeightStats {
  guint64 spread = 0;
  double known = 0.0;
  guint64 heads = 0;
  guint64 iterations = 0;
  gint64 energy = 0;
};

inline constexpr char kGroundPad[] = "ground";

// There is no memory for a set: what() says how much is needed and what needs less.
class NoMemoryForHeights : public NoMemoryForWork {
 public:
  explicit NoMemoryForHeights(const std::string& reason) noexcept;  // of explain_memory()
  NoMemoryForHeights(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                     const heightmap::Memory& memory) noexcept;
  const char* what() const noexcept override { return text_; }

 private:
  char text_[480];
};

// Checks an engine's memory once for each rig, before the engine allocates it.
class MemoryCheck {
 public:
  // `explain` returns the reason for missing memory, or nothing. May throw std::bad_alloc.
  template <typename Explain>
  std::string explain(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                      const Explain& explain) {
    if (rig == rig_ && parameters == parameters_) return {};
    std::string reason = explain();
    if (!reason.empty()) return reason;
    rig_ = rig;
    parameters_ = parameters;
    return {};
  }

 private:
  heightmap::Rig rig_;  // that has enough memory
  heightmap::Parameters parameters_;
};

// True if the next buffer of a single input is a batch in NVMM memory, of all views.
bool is_batch_of_views(const JoinedInput& input, GstBuffer* next);

// Estimates heights from sets of views. Its frame is the set, with one result. The inputs are the
// reference and then the others, in the order of their pads' numbers. A batch on sink_0 alone has
// all views in the order of their numbers.
class HeightMethod final : public JoinedMethod {
 public:
  // `element` and `stats` outlive the method.
  HeightMethod(GstRdpJoiner* element, HeightStats* stats);
  ~HeightMethod() override;

  bool start() override;
  void reset(ResetReason reason) noexcept override;
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool cuda_first) override;
  GstCaps* data_caps(const JoinerPadRow& row) override;
  SetVerdict begin_set(Pairing& set) override;
  void look_at(const PairingMisses& misses) override;
  Plan plan(const Frame& frame) override;
  bool arrange(std::span<const FrameSurface> surfaces,
               std::vector<FrameSurface>* arranged) override;
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
#endif
  gsize count(GstMiniObject* result) override;
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override;
  void describe_output(std::size_t which, GstBuffer* output) override;

  // For its workers: indices of the outputs.
  enum Output : std::size_t { kHeights, kGround };
  const HeightSettings& settings() const { return settings_; }
  const heightmap::Parameters& parameters() const { return parameters_; }
  const heightmap::Area& area() const { return area_; }
  const heightmap::GroundGrid& grid() const { return grid_; }
  const HeightCameras& cameras() const { return cameras_; }
  const heightmap::OverlayOptions& picture() const { return picture_; }
  std::uint64_t table_memory() const { return std::uint64_t{settings_.table_memory} * 1000000; }
  // The input index of the view with this number.
  std::size_t input_of(std::size_t view) const;
  // Sets the heights as the task's result. May be repeated for the same task, as tracks continue
  // from the last attached set. Throws std::bad_alloc.
  void set_result(const Task& task, const heightmap::Result& result);

 private:
  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(HeightMethod& method) : method_(method) {}
    void analyze(const Task& task) override;
    void paint(const Task& task) override;

   private:
    void use_threads();
    void read_pictures(const Task& task);
    DepthView straighten(const DepthView& picture, std::size_t view);

    HeightMethod& method_;
    heightmap::Engine engine_{1};
    MemoryCheck memory_;
    ThreadPool threads_;
    WorkerThreads threads_wanted_;
    std::vector<DepthView> pictures_;              // in the order of the views
    std::vector<GrowBuffer<std::byte>> straight_;  // of the views that are resampled
    heightmap::Result result_;                     // of the set at hand
    heightmap::OverlayPainter painter_{1};
    WorkerThreads painter_threads_;
  };

  bool refuse(const std::string& text);
  bool read_batches(const JoinedInput& input);
  bool check_views();
  bool check_reference(const char* who, const char* what);
  SetVerdict look_at_batch(Pairing& set);
  void tell_spread();
  void tell_incomplete();
  void find_frames(const Frame& frame);
  void use_settings();
  void follow(std::span<const heightmap::Head> heads, HeightsContent* content);
  bool is_there(const char* pad) const;

  // The heads of the sets so far.
  struct Followed {
    heightmap::HeadTracks tracks;
    GstClockTime pts = GST_CLOCK_TIME_NONE;  // of the last set
  };

  GstRdpJoiner* const element_;
  HeightStats* const stats_;
  HeightCameras cameras_;

  // From start() on.
  heightmap::Area area_;
  heightmap::GroundGrid grid_;
  std::string no_ground_;  // reason for a missing ground raster; "": there is one

  guint start_reference_ = 0;  // the property at start; later changes wait for the next start

  // From the caps.
  bool batches_ = false;  // all views come to one pad
  std::vector<guint>
      numbers_;  // view numbers of the inputs; without batches the reference comes first
  guint reference_ = 0;
  std::vector<std::string> view_names_;  // of batches, as messages call them
  GstCaps* reference_caps_ = nullptr;

  // For the set at hand.
  HeightSettings settings_;
  heightmap::Parameters parameters_;  // of the settings, and valid
  HeightSearch seen_;                 // last checked settings
  bool seen_any_ = false;
  heightmap::OverlayOptions picture_;
  std::vector<ViewFrame> frames_;  // in the order of the views
  ViewBatch batch_;
  guint64 spread_ = 0;
  HeightStats found_;
  HeightsPool pool_;
  GstClockTime pts_ = GST_CLOCK_TIME_NONE;
  Followed next_;

  Followed last_;             // after the last attached set
  bool ends_tracks_ = false;  // before the next set, by a flush

  bool said_wide_ = false;
  bool said_spread_ = false;
  bool said_apart_ = false;
  guint64 incomplete_ = 0;  // batches since the last set
  bool said_incomplete_ = false;

  CpuWorker cpu_{*this};
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_METHOD_H_
