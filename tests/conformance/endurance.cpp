// SPDX-License-Identifier: LGPL-2.1-or-later
// Long runs of an element, with frames of all sizes in turn, changing source pads and states. All
// output is compared, and no resource of the process may grow. FRAMES=N sets the number of frames
// (900); tests/endurance.sh tabulates the printed rows.
#include "tests/endurance/resources.h"

#include <cstdlib>
#include <memory>

// After the standard library: check.h defines a macro named fail.
#include "tests/conformance/heard.h"

namespace conformance {
namespace {

using rdp::endurance::DeviceProbe;
using rdp::endurance::ResourceLog;

constexpr guint64 kRound = 30;    // frames, after which the same objects exist
constexpr guint64 kOfSides = 23;  // frames of a round with side pads
constexpr guint64 kOfShape = 9;
constexpr guint64 kRestart = 4;  // rounds

guint64 wanted_frames() {
  const char* text = std::getenv("FRAMES");
  return text == nullptr ? 900 : std::strtoull(text, nullptr, 10);
}

// Goes to READY or NULL, and plays again.
void restart(Stream& stream, const Film& film, GstState state) {
  gst_element_set_state(stream.element, state);
  for (std::size_t i = 0; i < stream.of().inputs.size(); ++i) {
    gst_pad_set_active(stream.source(i), FALSE);
  }
  gst_pad_set_active(stream.main.pad(), FALSE);
  gst_pad_set_active(stream.main.pad(), TRUE);
  fail_unless(stream.start() && stream.begin(film));
}

void endures(const Element& element) {
  const guint64 frames = wanted_frames();
  const bool is_short = frames < 100000;
  std::vector<std::unique_ptr<Film>> films;
  for (const Shapes& shapes : element.shapes) {
    films.push_back(std::make_unique<Film>(element, shapes));
  }
  const auto film_of = [&](guint64 number) -> const Film& {
    return *films[number / kOfShape % films.size()];
  };
  std::unique_ptr<DeviceProbe> probe;
  if (memory().settings != "cpu") probe = std::make_unique<DeviceProbe>();
  ResourceLog::Allowance allowance;
  allowance.resident_counts = !is_short;
  allowance.each_tenth = !is_short;
  allowance.heap = 512 << 10;  // for the largest frame since the start, and drivers
  ResourceLog log(probe.get(), allowance);
  if (memory().new_stream) memory().new_stream();
  Stream stream(*films[0]);
  stream.film_of = film_of;
  stream.look = [&](GstBuffer* buffer, guint64 nth) { return film_of(nth).complaint(buffer, nth); };
  fail_unless(stream.start() && stream.begin());
  const guint64 between_samples = std::max<guint64>(frames / kRound / 200, 1);
  for (guint64 number = 0; number < frames; ++number) {
    const guint64 in_round = number % kRound;
    const guint64 round = number / kRound;
    if (in_round == 0 && round % kRestart == kRestart - 1) {
      restart(stream, film_of(number),
              round / kRestart % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
    }
    // All side pads, or all but one.
    for (std::size_t i = 0; in_round == 0 && i < element.sides.size(); ++i) {
      if (element.sides.size() == 1 || i != round % (element.sides.size() + 1)) stream.add_side(i);
    }
    if (in_round == kOfSides) stream.drop_sides();
    if (number % kOfShape == 0) fail_unless(stream.set_caps(film_of(number)));
    const GstFlowReturn flow = stream.push(film_of(number), number);
    fail_unless(flow == GST_FLOW_OK, "%s: frame %d: %s", element.name.c_str(),
                static_cast<int>(number), gst_flow_get_name(flow));
    expect_frames(stream, number + 1);
    if (in_round == kRound - 1 && round % between_samples == 0) {
      log.sample(static_cast<double>(number + 1) / static_cast<double>(frames));
    }
  }
  rdp::endurance::Failures failures;
  const std::string report = log.report(&failures);
  std::printf("%s| %s, %s | %s frames | %s | %s | - | - |\n", report.c_str(), element.name.c_str(),
              memory().name.c_str(), std::to_string(frames).c_str(),
              failures.count() == 0 ? "nothing" : "something", log.summary().c_str());
  fail_unless(failures.count() == 0, "%s: something grows:\n%s", element.name.c_str(),
              report.c_str());
}

bool takes_frames(const Element& element) { return !element.is_source(); }

}  // namespace

Rows endurance_rows() { return {"endurance", {{"endurance", endures, takes_frames}}}; }

}  // namespace conformance
