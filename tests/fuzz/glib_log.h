// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_GLIB_LOG_H_
#define RDP_TESTS_FUZZ_GLIB_LOG_H_

namespace rdp::fuzz {

// From now on, any critical (GLib, GStreamer, this library) and any warning of this library end the
// process. GStreamer's own warnings about a harness's use of pads do not.
void watch_glib_log();

// true: this library may log criticals about wrong calls, and must log at least one before
// expect_criticals(false).
void expect_criticals(bool expected);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_GLIB_LOG_H_
