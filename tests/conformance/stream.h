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

// An element of the table between pads that do as a row tells them.
namespace conformance {

constexpr guint64 kFrames = 3;  // of a stream
constexpr unsigned kScenes = 3;

// Where frames lie.
struct Memory {
  std::string name = "system memory";
  std::string feature;           // of caps; "": none
  std::string settings = "cpu";  // the property backend, of elements that have it
  // Before the frames of a stream are made, and what makes one. Without: system memory.
  std::function<void()> new_stream;
  std::function<GstBuffer*(const Content& content)> make;
};
// What the rows run over: system memory and the CPU, over a CUDA driver the GPU. Trials set it.
const Memory& memory();
void set_memory(const Memory* memory);
// Lets go of the CUDA context that the last frames were made in, if there was one.
void forget_context();
std::vector<const Memory*> memories_of(const Element& element);

// Which frame that is, by its time.
guint64 number_of(GstBuffer* buffer);

// The frames of an element's streams, and what is to come of them, worked out once.
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
  // Numbers and describes a buffer with those samples, which is returned.
  GstBuffer* finish(GstBuffer* buffer, std::size_t input, guint64 number) const;
  // What is wrong with what came of frame `number`, "" if nothing is.
  std::string complaint(GstBuffer* output, guint64 number) const;
  // The same of what a side made of that frame.
  std::string complaint_of_side(std::size_t side, GstBuffer* output, guint64 number) const;

 private:
  std::vector<Contents> contents_;
  std::vector<Check> checks_;                    // of each scene
  std::vector<std::vector<Check>> side_checks_;  // of each scene and side
};

class Stream {
 public:
  // `with_sides`: all source pads are there and linked.
  explicit Stream(const Film& film, bool with_sides = false, const Memory& where = memory());
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // --- a whole stream ---------------------------------------------------------------------------

  // Starts, and pushes frames until one is refused or an error is posted. How many came out.
  guint64 play(guint64 frames = kFrames);
  // What is true whatever went wrong: frames that came are right and in order, and either all came
  // without a word or there was one error.
  void check(guint64 came, const std::string& what, guint64 frames = kFrames);
  // From NULL: everything works, whatever happened before.
  void check_fresh_start(const std::string& after);
  // That nothing was wrong with what sides were sent.
  void check_sides() const;

  // --- its steps --------------------------------------------------------------------------------

  bool start();
  void stop();
  // What comes before the first frame, on all inputs.
  bool begin() { return begin(film()); }
  bool begin(const Film& film);
  // To all inputs in turn. Takes the event.
  bool event(GstEvent* event);
  bool set_caps(const Film& film);
  bool segment();
  // Frame `number` on all inputs: what the last of them was told. Of its own buffers, or these.
  GstFlowReturn push(const Film& film, guint64 number);
  GstFlowReturn push(guint64 number) { return push(film(), number); }
  GstFlowReturn push(std::size_t input, GstBuffer* buffer);
  // Until so many frames have come out; false where that does not happen within ten seconds, or an
  // error comes instead.
  bool await(guint64 frames);
  // Frames that come out are those of the film, from `first` on.
  void expect(guint64 first = 0);

  // The side pad of the table's that is requested now, and linked.
  faults::Sink* add_side(std::size_t i);
  // Releases the pads that were added.
  void drop_sides();
  // What may be linked to such a pad: it looks at what comes.
  std::unique_ptr<faults::Sink> new_side(std::size_t i);
  // What upstream answers who asks for its latency: 1 live, 0 not live, -1 nothing.
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
  faults::Said said;                 // in the last stream
  GstFlowReturn told = GST_FLOW_OK;  // what its last push was answered
  // When the buffers of a stream are made and before the element starts; around each look at what
  // came out.
  std::function<void()> before_fault = [] {};
  std::function<std::string(GstBuffer*, guint64)> look;
  // Which film the sides show with frame `number`; the stream's own one. What they send is compared
  // whenever it stops.
  std::function<const Film&(guint64)> film_of = [this](guint64) -> const Film& { return film_; };
  // What the application has made of the floating-point environment of threads that call the
  // element; null: nothing. An element that leaves another one is noted.
  const rdp::test::FloatEnvironment* floats = nullptr;
  bool floats_are_left = true;
  // The driver may have lost what a side sends.
  bool sides_may_be_lost = false;
  // Frames may lack one: a side of pairs is empty then, but not more often than stats say.
  std::atomic<bool> inputs_may_be_missing{false};
  // Frames of sides since the start: empty ones, and those that are right for all inputs.
  std::atomic<guint64> empty_sides{0};
  std::atomic<guint64> right_sides{0};

 private:
  class InElement;
  void link(faults::Sink* sink, const std::string& pad);
  static GstPadProbeReturn pass_on(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static gboolean answer_query(GstPad* pad, GstObject* parent, GstQuery* query);
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
  // Frames in any memory; in any but NVMM memory, which nobody copies; in system memory, also where
  // the GPU works; there where the CPU works; where the GPU works; there in its memory; in CUDA
  // memory.
  enum class Over { kAll, kCopied, kSystem, kCpu, kDriver, kInDevice, kDevice } over = Over::kAll;
  bool of_sinks = false;  // holds for elements without a source pad, too
};
// True unless ELEMENT or ROW of the environment names others.
bool is_wanted(const char* variable, const std::string& name);
// The rows of a file, which one program of the suite or several have.
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
