// SPDX-License-Identifier: LGPL-2.1-or-later
// Faults at every position of a stream: allocation failures, failing neighbours, and any behaviour
// of upstream. Either the stream continues, or one error states the reason. Output is right, and a
// fresh start works. RDPSEGMENT_FAULTS: see fault_rig.h.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "tests/conformance/nvmm.h"
#include "tests/standin/standin.h"
#ifdef RDP_TEST_HAVE_CUDA
#include "tests/support/cuda_frames.h"
#endif
#include "tests/support/await.h"
#include "tests/support/fault_pool.h"

namespace conformance {
namespace {

constexpr GstFlowReturn kAnswers[] = {
    GST_FLOW_NOT_LINKED,     GST_FLOW_FLUSHING,       GST_FLOW_EOS,          GST_FLOW_ERROR,
    GST_FLOW_NOT_NEGOTIATED, GST_FLOW_CUSTOM_ERROR_1, GST_FLOW_NOT_SUPPORTED};

// --- memory -------------------------------------------------------------------------------------

int is_elsewhere() {
  static auto* const inside = standin::available() ? standin::inside() : nullptr;
  return faults::is_at_work() && (inside == nullptr || inside() == 0) ? 0 : 1;
}

// True for an element's plain entry, or its only one.
bool is_plain(const Element& element) {
  return element.name.ends_with("plain") || element.name == element.factory;
}

// True for elements whose streams are so short that each call can be tested with every change.
bool is_short(const Element& element) {
  return element.factory == "depthupload" || element.factory == "depthdownload";
}

// Fails operator new once: the first call, the second, … For a source, calls in its streaming
// thread count.
void every_new(const Element& element) {
  failing_new::not_counted = is_elsewhere;
  const Film film(element);
  // Other caps, for one frame in the middle.
  std::optional<Film> other;
  if (!element.shapes.empty()) other.emplace(element, element.shapes.back());
  const auto changing = [&](guint64 number) -> const Film& {
    return other && number == kFrames / 2 ? *other : film;
  };
  int seen = 0;
  for (const bool sides : {false, true}) {
    if (sides && element.sides.empty()) continue;
    // Tests the first call and a random part of the others: a smaller part with a driver, where
    // each stream is slow, and with other settings. Of the main element it tests all.
    const int few = standin::available() ? (sides ? 34 : 14) : is_plain(element) ? 4 : 12;
    const bool all = faults::factor() > 1 || is_short(element) ||
                     (element.factory == "rdpsegment" && !standin::available());
    const int step = all ? 1 : few;
    int nth = 1;
    for (bool reached = true; reached; nth += nth == 1 ? 1 + faults::any_below(step) : step) {
      Stream stream(film, sides);
      const std::string fault = "operator new no. " + std::to_string(nth);
      stream.before_fault = [&] { failing_new::fail_at(nth); };
      stream.renegotiates = true;
      stream.film_of = changing;
      stream.look = [&](GstBuffer* buffer, guint64 number) {
        return changing(number).complaint(buffer, number);
      };
      const guint64 came = stream.play();
      reached = failing_new::reached();
      seen += reached ? 1 : 0;
      stream.check(came, fault);
      fail_unless(reached || came == kFrames, "%s: %s", element.name.c_str(), fault.c_str());
      stream.film_of = [&](guint64) -> const Film& { return film; };
      stream.check_fresh_start(fault);
    }
  }
  fail_unless(seen > 0, "%s: no call of operator new was seen", element.name.c_str());
}

#ifdef RDP_TEST_HAVE_CUDA
// --- a driver -----------------------------------------------------------------------------------

// A recoverable error, two errors that destroy the context, and one that the calls in question
// never return.
constexpr CUresult kDriverAnswers[] = {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_FAILED,
                                       CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY};

// True if the element's result reports its loss, or the samples are lost with their context.
bool is_lost(GstBuffer* buffer) {
  g_autoptr(GError) error = nullptr;
  if (GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer)) {
    gst_rdp_segmentation_fetch(segmentation, &error);
  }
  GstRdpPlanes* planes = gst_rdp_buffer_get_planes(buffer);
  if (error == nullptr && planes != nullptr) gst_rdp_planes_fetch_labels(planes, &error);
  if (error != nullptr) return g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ);
  if (is_nvmm(buffer)) return nvmm_samples(buffer).empty();
  GstMapInfo map;
  const bool readable = gst_buffer_map(buffer, &map, GST_MAP_READ) != FALSE;
  if (readable) gst_buffer_unmap(buffer, &map);
  return !readable;
}

// Fails each call to the driver once. A frame is complete when it leaves the element, even if its
// context is lost later. A lost result reports that, and is the last before an error. No object of
// the driver is leaked.
void every_call(const Element& element) {
  surfaces_are_held = true;
  cuda_frames::new_context();  // libgstcuda's one-time queries, which must not fail
  const Film film(element);
  unsigned errors = 0;
  for (const bool sides : {false, true}) {
    if (sides && element.sides.empty()) continue;
    const int before = standin::live("all");
    int first = 1;
    for (const CUresult answer : kDriverAnswers) {
      const int begin = first++;
      const int few = element.factory == "rdpsegment" ? 8 : sides ? 150 : 60;
      const int step = faults::factor() > 1 || is_short(element) ? 1 : few;
      int nth = begin;
      for (bool reached = true; reached; nth += nth == begin ? 1 + faults::any_below(step) : step) {
        Stream stream(film, sides);
        const std::string fault =
            "call " + std::to_string(nth) + " answered " + std::to_string(answer);
        stream.before_fault = [&] { standin::inject_any(nth, answer); };
        stream.sides_may_be_lost = true;
        int lost = 0;
        stream.look = [&](GstBuffer* buffer, guint64 number) {
          const int left = standin::inject_any(0, 0);
          std::string wrong = film.complaint(buffer, number);
          if (!wrong.empty() && left == 0 && answer != CUDA_ERROR_OUT_OF_MEMORY &&
              answer != CUDA_ERROR_NOT_READY && is_lost(buffer)) {
            wrong.clear();
            ++lost;
          }
          standin::inject_any(left, answer);
          return wrong;
        };
        const guint64 came = stream.play();
        reached = standin::inject_any(0, 0) == 0;
        stream.check(came, fault);
        fail_unless(reached || came == kFrames, "%s: %s", element.name.c_str(), fault.c_str());
        fail_unless(lost <= 1 || element.gpu_only, "%s: %s: %d frames are lost",
                    element.name.c_str(), fault.c_str(), lost);
        errors += came == kFrames ? 0 : 1;
        stream.check_fresh_start(fault);
      }
    }
    forget_context();
    const int left = standin::live("all") - standin::live("abandoned");
    fail_unless(left <= before, "%s: %d of the driver's objects are left", element.name.c_str(),
                left - before);
  }
  surfaces_are_held = false;
  fail_unless(errors > 2, "%s: only %u errors were seen", element.name.c_str(), errors);
}

#endif

// --- downstream ---------------------------------------------------------------------------------

// Downstream's return values, at every position, reach all inputs unchanged and cause no error.
void answers(const Element& element) {
  const Film film(element);
  for (const GstFlowReturn answer : kAnswers) {
    for (guint64 at = 0; at < kFrames; ++at) {
      Stream stream(film);
      stream.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
      const std::string what = std::string(gst_flow_get_name(answer)) + " at " + std::to_string(at);
      const guint64 came = stream.play();
      fail_unless(came == at + 1, "%s: %s: %d frames came", element.name.c_str(), what.c_str(),
                  static_cast<int>(came));
      fail_unless(stream.said.errors.empty(), "%s: %s: %s", element.name.c_str(), what.c_str(),
                  stream.said.text().c_str());
      fail_unless(stream.main.complaint().empty(), "%s", stream.main.complaint().c_str());
      // An element with several inputs has accepted the frames before it knows.
      fail_unless(element.is_joined() || stream.told == answer, "%s: %s: upstream gets %s",
                  element.name.c_str(), what.c_str(), gst_flow_get_name(stream.told));
      stream.check_fresh_start(what);
    }
  }
}

// A source stops at a fatal return value, and posts one error.
void answers_to_source(const Element& element) {
  const Film film(element);
  for (const GstFlowReturn answer : kAnswers) {
    if (answer == GST_FLOW_FLUSHING) continue;  // does not end a source
    for (guint64 at = 0; at < kFrames; ++at) {
      Stream stream(film);
      stream.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
      const guint64 came = stream.play();
      const bool fatal = answer < GST_FLOW_EOS || answer == GST_FLOW_NOT_LINKED;
      const bool ends = fatal || answer == GST_FLOW_EOS;
      fail_unless(stream.said.errors.size() == (fatal ? 1 : 0), "%s: %s: %s", element.name.c_str(),
                  gst_flow_get_name(answer), stream.said.text().c_str());
      if (ends) fail_unless_equals_uint64(came, at + 1);
      stream.check_fresh_start(gst_flow_get_name(answer));
    }
  }
}

// The expected flow for upstream, from those of the main path and a side: as behind a tee, where a
// side that is shut down does not count.
GstFlowReturn combined(GstFlowReturn src, GstFlowReturn side) {
  if (side == GST_FLOW_FLUSHING) side = GST_FLOW_NOT_LINKED;
  if (src <= GST_FLOW_NOT_NEGOTIATED || src == GST_FLOW_FLUSHING) return src;
  if (side <= GST_FLOW_NOT_NEGOTIATED) return side;
  const auto done = [](GstFlowReturn flow) {
    return flow == GST_FLOW_EOS || flow == GST_FLOW_NOT_LINKED;
  };
  if (!done(src) || !done(side)) return GST_FLOW_OK;
  return src == GST_FLOW_EOS || side == GST_FLOW_EOS ? GST_FLOW_EOS : GST_FLOW_NOT_LINKED;
}

// Pads return `flow` for frame `at`, and after it if `lasting`.
std::function<GstFlowReturn(guint64)> answer_at(guint64 at, GstFlowReturn flow, bool lasting) {
  return [=](guint64 nth) { return nth == at || (nth > at && lasting) ? flow : GST_FLOW_OK; };
}

// Every return value of a side with every one of src, at random pairs of positions.
void answers_of_both(const Element& element) {
  constexpr guint64 kMany = 6;
  const Film film(element);
  constexpr int kPositions = static_cast<int>(kMany * kMany);
  const bool all_positions = faults::factor() > 1;
  std::vector<GstFlowReturn> all(std::begin(kAnswers), std::end(kAnswers));
  all.push_back(GST_FLOW_OK);
  for (const GstFlowReturn of_side : all) {
    for (const GstFlowReturn of_src : all) {
      for (int i = 0; i < (all_positions ? kPositions : 2); ++i) {
        const auto position =
            static_cast<guint64>(all_positions ? i : faults::any_below(kPositions));
        const guint64 at = position / kMany;
        const guint64 src_at = position % kMany;
        Stream stream(film, true);
        faults::Sink* side = stream.side();
        stream.main.answer = answer_at(src_at, of_src, of_src == GST_FLOW_EOS);
        // A lasting answer: a picture on its way while nothing is linked must not arrive after a
        // link.
        const bool ends = of_side == GST_FLOW_EOS || of_side == GST_FLOW_NOT_LINKED;
        side->answer = answer_at(at, of_side, ends);
        fail_unless(stream.start() && stream.begin());
        guint64 least = 0;  // pictures that must have come
        for (guint64 number = 0; number < kMany; ++number) {
          // The pictures before this one have arrived, and the side's thread knows their return
          // values, perhaps except the last.
          const auto side_said = [&](guint64 pictures) {
            if (pictures == 0) return GST_FLOW_OK;
            // After EOS no more pictures are sent; after NOT_LINKED none arrive until something is
            // linked.
            return ends && pictures > at ? of_side : side->answer(pictures - 1);
          };
          const GstFlowReturn src = stream.main.answer(number);
          const GstFlowReturn flow = stream.push(number);
          bool right = flow == combined(src, side_said(number)) ||
                       (number > 0 && flow == combined(src, side_said(number - 1)));
          // After a known EOS the picture is not even made.
          right = right || (of_side == GST_FLOW_EOS && number > at &&
                            flow == combined(src, GST_FLOW_NOT_LINKED));
          fail_unless(right, "%s: %s from src at %d, %s from the side at %d: frame %d gets %s",
                      element.name.c_str(), gst_flow_get_name(of_src), static_cast<int>(src_at),
                      gst_flow_get_name(of_side), static_cast<int>(at), static_cast<int>(number),
                      gst_flow_get_name(flow));
          if (number <= at || !ends) ++least;
          fail_unless(side->count_after(least) >= least, "%s: picture %d does not come",
                      element.name.c_str(), static_cast<int>(number));
        }
        // A pad that failed once holds back no frame.
        fail_unless_equals_uint64(stream.main.count(), kMany);
        // Two pictures may have waited at the end (a data pad's capacity), and one for a place.
        fail_unless(side->count() <= least + 3,
                    "%s: %s from src at %d, %s from the side at %d: %d pictures instead of %d",
                    element.name.c_str(), gst_flow_get_name(of_src), static_cast<int>(src_at),
                    gst_flow_get_name(of_side), static_cast<int>(at),
                    static_cast<int>(side->count()), static_cast<int>(least));
        fail_unless(stream.main.complaint().empty(), "%s", stream.main.complaint().c_str());
        fail_unless(faults::listen(stream.bus).errors.empty());
      }
    }
  }
}

// Downstream's pools and allocators fail in every way, if the element uses them.
void pools(const Element& element) {
  const Film film(element);
  for (const bool of_side : {false, true}) {
    if (of_side ? element.sides.empty() || element.is_joined() : element.in_place) continue;
    for (int nth = 1; nth <= static_cast<int>(kFrames); ++nth) {
      for (const PoolFault fault :
           {PoolFault::kNone, PoolFault::kConfigure, PoolFault::kStart, PoolFault::kAllocate,
            PoolFault::kAcquire, PoolFault::kFlushing}) {
        for (const bool allocator_fails : {false, true}) {
          if (allocator_fails && fault != PoolFault::kNone) continue;
          Stream stream(film, of_side);
          faults::Sink& sink = of_side ? *stream.side() : stream.main;
          GstBufferPool* pool = allocator_fails ? nullptr : fault_pool_new(fault, nth);
          GstAllocator* allocator = allocator_fails ? fault_allocator_new(nth) : nullptr;
          const auto caps_query = sink.query;
          sink.query = [=](GstQuery* query) {
            if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) {
              return caps_query != nullptr && caps_query(query);
            }
            GstCaps* caps;
            gst_query_parse_allocation(query, &caps, nullptr);
            GstVideoInfo info;
            const bool picture = gst_video_info_from_caps(&info, caps) != FALSE;
            const auto size = static_cast<guint>(picture ? GST_VIDEO_INFO_SIZE(&info) : 1024);
            if (pool != nullptr) gst_query_add_allocation_pool(query, pool, size, 0, 0);
            if (allocator != nullptr) gst_query_add_allocation_param(query, allocator, nullptr);
            return true;
          };
          const guint64 came = stream.play();
          const std::string what = std::string(of_side ? "side, " : "") + "pool fault " +
                                   std::to_string(static_cast<int>(fault)) +
                                   (allocator_fails ? ", allocator" : "") + " at " +
                                   std::to_string(nth);
          const bool harmless =
              fault == PoolFault::kConfigure || (fault == PoolFault::kNone && !allocator_fails);
          const faults::Said& said = stream.said;
          fail_unless(stream.main.complaint().empty(), "%s: %s: %s", element.name.c_str(),
                      what.c_str(), stream.main.complaint().c_str());
          fail_unless(said.errors.size() <= 1 + element.further_errors, "%s: %s: %s",
                      element.name.c_str(), what.c_str(), said.text().c_str());
          fail_unless(!harmless || (came == kFrames && said.errors.empty()), "%s: %s: %s",
                      element.name.c_str(), what.c_str(), said.text().c_str());
          // A flushing pool belongs to a branch that is shutting down, so no error is needed.
          fail_unless(came == kFrames || fault == PoolFault::kFlushing || !said.errors.empty(),
                      "%s: %s: %d frames without a word", element.name.c_str(), what.c_str(),
                      static_cast<int>(came));
          sink.query = caps_query;
          stream.check_fresh_start(what);
          if (pool != nullptr) gst_object_unref(pool);
          if (allocator != nullptr) gst_object_unref(allocator);
        }
      }
    }
  }
}

// --- upstream -----------------------------------------------------------------------------------

// Upstream, at every position: ends the stream, stops the element, starts another stream without
// EOS, or continues after an error.
void upstream(const Element& element) {
  const Film film(element);
  enum Act { kEos, kStop, kStreamStart, kBadCaps, kSmallBuffer, kLast };
  for (int act = 0; act < kLast; ++act) {
    if (act == kSmallBuffer && !(element.pictures && element.layouts)) continue;
    for (const bool sides : {false, true}) {
      if (sides && element.sides.empty()) continue;
      for (guint64 at = 0; at <= kFrames; ++at) {
        const std::string what = "act " + std::to_string(act) + " at " + std::to_string(at);
        Stream stream(film, sides);
        fail_unless(stream.start() && stream.begin());
        for (guint64 number = 0; number < at; ++number) {
          fail_unless_equals_int(stream.push(number), GST_FLOW_OK);
        }
        guint64 expected = at;
        std::size_t errors = 0;
        switch (act) {
          case kEos:
            fail_unless(stream.event(gst_event_new_eos()));
            fail_unless_equals_int(stream.push(at), GST_FLOW_EOS);
            for (faults::Sink* sink : {&stream.main, sides ? stream.side() : nullptr}) {
              if (sink == nullptr) continue;
              rdp::test::await([&] { return sink->ends() > 0; });
              fail_unless(sink->ends() == 1, "%s: %s: %d ends", element.name.c_str(), what.c_str(),
                          static_cast<int>(sink->ends()));
            }
            break;
          case kStop:
            gst_element_set_state(stream.element, GST_STATE_NULL);
            fail_unless_equals_int(stream.push(at), GST_FLOW_FLUSHING);
            break;
          case kStreamStart:
            fail_unless(stream.begin());
            fail_unless_equals_int(stream.push(at), GST_FLOW_OK);
            expected = at + 1;
            break;
          case kBadCaps: {
            g_autoptr(GstCaps) bad = gst_caps_from_string("audio/x-raw,rate=48000");
            stream.event(gst_event_new_caps(bad));
            // Sends the caps again with the next frame; the error must not be repeated.
            stream.segment();
            for (int i = 0; i < 2; ++i) {
              fail_unless_equals_int(stream.push(at), GST_FLOW_NOT_NEGOTIATED);
            }
            errors = 1;
            break;
          }
          case kSmallBuffer:
            fail_unless_equals_int(stream.push(0, gst_buffer_new()), GST_FLOW_ERROR);
            fail_unless_equals_int(stream.push(at), GST_FLOW_OK);
            expected = at + 1;
            errors = 1;
            break;
          default:
            break;
        }
        fail_unless(stream.main.count_after(expected) == expected, "%s: %s: %d frames",
                    element.name.c_str(), what.c_str(), static_cast<int>(stream.main.count()));
        fail_unless(stream.main.complaint().empty(), "%s", stream.main.complaint().c_str());
        const faults::Said said = faults::listen(stream.bus);
        fail_unless(said.errors.size() == errors, "%s: %s: %s", element.name.c_str(), what.c_str(),
                    said.text().c_str());
        stream.check_fresh_start(what);
      }
    }
  }
}

// Another thread flushes as fast as it can, as after seeks. Accepted frames come out once and in
// order; frames refused by a flush do not.
void flush_storm(const Element& element) {
  const Film film(element);
  for (const bool sides : {false, true}) {
    if (sides && element.sides.empty()) continue;
    Stream stream(film, sides);
    std::vector<guint64> out;
    stream.look = [&](GstBuffer* buffer, guint64) {
      out.push_back((GST_BUFFER_PTS(buffer) * 30 + GST_SECOND / 2) / GST_SECOND);
      return film.complaint(buffer, out.back());
    };
    fail_unless(stream.start() && stream.begin());
    std::mutex in_stream;  // stands for a source's stream lock
    std::atomic<bool> stop{false};
    std::vector<guint64> taken;
    std::atomic<bool> has_taken{false};
    std::atomic<unsigned> refused{0};
    unsigned unexpected = 0;
    std::thread streaming([&] {
      for (guint64 number = 0; !stop; ++number) {
        const std::unique_lock lock(in_stream);
        const GstFlowReturn flow = stream.push(number);
        if (flow == GST_FLOW_OK) taken.push_back(number);
        has_taken = !taken.empty();
        refused += flow == GST_FLOW_FLUSHING ? 1 : 0;
        unexpected += flow != GST_FLOW_OK && flow != GST_FLOW_FLUSHING ? 1 : 0;
      }
    });
    const unsigned storms = faults::factor() > 1 ? 200 * faults::factor() : 80;
    // On a busy machine the streaming thread may miss some storms.
    const unsigned most = 100 * storms;
    const auto has_both = [&] { return has_taken && refused > 0; };
    for (unsigned storm = 0; storm < storms || (storm < most && !has_both()); ++storm) {
      stream.event(gst_event_new_flush_start());
      g_usleep(storm % 3 * 100);
      {
        const std::unique_lock lock(in_stream);
        stream.event(gst_event_new_flush_stop(TRUE));
        stream.segment();
      }
      g_usleep(storm % 4 * 200);
    }
    stop = true;
    streaming.join();
    fail_unless_equals_int(unexpected, 0);
    fail_unless(stream.main.complaint().empty(), "%s: %s", element.name.c_str(),
                stream.main.complaint().c_str());
    // A frame on its way at the start of a flush may come out without GST_FLOW_OK.
    std::size_t next = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      fail_unless(i == 0 || out[i] > out[i - 1], "%s: frame %d after frame %d",
                  element.name.c_str(), static_cast<int>(out[i]),
                  static_cast<int>(i == 0 ? 0 : out[i - 1]));
      if (next < taken.size() && out[i] == taken[next]) ++next;
    }
    fail_unless_equals_uint64(next, taken.size());
    fail_unless(has_both(), "%s: %d frames taken, %u refused", element.name.c_str(),
                static_cast<int>(taken.size()), refused.load());
    fail_unless(faults::listen(stream.bus).errors.empty());
    stream.check_fresh_start("a storm of flushes");
  }
}

#ifdef RDP_TEST_HAVE_CUDA
// Calls to a real driver do not fail.
bool calls_driver(const Element& element) {
  return standin::available() && !element.is_source() && element.calls_driver;
}
#endif
bool is_no_source(const Element& element) { return !element.is_source(); }
bool is_source(const Element& element) { return element.is_source(); }
bool has_one_input(const Element& element) { return element.has_one_input(); }
// Other settings have the same pads, so one entry suffices.
bool has_one_input_and_sides(const Element& element) {
  return has_one_input(element) && !element.sides.empty() && is_plain(element);
}

}  // namespace

Rows fault_rows() {
  return {"faults",
          {{"every new", every_new, [](const Element&) { return true; }, Row::Over::kCopied},
#ifdef RDP_TEST_HAVE_CUDA
           {"every call", every_call, calls_driver, Row::Over::kDriver},
#endif
           {"answers", answers, is_no_source, Row::Over::kCpu},
           {"answers to a source", answers_to_source, is_source, Row::Over::kCpu},
           {"answers of both", answers_of_both, has_one_input_and_sides, Row::Over::kCpu},
           {"pools", pools, [](const Element&) { return true; }, Row::Over::kCpu},
           {"upstream", upstream, has_one_input, Row::Over::kCpu},
           {"flush storm", flush_storm, has_one_input, Row::Over::kCpu}}};
}

}  // namespace conformance
