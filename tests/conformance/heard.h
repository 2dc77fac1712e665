// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_HEARD_H_
#define RDP_TESTS_CONFORMANCE_HEARD_H_

#include <memory>
#include <mutex>
#include <string>

#include "tests/conformance/stream.h"

// Recorders of what the pads around an element receive.
namespace conformance {

// Records events and frames that arrive at a pad from upstream, in order. May be destroyed during a
// call: its probe holds a reference to the record.
class Heard {
 public:
  explicit Heard(faults::Sink* sink) : Heard(sink->pad()) {}
  explicit Heard(GstPad* pad) : pad_(pad) {
    probe_ = gst_pad_add_probe(
        pad_,
        static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                     GST_PAD_PROBE_TYPE_EVENT_FLUSH | GST_PAD_PROBE_TYPE_BUFFER),
        note, new std::shared_ptr<Words>(words_),
        [](gpointer words) { delete static_cast<std::shared_ptr<Words>*>(words); });
  }
  ~Heard() { gst_pad_remove_probe(pad_, probe_); }
  Heard(const Heard&) = delete;
  Heard& operator=(const Heard&) = delete;

  // The types of the events, separated by spaces.
  std::string events() const { return copy(words_->events); }
  // The numbers of the frames.
  std::string frames() const { return copy(words_->frames); }
  // Events and frames in order.
  std::string all() const { return copy(words_->all); }
  // Waits until the record equals `wanted`. False: it does not in time.
  bool hears(const std::string& wanted) const {
    return rdp::test::await([&] { return all() == wanted; });
  }

 private:
  struct Words {
    std::mutex mutex;
    std::string events, frames, all;
  };

  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    Words& words = **static_cast<std::shared_ptr<Words>*>(data);
    const bool event = (info->type & GST_PAD_PROBE_TYPE_BUFFER) == 0;
    const std::string word = event ? GST_EVENT_TYPE_NAME(GST_PAD_PROBE_INFO_EVENT(info))
                                   : std::to_string(number_of(GST_PAD_PROBE_INFO_BUFFER(info)));
    const faults::InTest test;
    const std::lock_guard lock(words.mutex);
    for (std::string* text : {&words.all, event ? &words.events : &words.frames}) {
      *text += (text->empty() ? "" : " ") + word;
    }
    return GST_PAD_PROBE_OK;
  }
  std::string copy(const std::string& text) const {
    const std::lock_guard lock(words_->mutex);
    return text;
  }

  GstPad* pad_;
  gulong probe_;
  std::shared_ptr<Words> words_ = std::make_shared<Words>();
};

// Counts seek and QoS events from downstream at a source's pad, and drops them.
class Upstream {
 public:
  explicit Upstream(GstPad* pad) : pad_(pad) {
    probe_ = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, note, this, nullptr);
  }
  ~Upstream() { gst_pad_remove_probe(pad_, probe_); }
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;
  unsigned seeks = 0;
  unsigned qos = 0;

 private:
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<Upstream*>(data);
    const GstEventType type = GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info));
    if (type == GST_EVENT_SEEK) ++self->seeks;
    if (type == GST_EVENT_QOS) ++self->qos;
    if (type != GST_EVENT_SEEK && type != GST_EVENT_QOS) return GST_PAD_PROBE_OK;
    gst_event_unref(GST_PAD_PROBE_INFO_EVENT(info));
    return GST_PAD_PROBE_HANDLED;
  }
  GstPad* pad_;
  gulong probe_;
};

// Fails unless exactly `frames` frames come out, all of them right.
inline void expect_frames(Stream& stream, guint64 frames) {
  fail_unless(stream.await(frames) && stream.main.count() == frames, "%s: %d frames, not %d: %s",
              stream.of().name.c_str(), static_cast<int>(stream.main.count()),
              static_cast<int>(frames), stream.said.text().c_str());
  fail_unless(stream.main.complaint().empty(), "%s", stream.main.complaint().c_str());
}

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_HEARD_H_
