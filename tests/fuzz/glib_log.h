// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_GLIB_LOG_H_
#define RDP_TESTS_FUZZ_GLIB_LOG_H_

namespace rdp::fuzz {

// From here on a critical of anybody (GLib, GStreamer, this library) and a warning of ours end the
// process. GStreamer's own warnings about what a harness does to a pad do not.
void watch_glib_log();

// Whether this library may say that it was called wrongly, and must at least once before this is
// taken back.
void expect_criticals(bool expected);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_GLIB_LOG_H_
