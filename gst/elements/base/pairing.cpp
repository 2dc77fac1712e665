// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/pairing.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gst/elements/base/quality.h"

namespace rdp::gst {
namespace {

using Action = PairingStep::Action;
using State = StreamHead::State;

constexpr GstClockTime kLatencyWithoutRate = 40 * GST_MSECOND;
// Limit that keeps sums and differences of times from overflowing.
constexpr GstClockTime kLongest = G_MAXINT64 / 4;

std::int64_t to_int64(GstClockTime time) {
  return static_cast<std::int64_t>(std::min(time, kLongest));
}

// True for buffers that GstAggregator makes from GAP events.
bool is_gap(GstBuffer* buffer) {
  return GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP) && gst_buffer_n_memory(buffer) == 0;
}

std::optional<std::int64_t> running_time_on(GstAggregatorPad* pad, GstClockTime time) {
  GST_OBJECT_LOCK(pad);
  const std::optional<std::int64_t> result = signed_running_time(pad->segment, time);
  GST_OBJECT_UNLOCK(pad);
  return result;
}

double segment_rate(GstAggregatorPad* pad) {
  GST_OBJECT_LOCK(pad);
  const double rate = pad->segment.rate;
  GST_OBJECT_UNLOCK(pad);
  return rate;
}

// Returns the pad's head. `counters`, if not null, records its time.
StreamHead head_of(GstAggregatorPad* pad, InputCounters* counters = nullptr) {
  StreamHead head;
  if (counters != nullptr) {
    head.any = counters->came > 0;
    head.passed_over = counters->passed_over;
  }
  GstBuffer* buffer = gst_aggregator_pad_peek_buffer(pad);
  if (buffer == nullptr) {
    if (gst_aggregator_pad_is_eos(pad)) head.state = State::kEnded;
    return head;
  }
  head.time = running_time_on(pad, GST_BUFFER_PTS(buffer));
  head.state = State::kBuffer;
  if (counters != nullptr && head.time) {
    counters->last_time = *head.time;
    if (!is_gap(buffer)) counters->pace.see(*head.time, segment_rate(pad));
  }
  if (is_gap(buffer)) {
    head.state = State::kGap;
    const GstClockTime duration = GST_BUFFER_DURATION(buffer);
    head.end = head.time.value_or(0) + (GST_CLOCK_TIME_IS_VALID(duration) ? to_int64(duration) : 0);
  }
  gst_buffer_unref(buffer);
  return head;
}

GstClockTime frame_duration(const GstCaps* caps) {
  gint n = 0;
  gint d = 0;
  if (!gst_structure_get_fraction(gst_caps_get_structure(caps, 0), "framerate", &n, &d) || n <= 0 ||
      d <= 0) {
    return GST_CLOCK_TIME_NONE;
  }
  return gst_util_uint64_scale_int(GST_SECOND, d, n);
}

}  // namespace

std::optional<std::int64_t> signed_running_time(const GstSegment& segment, GstClockTime time) {
  if (!GST_CLOCK_TIME_IS_VALID(time) || segment.format != GST_FORMAT_TIME) return std::nullopt;
  guint64 result = 0;
  const gint sign = gst_segment_to_running_time_full(&segment, GST_FORMAT_TIME, time, &result);
  if (sign == 0) return std::nullopt;
  return sign > 0 ? to_int64(result) : -to_int64(result);
}

Pairing::Pairing(GstAggregator* element, const PairingRules& rules)
    : element_(element), rules_(rules) {}

Pairing::~Pairing() {
  stop();
  for (GstAggregatorPad* pad : streams_) gst_object_unref(pad);
  for (GstAggregatorPad* pad : others_) gst_object_unref(pad);
  gst_clear_object(&main_);
}

// --- pads and settings --------------------------------------------------------------------------

void Pairing::set_main(GstAggregatorPad* pad) {
  gst_object_replace(reinterpret_cast<GstObject**>(&main_), GST_OBJECT(pad));
  main_notes_ = InputCounters::of(pad);
}

void Pairing::add_other(GstAggregatorPad* pad) {
  const std::lock_guard lock(mutex_);
  others_.push_back(GST_AGGREGATOR_PAD(gst_object_ref(pad)));
  others_changed_ = true;
}

void Pairing::remove_other(GstAggregatorPad* pad) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(others_.begin(), others_.end(), pad);
  if (found == others_.end()) return;
  gst_object_unref(*found);
  others_.erase(found);
  others_changed_ = true;
}

void Pairing::collect_pads() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(others_changed_, false)) return;
  misses_.pad = misses_.stalled = nullptr;  // they may have been released, like those of:
  misses_.wide = {};
  for (GstAggregatorPad* pad : streams_) gst_object_unref(pad);
  streams_ = others_;
  notes_.clear();
  for (GstAggregatorPad* pad : streams_) {
    gst_object_ref(pad);
    notes_.push_back(InputCounters::of(pad));
  }
  heads_.assign(streams_.size(), {});
  was_near_.assign(streams_.size(), 0);
  choices_.assign(streams_.size(), PairingChoice::kNone);
  pair_others_.assign(streams_.size(), nullptr);
}

void Pairing::set_settings(const PairingSettings& settings) {
  {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
  }
  apply_latency();
}

// Returns the limits for the present heads.
PairingLimits Pairing::limits() const {
  PairingLimits limits;
  limits.latest = latest_;
  {
    const std::lock_guard lock(mutex_);
    limits.max_age = to_int64(settings_.max_age);
    limits.tolerance = to_int64(settings_.sync_tolerance);
  }
  if (limits.tolerance == 0) limits.tolerance = rules_.tolerance;
  if (limits.tolerance != 0) return limits;
  limits.tolerance = main_notes_->pace.tolerance(main_notes_->frame);
  for (const InputCounters* counters : notes_) {
    limits.tolerance = std::min(limits.tolerance, counters->pace.tolerance(counters->frame));
  }
  return limits;
}

// Sets GstAggregator's own property `latency`, which is hidden by the element's: so its setter is
// called as GObject would. GstAggregator waits for that long, adds it to its latency, and limits
// the queues of its pads by it.
void Pairing::apply_latency() {
  GST_OBJECT_LOCK(element_);
  const bool has_one_input = GST_ELEMENT(element_)->numsinkpads < 2;  // it waits for nobody
  GST_OBJECT_UNLOCK(element_);
  GstClockTime latency;
  {
    const std::lock_guard lock(mutex_);
    latency = settings_.latency;
    if (!GST_CLOCK_TIME_IS_VALID(latency)) {
      latency = has_one_input ? 0 : GST_CLOCK_TIME_IS_VALID(frame_) ? frame_ : kLatencyWithoutRate;
    }
  }
  auto* klass = G_OBJECT_CLASS(g_type_class_peek(GST_TYPE_AGGREGATOR));
  GParamSpec* spec = g_object_class_find_property(klass, "latency");
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_UINT64);
  g_value_set_uint64(&value, std::min(latency, kLongest));
  klass->set_property(G_OBJECT(element_), spec->param_id, &value, spec);
  g_value_unset(&value);
}

// --- pairs --------------------------------------------------------------------------------------

GstBuffer* Pairing::take_main() { return std::exchange(pair_main_, nullptr); }

void Pairing::release() {
  gst_clear_buffer(&pair_main_);
  for (GstBuffer*& buffer : pair_others_) gst_clear_buffer(&buffer);
}

void Pairing::forget_last() {
  if (last_ != nullptr && !last_used_) {
    ++counts_.dropped;
    if (!notes_.empty()) ++notes_[0]->dropped;  // last_ exists only with one other stream
  }
  gst_clear_buffer(&last_);
  last_time_.reset();
}

// Removes a head that is too early. `keep`: remembers it as the previous buffer.
void Pairing::pop_other(std::size_t index, bool keep) {
  was_near_[index] = 0;
  GstBuffer* buffer = notes_[index]->pop(streams_[index]);
  if (buffer == nullptr) return;  // flushed in the meantime
  GST_LOG_OBJECT(streams_[index], "no main buffer for %" GST_PTR_FORMAT, buffer);
  if (!keep) return drop_other(notes_[index], buffer);
  remember(streams_[index], buffer, false);
  gst_buffer_unref(buffer);
}

void Pairing::remember(GstAggregatorPad* pad, GstBuffer* buffer, bool used) {
  forget_last();
  last_time_ = running_time_on(pad, GST_BUFFER_PTS(buffer));
  last_ = gst_buffer_ref(buffer);
  gst_caps_replace(&last_caps_, caps_now_);
  last_used_ = used;
}

// Takes the pair's buffers. False: there was a flush in the meantime, or the pair is late.
bool Pairing::take() {
  pair_main_ = gst_aggregator_pad_pop_buffer(main_);
  if (pair_main_ == nullptr) return false;
  bool complete = true;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    GstBuffer*& buffer = pair_others_[i];
    if (choices_[i] == PairingChoice::kHead) {
      buffer = notes_[i]->pop(streams_[i]);
      // Another buffer may have replaced the head, if pairs have just begun.
      if (buffer != nullptr &&
          running_time_on(streams_[i], GST_BUFFER_PTS(buffer)) != heads_[i].time) {
        drop_other(notes_[i], std::exchange(buffer, nullptr));
      }
      if (buffer == nullptr) choices_[i] = PairingChoice::kNone;
      if (buffer != nullptr && rules_.last_before) remember(streams_[i], buffer, true);
    } else if (choices_[i] == PairingChoice::kLast) {
      gst_buffer_replace(&buffer, last_);
      last_used_ = true;
    }
    complete = complete && (buffer != nullptr || alone_);
  }
  if (!complete && rules_.unpaired == PairingRules::Unpaired::kDropped) {  // flushed, too
    release();
    return false;
  }
  if (is_late(pair_main_)) {
    ++main_notes_->dropped;
    release();
    return false;
  }
  complete_ = complete;
  ++(complete ? counts_.paired : counts_.unpaired);
  ++main_notes_->used;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (choices_[i] == PairingChoice::kHead) ++notes_[i]->used;
  }
  const GstClockTime now = stream_time(pair_main_);
  if (GST_CLOCK_TIME_IS_VALID(now)) gst_object_sync_values(GST_OBJECT(element_), now);
  return true;
}

// Computes a set's spread. 0 without the main head's time: such pairs are made in order of arrival.
PairingSpread Pairing::find_spread(const StreamHead& main) const {
  if (!main.time) return {};
  std::int64_t first = *main.time;
  std::int64_t last = *main.time;
  PairingSpread spread{0, main_, main_};
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    if (choices_[i] != PairingChoice::kHead || !heads_[i].time) continue;
    const std::int64_t time = *heads_[i].time;
    if (time < first) {
      first = time;
      spread.earliest = streams_[i];
    }
    if (time > last) {
      last = time;
      spread.latest = streams_[i];
    }
  }
  spread.time = static_cast<guint64>(last - first);
  return spread;
}

void Pairing::note_pair(const StreamHead& main) {
  forget_misses();
  spread_ = find_spread(main).time;
  if (!main.time) return;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    if (choices_[i] != PairingChoice::kHead || !heads_[i].time) continue;
    const auto distance = static_cast<guint64>(std::abs(*main.time - *heads_[i].time));
    counts_.largest_of_pair = std::max(counts_.largest_of_pair.load(), distance);
  }
  counts_.largest_spread = std::max(counts_.largest_spread.load(), spread_);
}

void Pairing::set_spread(guint64 spread) {
  spread_ = spread;
  counts_.largest_spread = std::max(counts_.largest_spread.load(), spread);
}

void Pairing::forget_paces() {
  if (main_notes_ != nullptr) main_notes_->pace.forget();
  for (InputCounters* counters : notes_) counters->pace.forget();
}

GstClockTime Pairing::stream_time(GstBuffer* buffer) const {
  GstClockTime time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_LOCK(main_);
  if (main_->segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(buffer)) {
    time = gst_segment_to_stream_time(&main_->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  }
  GST_OBJECT_UNLOCK(main_);
  return time;
}

GstClockTime Pairing::running_time() const {
  GstClockTime time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_LOCK(main_);
  if (main_->segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(pair_main_)) {
    time =
        gst_segment_to_running_time(&main_->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(pair_main_));
  }
  GST_OBJECT_UNLOCK(main_);
  return time;
}

Pairing::Next Pairing::next(bool deadline) {
  release();
  collect_pads();
  if (flushed_.exchange(false)) {
    gst_clear_buffer(&last_);
    last_time_.reset();
    forget_misses();
    forget_paces();
  }
  while (true) {
    const StreamHead main = head_of(main_, main_notes_);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      heads_[i] = head_of(streams_[i], notes_[i]);
    }
    const PairingLimits now = limits();
    misses_.tolerance = static_cast<guint64>(now.tolerance);
    const PairingStep step =
        next_pairing_step(rules_, now, main, heads_, last_time_, deadline, choices_);
    switch (step.action) {
      case Action::kWait:
        return Next::kNeedData;
      case Action::kEnd:
        return Next::kEnd;
      case Action::kTake:
        alone_ = now.latest;
        if (alone_) keep_heads();
        if (take()) {
          note_pair(main);
          return Next::kPair;
        }
        deadline = false;  // it applied to the previous main head
        break;
      case Action::kDropMain: {
        GstBuffer* buffer = gst_aggregator_pad_pop_buffer(main_);
        GST_LOG_OBJECT(main_, "no other buffer for %" GST_PTR_FORMAT, buffer);
        if (buffer != nullptr) note_main_missed(main, step.other, now.tolerance);
        drop_main(buffer);
        deadline = false;
        break;
      }
      case Action::kDropSet:
        drop_set(main);
        deadline = false;
        break;
      case Action::kHandOnGap:
        hand_on_gap(gst_aggregator_pad_pop_buffer(main_));
        deadline = false;
        break;
      case Action::kDropOther:
      case Action::kRemember:
        if (step.action == Action::kDropOther) note_other_missed(main, step.other);
        pop_other(step.other, step.action == Action::kRemember);
        break;
      case Action::kSkipGap:
        gst_aggregator_pad_drop_buffer(streams_[step.other]);
        break;
    }
  }
}

// --- downstream ---------------------------------------------------------------------------------

GstFlowReturn Pairing::finish(GstBuffer* buffer) {
  auto* src = GST_AGGREGATOR_PAD(GST_AGGREGATOR_SRC_PAD(element_));
  GST_OBJECT_LOCK(src);
  if (GST_BUFFER_PTS_IS_VALID(buffer) && src->segment.format == GST_FORMAT_TIME) {
    src->segment.position = GST_BUFFER_PTS(buffer);
  }
  GST_OBJECT_UNLOCK(src);
  push_tags();
  segment_sent_ = true;
  return gst_aggregator_finish_buffer(element_, buffer);
}

// Pushes tags, because GstAggregator does not forward them. Called after caps were sent.
void Pairing::push_tags() {
  GstEvent* tags = std::exchange(tags_, nullptr);
  if (tags != nullptr) gst_pad_push_event(GST_AGGREGATOR_SRC_PAD(element_), tags);
}

// Pushes a GAP for a gap buffer or a dropped one (transfer full). GstAggregator sends its segment
// only with the first buffer, so an earlier gap sends it here. Before caps no gap is sent: some
// elements know their caps with the first pair, and event order requires caps first. Readers miss
// nothing, because the stream has not begun.
void Pairing::hand_on_gap(GstBuffer* gap) {
  if (gap == nullptr) return;
  GstPad* src = GST_AGGREGATOR_SRC_PAD(element_);
  if (!gst_pad_has_current_caps(src)) {
    GST_LOG_OBJECT(element_, "no caps yet for %" GST_PTR_FORMAT, gap);
    gst_buffer_unref(gap);
    return;
  }
  if (!std::exchange(segment_sent_, true)) {
    GST_OBJECT_LOCK(src);
    const GstSegment segment = GST_AGGREGATOR_PAD(src)->segment;
    GST_OBJECT_UNLOCK(src);
    gst_pad_push_event(src, gst_event_new_segment(&segment));
  }
  if (GST_BUFFER_PTS_IS_VALID(gap)) {
    gst_pad_push_event(src, gst_event_new_gap(GST_BUFFER_PTS(gap), GST_BUFFER_DURATION(gap)));
  }
  gst_buffer_unref(gap);
}

// --- the virtual functions ----------------------------------------------------------------------

// Returns the time at which, plus its latency, the aggregator stops waiting for the others.
GstClockTime Pairing::get_next_time() {
  const StreamHead head = head_of(main_);
  // Do not wait: forward the end, even if another stream has no data.
  if (head.state == State::kEnded) return 0;
  if (!head.time) return GST_CLOCK_TIME_NONE;
  return static_cast<GstClockTime>(std::max<std::int64_t>(*head.time, 0));
}

void Pairing::accept_caps(GstAggregatorPad* pad, GstCaps* caps) {
  const GstClockTime frame = frame_duration(caps);
  InputCounters::of(pad)->frame = GST_CLOCK_TIME_IS_VALID(frame) ? to_int64(frame) : 0;
  if (!is_main(pad)) {
    if (rules_.last_before) gst_caps_replace(&caps_now_, caps);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    frame_ = frame;
  }
  apply_latency();
}

void Pairing::sink_event(GstAggregatorPad* pad, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
    GstCaps* caps;
    gst_event_parse_caps(event, &caps);
    accept_caps(pad, caps);
  }
  if (!is_main(pad)) return;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEGMENT: {
      const GstSegment* segment;
      gst_event_parse_segment(event, &segment);
      gst_aggregator_update_segment(element_, segment);
      segment_sent_ = false;
      break;
    }
    case GST_EVENT_TAG:
      gst_event_replace(&tags_, event);
      break;
    default:
      break;
  }
}

void Pairing::sink_event_pre_queue(GstAggregatorPad* pad, GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP) return;
  flushed_ = true;
  InputCounters::of(pad)->forget_head();
}

void Pairing::src_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_QOS) return;
  GstClockTimeDiff diff;
  GstClockTime timestamp;
  gst_event_parse_qos(event, nullptr, nullptr, &diff, &timestamp);
  const std::lock_guard lock(mutex_);
  late_until_ = last_late_time(timestamp, diff);
}

void Pairing::flush() {
  flushed_ = true;
  segment_sent_ = false;
  const std::lock_guard lock(mutex_);
  late_until_ = GST_CLOCK_TIME_NONE;
}

void Pairing::start() {
  for (std::atomic<guint64>* count :
       {&counts_.paired, &counts_.unpaired, &counts_.dropped, &counts_.late, &counts_.wide,
        &counts_.largest_of_pair, &counts_.largest_spread}) {
    *count = 0;
  }
  // Called before the first caps come: the rate is unknown.
  apply_latency();
}

void Pairing::stop() {
  release();
  gst_clear_buffer(&last_);
  last_time_.reset();
  gst_clear_caps(&last_caps_);
  gst_clear_caps(&caps_now_);
  gst_clear_event(&tags_);
  segment_sent_ = false;
  flushed_ = false;
  forget_misses();
  forget_paces();
  spread_ = 0;
  const std::lock_guard lock(mutex_);
  frame_ = GST_CLOCK_TIME_NONE;
  late_until_ = GST_CLOCK_TIME_NONE;
}

// --- being late ---------------------------------------------------------------------------------

// Skips live frames that would be late, so that the next ones are in time and queues do not grow.
// Not for files, which can wait.
bool Pairing::is_late(GstBuffer* buffer) {
  GstClockTime earliest;
  {
    const std::lock_guard lock(mutex_);
    earliest = late_until_;
  }
  if (!GST_CLOCK_TIME_IS_VALID(earliest)) return false;
  const std::optional<std::int64_t> time = running_time_on(main_, GST_BUFFER_PTS(buffer));
  if (!time || *time < 0 || static_cast<GstClockTime>(*time) > earliest) return false;
  // Returns NONE if no source is live.
  if (!GST_CLOCK_TIME_IS_VALID(gst_aggregator_get_latency(element_))) return false;
  const guint64 late = ++counts_.late;
  GstMessage* message =
      gst_message_new_qos(GST_OBJECT(element_), TRUE, static_cast<guint64>(*time),
                          stream_time(buffer), GST_BUFFER_PTS(buffer), GST_BUFFER_DURATION(buffer));
  gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, counts_.paired + counts_.unpaired, late);
  gst_element_post_message(GST_ELEMENT(element_), message);
  return true;
}

PairingCounts Pairing::counts() const {
  return {counts_.paired, counts_.unpaired, counts_.dropped, counts_.late, counts_.wide};
}

}  // namespace rdp::gst
