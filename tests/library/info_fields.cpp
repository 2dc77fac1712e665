// SPDX-License-Identifier: LGPL-2.1-or-later
// Prints the tables of the infos, a row a line, for tests/python/fields_test.py.
#include <gst/rdpsegment/rdpheightsprivate.h>
#include <gst/rdpsegment/rdpmotionprivate.h>
#include <gst/rdpsegment/rdpobstaclesprivate.h>
#include <gst/rdpsegment/rdpplanesprivate.h>
#include <gst/rdpsegment/rdpsegmentationfields.h>
#include <gst/rdpsegment/rdptracksprivate.h>

#include <cstdio>

namespace {

using namespace rdp::meta;

template <typename Info, std::size_t N>
void print(const char* kind, const std::array<InfoField<Info>, N>& fields) {
  static constexpr const char* kCodes[] = {"I", "i", "Q", "q", "d", "I"};
  static constexpr const char* kRules[] = {"any", "finite", "not-negative", "positive", "within"};
  for (const InfoField<Info>& field : fields) {
    std::printf("%s %s %s %zu %u %u %s %.17g %.17g\n", kind, field.name,
                kCodes[static_cast<int>(field.type)], static_cast<std::size_t>(field.place.at),
                field.place.since, field.place.bit, kRules[field.rule.kind], field.rule.least,
                field.rule.most);
  }
}

}  // namespace

int main() {
  print("RDPS", kSegmentationFields);
  print("RDPP", kPlanesFields);
  print("RDPT", kTracksFields);
  print("RDPM", kMotionFields);
  print("RDPH", kHeightsFields);
  print("RDPO", kObstaclesFields);
  return 0;
}
