// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/nvmm.h"

#include <algorithm>
#include <utility>

#include "tests/support/await.h"

namespace conformance {

using faults::AtWork;
using faults::InTest;

// Marks the calling thread as inside the element.
class Stream::InElement {
 public:
  explicit InElement(Stream* stream)
      : stream_(stream), before_(std::exchange(faults::in_test, false)) {
    if (stream_->floats != nullptr) rdp::test::set(*stream_->floats);
  }
  ~InElement() {
    faults::in_test = before_;
    if (stream_->floats == nullptr) return;
    if (!rdp::test::is_set(*stream_->floats)) stream_->floats_are_left = false;
    std::fesetenv(FE_DFL_ENV);
  }
  InElement(const InElement&) = delete;
  InElement& operator=(const InElement&) = delete;

 private:
  Stream* stream_;
  AtWork at_work_{true};
  bool before_;
};

Element& add_way(Element* element, const std::string& settings) {
  Element way = *element;
  const Check nothing = [](GstBuffer*) { return std::string(); };
  way.ways.clear();
  way.tries_properties = false;
  way.settings += " " + settings;
  way.expect = [=](const Contents&) { return nothing; };
  way.expect_side = [=](const std::string&, const Contents&) { return nothing; };
  way.expect_made = [=](guint64) { return nothing; };
  element->ways.push_back(std::move(way));
  return element->ways.back();
}

void add_ways(Element* element, std::initializer_list<const char*> settings) {
  for (const char* each : settings) add_way(element, each);
}

std::vector<Element> all_ways(const Element& element) {
  Element itself = element;
  std::vector<Element> all = std::exchange(itself.ways, {});
  all.insert(all.begin(), add_way(&itself, ""));
  all.front().tries_properties = true;
  return all;
}

std::vector<std::uint8_t> samples_of(GstBuffer* buffer, const Shape& shape) {
  if (is_nvmm(buffer)) return nvmm_samples(buffer);
  const gsize row = frames::row_bytes(shape);
  gsize offset = 0;
  auto stride = static_cast<gsize>(GST_ROUND_UP_4(row));
  if (const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer)) {
    offset = meta->offset[0];
    stride = static_cast<gsize>(meta->stride[0]);
  }
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    offset += crop->y * stride + crop->x * row / static_cast<gsize>(shape.width);
  }
  GstMapInfo map;
  if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) return {};
  std::vector<std::uint8_t> result;
  for (gsize r = 0; r < static_cast<gsize>(shape.height); ++r) {
    const gsize at = offset + r * stride;
    if (at + row > map.size) break;
    result.insert(result.end(), map.data + at, map.data + at + row);
  }
  gst_buffer_unmap(buffer, &map);
  return result;
}

std::string same_samples(GstBuffer* buffer, const Shape& shape, const void* expected) {
  const std::vector<std::uint8_t> got = samples_of(buffer, shape);
  const auto* wanted = static_cast<const std::uint8_t*>(expected);
  if (got.empty()) return kUnreadable;
  if (got.size() != frames::row_bytes(shape) * static_cast<gsize>(shape.height)) {
    return "it has " + std::to_string(got.size()) + " bytes of samples";
  }
  const auto differs = std::mismatch(got.begin(), got.end(), wanted).first;
  return differs == got.end() ? "" : "byte " + std::to_string(differs - got.begin()) + " differs";
}

// --- Memory -------------------------------------------------------------------------------------

namespace {
const Memory* current = nullptr;
}

const Memory& memory() {
  static const Memory kPlain;
  return current == nullptr ? kPlain : *current;
}
void set_memory(const Memory* memory) { current = memory; }

// --- Film ---------------------------------------------------------------------------------------

Film::Film(const Element& of, const Shapes& with) : element(of), shapes(with) {
  if (element.is_source()) return;
  for (unsigned scene = 0; scene < kScenes; ++scene) {
    Contents drawn;
    if (element.draw) {
      drawn = element.draw(shapes, scene);
    } else {
      for (const Shape& shape : shapes) {
        drawn.push_back(frames::draw(shape, frames::Scene::kSurface, scene + 1));
      }
    }
    contents_.push_back(std::move(drawn));
    if (element.expect) checks_.push_back(element.expect(contents_.back()));
    side_checks_.emplace_back();
    for (const std::string& side : element.sides) {
      side_checks_.back().push_back(element.expect_side(side, contents_.back()));
    }
  }
  if (element.expect) return;
  const auto result = [this](GstBuffer* output) {
    return element.result ? element.result(shapes, output) : frames::bytes(output);
  };
  std::vector<std::vector<std::uint8_t>> plain;
  static const Memory kPlain;
  Stream stream(*this, false, kPlain);
  stream.look = [&](GstBuffer* buffer, guint64) {
    plain.push_back(result(buffer));
    return std::string();
  };
  const guint64 came = stream.play(kScenes);
  fail_unless_equals_uint64(came, kScenes);
  fail_unless(plain[0] != plain[1], "%s makes the same of all scenes", element.name.c_str());
  for (const auto& bytes : plain) {
    checks_.push_back([=](GstBuffer* output) {
      return result(output) == bytes ? "" : "other bytes than in the plainest stream";
    });
  }
}

guint64 number_of(GstBuffer* buffer) {
  return (GST_BUFFER_PTS(buffer) * 30 + GST_SECOND / 2) / GST_SECOND;
}

std::string Film::caps(std::size_t input, const Memory& where) const {
  if (element.caps) return element.caps(input, shapes[input]);
  return frames::caps_string(shapes[input],
                             where.feature.empty() ? nullptr : where.feature.c_str());
}

GstBuffer* Film::make(std::size_t input, guint64 number, const Memory& where) const {
  const Content& content = contents(number)[input];
  GstBuffer* buffer =
      where.make && element.pictures ? where.make(content) : frames::new_buffer(content);
  fail_unless(buffer != nullptr);
  return finish(buffer, input, number);
}

GstBuffer* Film::finish(GstBuffer* buffer, std::size_t input, guint64 number) const {
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  GST_BUFFER_OFFSET(buffer) = number;
  if (element.describe) element.describe(input, contents(number)[input], buffer);
  return buffer;
}

std::string Film::complaint(GstBuffer* output, guint64 number) const {
  std::string wrong =
      element.is_source() ? element.expect_made(number)(output) : checks_[number % kScenes](output);
  if (wrong.empty() && GST_BUFFER_PTS(output) / GST_MSECOND != number * 1000 / 30) {
    wrong = "another time";
  }
  return wrong.empty() ? wrong : "frame " + std::to_string(number) + ": " + wrong;
}

std::string Film::complaint_of_side(std::size_t side, GstBuffer* output, guint64 number) const {
  const std::string wrong = side_checks_[number % kScenes][side](output);
  return wrong.empty() || wrong == kUnreadable
             ? wrong
             : element.sides[side] + " of frame " + std::to_string(number) + ": " + wrong;
}

gboolean Stream::answer_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  const int live = static_cast<Stream*>(gst_pad_get_element_private(pad))->live;
  if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY || live < 0) {
    return gst_pad_query_default(pad, parent, query);
  }
  gst_query_set_latency(query, live > 0, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

// --- Stream -------------------------------------------------------------------------------------

Stream::Stream(const Film& film, bool with_sides, const Memory& where)
    : film_(film), memory_(where) {
  g_autoptr(GError) error = nullptr;
  element = gst_parse_launch((of().factory + " " + of().settings).c_str(), &error);
  fail_unless(error == nullptr, "%s", error == nullptr ? "" : error->message);
  gst_object_ref_sink(element);
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), "backend") != nullptr) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", where.settings.c_str());
  }
  if (of().prepare) of().prepare(element);
  bus = frames::attach_bus(element);
  if (of().ends_here) {
    gst_pad_set_active(main.pad(), TRUE);
  } else {
    link(&main, "src");
  }
  for (std::size_t i = 0; with_sides && i < of().sides.size(); ++i) add_side(i);
  for (const std::string& name : of().inputs) {
    GstPad* pad = gst_element_get_static_pad(element, name.c_str());
    if (pad == nullptr) {
      pad = gst_element_request_pad_simple(element, name.c_str());
      requested_.push_back(GST_PAD(gst_object_ref(pad)));
    }
    fail_unless(pad != nullptr, "%s has no pad %s", of().factory.c_str(), name.c_str());
    inputs_.push_back(pad);
    sources_.push_back(gst_pad_new(nullptr, GST_PAD_SRC));
    gst_object_ref_sink(sources_.back());
    gst_pad_set_element_private(sources_.back(), this);
    gst_pad_set_query_function(sources_.back(), answer_query);
    fail_unless_equals_int(gst_pad_link(sources_.back(), pad), GST_PAD_LINK_OK);
  }
  if (of().ends_here) {
    gst_pad_add_probe(inputs_[0],
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
                      pass_on, &main, nullptr);
  }
  look = [this](GstBuffer* buffer, guint64 nth) { return film_.complaint(buffer, nth); };
  expect();
}

Stream::~Stream() {
  stop();
  check_sides();
  for (GstPad* pad : sources_) gst_object_unref(pad);
  for (GstPad* pad : inputs_) gst_object_unref(pad);
  for (GstPad* pad : requested_) {
    if (GST_PAD_PARENT(pad) == element) gst_element_release_request_pad(element, pad);
    gst_object_unref(pad);
  }
  frames::detach_bus(element, bus);
  gst_object_unref(element);
}

faults::Sink* Stream::add_side(std::size_t i) {
  sides_.push_back(new_side(i));
  link(sides_.back().get(), of().sides[i]);
  return sides_.back().get();
}

void Stream::drop_sides() {
  for (const auto& side : sides_) {
    g_autoptr(GstPad) pad = gst_pad_get_peer(side->pad());
    gst_element_release_request_pad(element, pad);
    std::erase(requested_, pad);
    gst_object_unref(pad);
  }
  check_sides();
  sides_.clear();
}

std::unique_ptr<faults::Sink> Stream::new_side(std::size_t i) {
  auto side = std::make_unique<faults::Sink>("side");
  side->look = [this, i](GstBuffer* buffer, guint64) {
    const guint64 number = number_of(buffer);
    const std::string wrong = film_of(number).complaint_of_side(i, buffer, number);
    if (!wrong.empty() && inputs_may_be_missing && of().side_of_pairs) {
      const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
      const std::vector<std::uint8_t> bytes =
          meta == nullptr ? frames::bytes(buffer)
                          : samples_of(buffer, {meta->format, static_cast<int>(meta->width),
                                                static_cast<int>(meta->height)});
      const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
      // The statistics count a frame before the side gets its picture.
      if (std::all_of(bytes.begin(), bytes.end(), is_zero) && ++empty_sides <= stat("unpaired")) {
        return std::string();
      }
    }
    if (wrong.empty()) ++right_sides;
    return wrong == kUnreadable && sides_may_be_lost ? "" : wrong;
  };
  return side;
}

void Stream::expect(guint64 first) {
  main.look = [this, first](GstBuffer* buffer, guint64 nth) { return look(buffer, first + nth); };
}

// Forwards a sink element's input to `main`, as if it were output.
GstPadProbeReturn Stream::pass_on(GstPad*, GstPadProbeInfo* info, gpointer data) {
  GstPad* pad = static_cast<faults::Sink*>(data)->pad();
  if ((info->type & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
    gst_pad_chain(pad, gst_buffer_ref(GST_PAD_PROBE_INFO_BUFFER(info)));
  } else {
    gst_pad_send_event(pad, gst_event_ref(GST_PAD_PROBE_INFO_EVENT(info)));
  }
  return GST_PAD_PROBE_OK;
}

void Stream::link(faults::Sink* sink, const std::string& name) {
  g_autoptr(GstPad) pad = gst_element_get_static_pad(element, name.c_str());
  if (pad == nullptr) {
    pad = gst_element_request_pad_simple(element, name.c_str());
    requested_.push_back(GST_PAD(gst_object_ref(pad)));
  }
  std::string wanted = sink == &main ? of().src_caps : "video/x-raw";
  if (!memory_.feature.empty() && sink != &main) {
    // Side pads fall back to system memory if the GPU fails.
    wanted = "video/x-raw(" + memory_.feature + ");video/x-raw";
  }
  if (!wanted.empty()) {
    sink->query = [wanted](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
      GstCaps* filter;
      gst_query_parse_caps(query, &filter);
      g_autoptr(GstCaps) all = gst_caps_from_string(wanted.c_str());
      g_autoptr(GstCaps) some =
          filter == nullptr ? gst_caps_ref(all)
                            : gst_caps_intersect_full(filter, all, GST_CAPS_INTERSECT_FIRST);
      gst_query_set_caps_result(query, some);
      return true;
    };
  }
  gst_pad_set_active(sink->pad(), TRUE);
  fail_unless_equals_int(gst_pad_link(pad, sink->pad()), GST_PAD_LINK_OK);
}

bool Stream::start() {
  const InElement now(this);
  empty_sides = right_sides = 0;
  return gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
}

void Stream::stop() {
  const InElement now(this);
  gst_element_set_state(element, GST_STATE_NULL);
  for (GstPad* pad : sources_) gst_pad_set_active(pad, FALSE);
}

bool Stream::begin(const Film& film) {
  bool well = true;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    gst_pad_set_active(sources_[i], TRUE);
    const std::string id = "stream of " + of().inputs[i];
    const InElement now(this);
    well = gst_pad_push_event(sources_[i], gst_event_new_stream_start(id.c_str())) && well;
  }
  return well && set_caps(film) && segment();
}

bool Stream::event(GstEvent* event) {
  const InElement now(this);
  bool well = true;
  for (GstPad* source : sources_) {
    well = gst_pad_push_event(source, gst_event_ref(event)) && well;
  }
  gst_event_unref(event);
  return well;
}

void Stream::ask() {
  g_autoptr(GstStructure) stats = nullptr;
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), "stats") != nullptr) {
    g_object_get(element, "stats", &stats, nullptr);
  }
  for (GstPad* pad : inputs_) {
    g_autoptr(GstCaps) any = gst_pad_query_caps(pad, nullptr);
    if (of().is_joined()) continue;  // what is serialized waits for the other inputs
    g_autoptr(GstCaps) now = gst_pad_get_current_caps(pad);
    g_autoptr(GstQuery) query = gst_query_new_allocation(now, TRUE);
    gst_pad_query(pad, query);
  }
}

bool Stream::set_caps(const Film& film) {
  bool well = true;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    g_autoptr(GstCaps) caps = gst_caps_from_string(film.caps(i, memory_).c_str());
    GstEvent* event = gst_event_new_caps(caps);
    const InElement now(this);
    well = gst_pad_push_event(sources_[i], event) && well;
  }
  return well;
}

bool Stream::segment() {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  return event(gst_event_new_segment(&segment));
}

GstFlowReturn Stream::push(const Film& film, guint64 number) {
  GstFlowReturn flow = GST_FLOW_OK;
  for (std::size_t i = 0; i < sources_.size() && flow == GST_FLOW_OK; ++i) {
    flow = push(i, film.make(i, number, memory_));
  }
  return flow;
}

GstFlowReturn Stream::push(std::size_t input, GstBuffer* buffer) {
  const InElement now(this);
  return gst_pad_push(sources_[input], buffer);
}

// True if the element's own thread has ended, and has said all that it had to say.
bool Stream::has_paused() const {
  g_autoptr(GstPad) source = gst_pad_get_peer(main.pad());
  if (source == nullptr || gst_pad_get_task_state(source) != GST_TASK_PAUSED) return false;
  GST_PAD_STREAM_LOCK(source);  // held until the thread's last round is over
  GST_PAD_STREAM_UNLOCK(source);
  return true;
}

// True if `frames` frames have come, or no more will come.
bool Stream::settled(guint64 frames) {
  const InTest test;
  const bool paused = has_paused();
  const faults::Said more = faults::listen(bus);
  said.errors.insert(said.errors.end(), more.errors.begin(), more.errors.end());
  said.warnings.insert(said.warnings.end(), more.warnings.begin(), more.warnings.end());
  return main.count() >= frames || main.refused() || !said.errors.empty() || paused;
}

bool Stream::await(guint64 frames) {
  const InTest test;
  return rdp::test::await([&] { return settled(frames); }) && main.count() >= frames;
}

guint64 Stream::play(guint64 frames) {
  said = {};
  main.forget();
  check_sides();
  for (const auto& side : sides_) side->forget();
  if (memory_.new_stream) memory_.new_stream();
  std::vector<std::vector<GstBuffer*>> made(of().is_source() ? 0 : frames);
  for (guint64 number = 0; number < made.size(); ++number) {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      made[number].push_back(film_of(number).make(i, number, memory_));
    }
  }
  before_fault();
  {
    // The element's own threads run all the time.
    const AtWork now(true);
    const InTest test;
    bool well = start();
    if (well && of().is_source()) {
      await(frames);
      // A source ends by EOS downstream, or by an error.
      rdp::test::await([&] { return main.ends() > 0 || main.refused() || settled(frames + 1); });
    }
    well = well && begin(film_of(0));
    for (auto& buffers : made) {
      const auto number = static_cast<guint64>(&buffers - made.data());
      if (well && number > 0 && &film_of(number) != &film_of(number - 1)) {
        well = set_caps(film_of(number));
      }
      if (renegotiates) gst_pad_push_event(main.pad(), gst_event_new_reconfigure());
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        GstBuffer* buffer = std::exchange(buffers[i], nullptr);
        if (well) {
          told = push(i, buffer);
          well = told == GST_FLOW_OK;
        } else {
          gst_buffer_unref(buffer);
        }
      }
      well = well && await(number + 1) && !main.refused();
    }
    if (well && renegotiates) ask();
    stop();
  }
  settled(0);
  return main.count();
}

void Stream::check(guint64 came, const std::string& what, guint64 frames) {
  const std::string where = of().name + ": " + what;
  fail_unless(main.complaint().empty(), "%s: %s", where.c_str(), main.complaint().c_str());
  // A side pad that loses its memory with the GPU posts an error of its own.
  std::size_t own = 0;
  for (const std::string& error : said.errors) {
    own += error.find("'s pictures") == std::string::npos ? 1 : 0;
  }
  // A source may fail after its last frame.
  const std::size_t allowed = of().further_errors + (of().is_source() ? 1 : 0);
  const bool right = came == frames ? said.errors.size() <= allowed
                                    : !said.errors.empty() && own <= 1 + of().further_errors;
  fail_unless(right, "%s: %d of %d frames came, and %s", where.c_str(), static_cast<int>(came),
              static_cast<int>(frames), said.text().c_str());
}

void Stream::check_sides() const {
  for (const auto& side : sides_) {
    fail_unless(side->complaint().empty(), "%s: %s", of().name.c_str(), side->complaint().c_str());
  }
}

void Stream::check_fresh_start(const std::string& after) {
  stop();
  check_sides();
  const bool lost = std::exchange(sides_may_be_lost, false);
  faults::listen(bus);
  const auto armed = std::exchange(before_fault, [] {});
  const auto looked = std::exchange(
      look, [this](GstBuffer* buffer, guint64 nth) { return film_.complaint(buffer, nth); });
  expect();
  std::vector<faults::Sink*> sinks = {&main};
  for (const auto& side : sides_) sinks.push_back(side.get());
  for (faults::Sink* sink : sinks) {
    sink->answer = nullptr;
    sink->forget();
    // Deactivation also clears the pad's sticky events.
    gst_pad_set_active(sink->pad(), FALSE);
    gst_pad_set_active(sink->pad(), TRUE);
  }
  const guint64 came = play();
  fail_unless(came == kFrames && said.errors.empty(), "%s: after %s, started again: %d frames, %s",
              of().name.c_str(), after.c_str(), static_cast<int>(came), said.text().c_str());
  fail_unless(main.complaint().empty(), "%s: after %s: %s", of().name.c_str(), after.c_str(),
              main.complaint().c_str());
  check_sides();
  before_fault = armed;
  look = looked;
  sides_may_be_lost = lost;
}

guint64 Stream::stat(const char* name) const {
  GstStructure* stats = nullptr;
  g_object_get(element, "stats", &stats, nullptr);
  guint64 value = 0;
  fail_unless(gst_structure_get_uint64(stats, name, &value), "stats have no %s", name);
  gst_structure_free(stats);
  return value;
}

}  // namespace conformance
