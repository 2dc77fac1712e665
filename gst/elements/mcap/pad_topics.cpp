// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/pad_topics.h"

namespace rdp::gst {

// rosbag2 plays topics with this QoS profile. All of its versions read numbers, but not names.
void PadTopics::add_qos(bool is_static, mcap::TextMap* metadata) {
  const char* durability = is_static ? "1" : "2";
  metadata->emplace_back("offered_qos_profiles", std::string("- history: 1\n"
                                                             "  depth: 10\n"
                                                             "  reliability: 1\n"
                                                             "  durability: ") +
                                                     durability +
                                                     "\n"
                                                     "  deadline:\n"
                                                     "    sec: 0\n"
                                                     "    nsec: 0\n"
                                                     "  lifespan:\n"
                                                     "    sec: 0\n"
                                                     "    nsec: 0\n"
                                                     "  liveliness: 1\n"
                                                     "  liveliness_lease_duration:\n"
                                                     "    sec: 0\n"
                                                     "    nsec: 0\n"
                                                     "  avoid_ros_namespace_conventions: false\n");
}

}  // namespace rdp::gst
