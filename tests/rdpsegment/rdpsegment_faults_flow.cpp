// SPDX-License-Identifier: LGPL-2.1-or-later
// What rdpsegment makes of neighbours that fail: downstream's answers at every position, on src, on
// the overlay and on both; streams that end, stop or change their caps at every position; storms of
// flushes. Every frame comes out once and in order, with the reference's segments, and what went
// wrong elsewhere is no error of this element. See fault_rig.h for RDPSEGMENT_FAULTS.
#include <thread>

#include "tests/support/fault_rig.h"

using faults::Film;
using faults::Rig;
using frames::Shape;

namespace {

constexpr guint64 kFrames = 6;

// What the main path's source is told when the two pads answer this: as behind a tee, but an
// overlay that is shut down is none.
GstFlowReturn combined(GstFlowReturn src, GstFlowReturn overlay) {
  if (overlay == GST_FLOW_FLUSHING) overlay = GST_FLOW_NOT_LINKED;
  if (src <= GST_FLOW_NOT_NEGOTIATED || src == GST_FLOW_FLUSHING) return src;
  if (overlay <= GST_FLOW_NOT_NEGOTIATED) return overlay;
  const auto done = [](GstFlowReturn flow) {
    return flow == GST_FLOW_EOS || flow == GST_FLOW_NOT_LINKED;
  };
  if (!done(src) || !done(overlay)) return GST_FLOW_OK;
  return src == GST_FLOW_EOS || overlay == GST_FLOW_EOS ? GST_FLOW_EOS : GST_FLOW_NOT_LINKED;
}

bool is_final(GstFlowReturn flow) { return flow == GST_FLOW_EOS; }

// A pad behind the element answers `flow` to frame `at`: EOS from then on, anything else once.
std::function<GstFlowReturn(guint64)> answer_at(guint64 at, GstFlowReturn flow) {
  return [at, flow](guint64 nth) {
    return nth == at || (nth > at && is_final(flow)) ? flow : GST_FLOW_OK;
  };
}

constexpr GstFlowReturn kAnswers[] = {
    GST_FLOW_OK,    GST_FLOW_NOT_LINKED,     GST_FLOW_FLUSHING,       GST_FLOW_EOS,
    GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_CUSTOM_ERROR_1, GST_FLOW_NOT_SUPPORTED};

}  // namespace

// Every answer from src, with and without an overlay that takes everything, at every position.
GST_START_TEST(test_answers_of_src) {
  const Film film;
  for (const bool with_overlay : {false, true}) {
    for (const GstFlowReturn answer : kAnswers) {
      for (guint64 at = 0; at < kFrames; ++at) {
        Rig rig("rdpsegment", with_overlay);
        rig.expect(film);
        rig.main.answer = answer_at(at, answer);
        fail_unless(rig.start() && rig.begin(film));
        for (guint64 number = 0; number < kFrames; ++number) {
          const GstFlowReturn src = rig.main.answer(number);
          const GstFlowReturn expected = with_overlay ? combined(src, GST_FLOW_OK) : src;
          const GstFlowReturn flow = rig.push(film.frame(number));
          fail_unless(flow == expected, "%s from src at %d: frame %d gets %s",
                      gst_flow_get_name(answer), static_cast<int>(at), static_cast<int>(number),
                      gst_flow_get_name(flow));
        }
        // No frame is held back from a pad that failed once.
        fail_unless_equals_uint64(rig.main.count(), kFrames);
        if (with_overlay) fail_unless_equals_uint64(rig.overlay->count_after(kFrames), kFrames);
        fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
        fail_unless(faults::listen(rig.bus).errors.empty());
        rig.check_fresh_start(film, gst_flow_get_name(answer));
      }
    }
  }
}
GST_END_TEST

// Every answer from the overlay together with every answer from src, at every pair of positions.
GST_START_TEST(test_answers_of_both) {
  const Film film;
  const guint64 step = faults::factor() > 1 ? 1 : 2;
  for (const GstFlowReturn of_overlay : kAnswers) {
    for (const GstFlowReturn of_src : kAnswers) {
      for (guint64 at = 0; at < kFrames; at += step) {
        for (guint64 src_at = 0; src_at < kFrames; src_at += step) {
          Rig rig("rdpsegment", true);
          rig.expect(film);
          rig.main.answer = answer_at(src_at, of_src);
          rig.overlay->answer = answer_at(at, of_overlay);
          fail_unless(rig.start() && rig.begin(film));
          guint64 least = 0;  // pictures that have come
          for (guint64 number = 0; number < kFrames; ++number) {
            // The pictures before this one have arrived, and the thread of the overlay has heard
            // what became of them, perhaps not of the last one.
            const auto overlay_said = [&](guint64 pictures) {
              if (pictures == 0) return GST_FLOW_OK;
              // What has ended gets no more pictures; behind what answers NOT_LINKED there is
              // nothing until something is linked.
              const bool ended = of_overlay == GST_FLOW_EOS || of_overlay == GST_FLOW_NOT_LINKED;
              if (ended && pictures > at) return of_overlay;
              return rig.overlay->answer(pictures - 1);
            };
            const GstFlowReturn src = rig.main.answer(number);
            const GstFlowReturn flow = rig.push(film.frame(number));
            bool expected = flow == combined(src, overlay_said(number)) ||
                            (number > 0 && flow == combined(src, overlay_said(number - 1)));
            // An end that is known: the picture is not made at all.
            expected = expected || (of_overlay == GST_FLOW_EOS && number > at &&
                                    flow == combined(src, GST_FLOW_NOT_LINKED));
            fail_unless(expected, "%s from src at %d, %s from the overlay at %d: frame %d gets %s",
                        gst_flow_get_name(of_src), static_cast<int>(src_at),
                        gst_flow_get_name(of_overlay), static_cast<int>(at),
                        static_cast<int>(number), gst_flow_get_name(flow));
            const bool ends = of_overlay == GST_FLOW_EOS || of_overlay == GST_FLOW_NOT_LINKED;
            if (number <= at || !ends) ++least;
            fail_unless(rig.overlay->count_after(least) >= least, "picture %d does not come",
                        static_cast<int>(number));
          }
          fail_unless_equals_uint64(rig.main.count(), kFrames);
          // Those that were under way when it ended.
          fail_unless(rig.overlay->count() <= least + 1);
          fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
          fail_unless(faults::listen(rig.bus).errors.empty());
        }
      }
    }
  }
}
GST_END_TEST

// Upstream ends the stream, stops the element, or goes on with caps that are refused, at every
// position.
GST_START_TEST(test_what_upstream_does) {
  const Film film;
  enum Act { kEos, kStop, kStreamStart, kBadCaps, kSmallBuffer, kLast };
  for (int act = 0; act < kLast; ++act) {
    for (const bool with_overlay : {false, true}) {
      for (guint64 at = 0; at <= kFrames; ++at) {
        Rig rig("rdpsegment", with_overlay);
        rig.expect(film);
        fail_unless(rig.start() && rig.begin(film));
        for (guint64 number = 0; number < at; ++number) {
          fail_unless_equals_int(rig.push(film.frame(number)), GST_FLOW_OK);
        }
        guint64 expected = at;
        std::size_t errors = 0;
        switch (act) {
          case kEos:
            fail_unless(rig.event(gst_event_new_eos()));
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_EOS);
            fail_unless_equals_uint64(rig.main.ends(), 1);
            if (with_overlay) {
              rdp::test::await([&] { return rig.overlay->ends() > 0; });
              fail_unless_equals_uint64(rig.overlay->ends(), 1);
            }
            break;
          case kStop:
            rig.stop();
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_FLUSHING);
            break;
          case kStreamStart:  // another stream without a word
            fail_unless(rig.begin(film));
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_OK);
            expected = at + 1;
            break;
          case kBadCaps:
            rig.set_caps(gst_caps_from_string("video/x-raw,format=RGB,width=4,height=4"));
            // Whatever is tried next sends them again, but it has been said already.
            rig.segment();
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_NOT_NEGOTIATED);
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_NOT_NEGOTIATED);
            errors = 1;
            break;
          case kSmallBuffer:
            fail_unless_equals_int(rig.push(gst_buffer_new()), GST_FLOW_ERROR);
            fail_unless_equals_int(rig.push(film.frame(at)), GST_FLOW_OK);
            expected = at + 1;
            errors = 1;
            break;
          default:
            break;
        }
        fail_unless_equals_uint64(rig.main.count(), expected);
        fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
        const faults::Said said = faults::listen(rig.bus);
        fail_unless(said.errors.size() == errors, "act %d at %d: %s", act, static_cast<int>(at),
                    said.text().c_str());
        rig.check_fresh_start(film, "what upstream did");
      }
    }
  }
}
GST_END_TEST

// Other caps with every frame: sizes from 1x1 on, both formats.
GST_START_TEST(test_caps_with_every_frame) {
  std::vector<std::unique_ptr<Film>> films;
  for (const int width : {1, 2, 31, 32, 33, 100}) {
    for (const int height : {1, 7, 64}) {
      for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8}) {
        films.push_back(std::make_unique<Film>(Shape{format, width, height}));
      }
    }
  }
  const auto film_of = [&](guint64 number) -> const Film& {
    return *films[number * 7 % films.size()];
  };
  for (const bool with_overlay : {false, true}) {
    Rig rig("rdpsegment", with_overlay);
    rig.main.look = [&](GstBuffer* buffer, guint64 nth) {
      return film_of(nth).complaint(buffer, nth);
    };
    if (with_overlay) {
      rig.overlay->look = [&](GstBuffer* picture, guint64 nth) {
        const Shape& shape = film_of(nth).shape();
        const auto bytes = static_cast<gsize>(4 * shape.width * shape.height);
        return gst_buffer_get_size(picture) == bytes ? "" : "a picture of another size";
      };
    }
    fail_unless(rig.start() && rig.begin(film_of(0)));
    const guint64 frames = 400 * faults::factor();
    for (guint64 number = 0; number < frames; ++number) {
      fail_unless(rig.set_caps(frames::caps(film_of(number).shape())));
      fail_unless_equals_int(rig.push(film_of(number).frame(number)), GST_FLOW_OK);
    }
    fail_unless_equals_uint64(rig.main.count(), frames);
    fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
    if (with_overlay) {
      fail_unless_equals_uint64(rig.overlay->count_after(frames), frames);
      fail_unless(rig.overlay->complaint().empty(), "%s", rig.overlay->complaint().c_str());
    }
    fail_unless(faults::listen(rig.bus).errors.empty());
  }
}
GST_END_TEST

// Flushes come from another thread, as from a seek, as fast as they can. What is taken comes out,
// once and in order; a frame that is refused because of a flush is not seen.
GST_START_TEST(test_flush_storm) {
  const Film film;
  for (const bool with_overlay : {false, true}) {
    Rig rig("rdpsegment", with_overlay);
    std::vector<guint64> out;  // offsets
    rig.main.look = [&](GstBuffer* buffer, guint64) {
      out.push_back(GST_BUFFER_OFFSET(buffer));
      return film.complaint(buffer, out.back());
    };
    fail_unless(rig.start() && rig.begin(film));
    std::mutex in_stream;  // what a source's stream lock is
    std::atomic<bool> stop{false};
    std::vector<guint64> taken;
    unsigned refused = 0;
    unsigned unexpected = 0;
    std::thread streaming([&] {
      for (guint64 number = 0; !stop; ++number) {
        const std::unique_lock lock(in_stream);
        const GstFlowReturn flow = rig.push(film.frame(number));
        if (flow == GST_FLOW_OK) taken.push_back(number);
        refused += flow == GST_FLOW_FLUSHING ? 1 : 0;
        unexpected += flow != GST_FLOW_OK && flow != GST_FLOW_FLUSHING ? 1 : 0;
      }
    });
    const unsigned storms = 300 * faults::factor();
    for (unsigned storm = 0; storm < storms; ++storm) {
      rig.event(gst_event_new_flush_start());
      g_usleep(storm % 3 * 100);
      {
        const std::unique_lock lock(in_stream);
        rig.event(gst_event_new_flush_stop(TRUE));
        rig.segment();
      }
      g_usleep(storm % 4 * 200);
    }
    stop = true;
    streaming.join();
    fail_unless_equals_int(unexpected, 0);
    fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
    // A frame that was on its way when a flush began may have come out without being answered OK.
    std::size_t next = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      fail_unless(i == 0 || out[i] > out[i - 1], "frame %d after frame %d",
                  static_cast<int>(out[i]), static_cast<int>(i == 0 ? 0 : out[i - 1]));
      if (next < taken.size() && out[i] == taken[next]) ++next;
    }
    fail_unless_equals_uint64(next, taken.size());
    fail_unless(!taken.empty() && refused > 0, "%d frames taken, %u refused",
                static_cast<int>(taken.size()), refused);
    fail_unless(faults::listen(rig.bus).errors.empty());
    rig.check_fresh_start(film, "a storm of flushes");
  }
}
GST_END_TEST

static Suite* rdpsegment_faults_flow_suite(void) {
  Suite* suite = suite_create("rdpsegment_faults_flow");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_answers_of_src);
  tcase_add_test(tcase, test_answers_of_both);
  tcase_add_test(tcase, test_what_upstream_does);
  tcase_add_test(tcase, test_caps_with_every_frame);
  tcase_add_test(tcase, test_flush_storm);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_faults_flow)
