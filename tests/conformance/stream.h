// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_STREAM_H_
#define RDP_TESTS_CONFORMANCE_STREAM_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/conformance/element.h"
#include "tests/support/fault_rig.h"
#include "tests/support/float_environments.h"

// An element of the table between pads that a row controls.
namespace conformance {

constexpr guint64 kFrames = 3;  // per stream
constexpr unsigned kScenes = 3;

// The kind of memory of the frames.
struct Memory {
  std::string name = "system memory";
  std::string feature;           // caps feature; "": none
  std::string settings = "cpu";  // value of the property backend, if there is one
  // Called before a stream's frames are made; `make` makes one. Default: system memory.
  std::function<void()> new_stream;
  std::function<GstBuffer*(const Content& content)> make;
};
// The kind of memory of the present trial, which sets it. Without a CUDA driver the CPU works, with
// one the GPU.
const Memory& memory();
void set_memory(const Memory* memory);
// Releases the CUDA context of the latest frames, if there is one.
void forget_context();
std::vector<const Memory*> memories_of(const Element& element);

// The number of a frame, from its timestamp.
guint64 number_of(GstBuffer* buffer);

// The input frames of an element's streams, and the expected results, computed once.
class Film {
 public:
  explicit Film(const Element& of) : Film(of, of.shapes.empty() ? Shapes() : of.shapes[0]) {}
  Film(const Element& of, const Shapes& with);
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  const Element& element;
  const Shapes shapes;

  const Contents& contents(guint64 number) const { return contents_[number % kScenes]; }
  std::string caps(std::size_t input, const Memory& where = memory()) const;
  GstBuffer* make(std::size_t input, guint64 number, const Memory& where = memory()) const;
  // Sets number and metadata of a buffer, and returns it.
  GstBuffer* finish(GstBuffer* buffer, std::size_t input, guint64 number) const;
  // The fault of the result for frame `number`; "": none.
  std::string complaint(GstBuffer* output, guint64 number) const;
  // The fault of a side pad's result for that frame.
  std::string complaint_of_side(std::size_t side, GstBuffer* output, guint64 number) const;

 private:
  std::vector<Contents> contents_;
  std::vector<Check> checks_;                    // per scene
  std::vector<std::vector<Check>> side_checks_;  // per scene and side
};

class Stream {
 public:
  // `with_sides`: requests and links all side pads.
  explicit Stream(const Film& film, bool with_sides = false, const Memory& where = memory());
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // --- a whole stream ---------------------------------------------------------------------------

  // Starts, and pushes frames until one is refused or an error is posted. Returns the number of
  // output frames.
  guint64 play(guint64 frames = kFrames);
  // Checks that hold for any fault: output frames are right and in order; either all came without
  // an error, or there was one error.
  void check(guint64 came, const std::string& what, guint64 frames = kFrames);
  // Checks that a stream from NULL works after any fault.
  void check_fresh_start(const std::string& after);
  // Fails if a side pad has received wrong data.
  void check_sides() const;

  // --- its steps --------------------------------------------------------------------------------

  bool start();
  void stop();
  // Sends the events before the first frame on all inputs.
  bool begin() { return begin(film()); }
  bool begin(const Film& film);
  // Sends an event to all inputs in turn. (transfer full)
  bool event(GstEvent* event);
  bool set_caps(const Film& film);
  bool segment();
  // Pushes frame `number` on all inputs, and returns the last flow. The frames are those of `film`,
  // or its own.
  GstFlowReturn push(const Film& film, guint64 number);
  GstFlowReturn push(guint64 number) { return push(film(), number); }
  GstFlowReturn push(std::size_t input, GstBuffer* buffer);
  // Waits for `frames` output frames. False if they do not come in time, or if an error comes
  // first.
  bool await(guint64 frames);
  // Expects the frames of the film from `first` on.
  void expect(guint64 first = 0);

  // Requests and links a side pad of the table.
  faults::Sink* add_side(std::size_t i);
  // Releases the requested pads.
  void drop_sides();
  // A sink for such a side pad, which checks its buffers.
  std::unique_ptr<faults::Sink> new_side(std::size_t i);
  // Upstream's answer to latency queries: 1 live, 0 not live, -1 none.
  std::atomic<int> live{-1};

  const Film& film() const { return film_; }
  const Element& of() const { return film_.element; }
  GstPad* source(std::size_t input = 0) const { return sources_[input]; }
  GstPad* input(std::size_t input = 0) const { return inputs_[input]; }
  faults::Sink* side(std::size_t i = 0) const { return sides_[i].get(); }
  guint64 stat(const char* name) const;

  GstElement* element;
  GstBus* bus;
  faults::Sink main{"main"};
  faults::Said said;                 // the latest stream's
  GstFlowReturn told = GST_FLOW_OK;  // its last flow
  // Called after a stream's buffers are made and before the element starts. `look` checks each
  // output.
  std::function<void()> before_fault = [] {};
  // Downstream asks for other caps or another pool before each frame, and at the end upstream and
  // the application ask for all that an element tells.
  bool renegotiates = false;
  std::function<std::string(GstBuffer*, guint64)> look;
  // The film of frame `number`, which play() pushes and side pads are compared with; by default the
  // stream's own. Side pads are compared when the stream stops.
  std::function<const Film&(guint64)> film_of = [this](guint64) -> const Film& { return film_; };
  // The floating-point environment of application threads that call the element; null: unchanged.
  // `floats_are_left` becomes false if a call changes it.
  const rdp::test::FloatEnvironment* floats = nullptr;
  bool floats_are_left = true;
  // The driver may lose the output of side pads.
  bool sides_may_be_lost = false;
  // Inputs may lack a frame: the output of paired side pads is then empty, but not more often than
  // stats report.
  std::atomic<bool> inputs_may_be_missing{false};
  // Frames at side pads since the start: empty ones, and those that are right for all inputs.
  std::atomic<guint64> empty_sides{0};
  std::atomic<guint64> right_sides{0};

 private:
  class InElement;
  void link(faults::Sink* sink, const std::string& pad);
  static GstPadProbeReturn pass_on(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static gboolean answer_query(GstPad* pad, GstObject* parent, GstQuery* query);
  void ask();
  bool has_paused() const;
  bool settled(guint64 frames);
  bool play_source();

  const Film& film_;
  const Memory& memory_;
  std::vector<GstPad*> inputs_;
  std::vector<GstPad*> sources_;
  std::vector<GstPad*> requested_;
  std::vector<std::unique_ptr<faults::Sink>> sides_;
};

// --- rows ---------------------------------------------------------------------------------------

struct Row {
  const char* name;
  void (*run)(const Element& element);
  bool (*applies)(const Element& element) = [](const Element&) { return true; };
  // The trials of a row. kAll to kSystem: frames in any memory; in any but NVMM memory, which
  // nobody copies; in system memory, on CPU and GPU. kCpu: in system memory on the CPU. kDriver to
  // kDevice: on the GPU; on the GPU in its memory; in CUDA memory.
  enum class Over { kAll, kCopied, kSystem, kCpu, kDriver, kInDevice, kDevice } over = Over::kAll;
  bool of_sinks = false;  // also for elements without a source pad
};
// True unless the environment variable ELEMENT or ROW names others.
bool is_wanted(const char* variable, const std::string& name);
// The rows of a file, which one or several programs of the suite include.
struct Rows {
  const char* group;
  std::vector<Row> rows;
};
Rows stream_rows();
Rows layout_rows();
Rows refusal_rows();
Rows side_rows();
Rows preroll_rows();
Rows fault_rows();
Rows steady_rows();
Rows cuda_rows();
Rows property_rows();
Rows float_rows();
Rows endurance_rows();

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_STREAM_H_
