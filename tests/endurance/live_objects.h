// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_
#define RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_

#include <map>
#include <string>

namespace rdp::endurance {

// Numbers of live objects and mini objects (buffers, caps, events, segmentations) by type, from
// GStreamer's leaks tracer.
using LiveObjects = std::map<std::string, int>;

// Call before gst_init().
void enable_leaks_tracer();
// False if GStreamer was built without the tracer.
bool leaks_tracer_runs();
LiveObjects live_objects();

// "GstBuffer: 3 more"; empty if no type has more objects than before.
std::string more_objects(const LiveObjects& before, const LiveObjects& after);

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_LIVE_OBJECTS_H_
