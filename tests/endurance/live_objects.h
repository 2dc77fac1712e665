// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_
#define RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_

#include <map>
#include <string>

namespace rdp::endurance {

// The objects and mini objects (buffers, caps, events, segmentations) that exist, by type, as
// GStreamer's leaks tracer knows them.
using LiveObjects = std::map<std::string, int>;

// Before gst_init().
void enable_leaks_tracer();
// False where GStreamer was built without it.
bool leaks_tracer_runs();
LiveObjects live_objects();

// "GstBuffer: 3 more"; empty where no type has more objects than before.
std::string more_objects(const LiveObjects& before, const LiveObjects& after);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_
