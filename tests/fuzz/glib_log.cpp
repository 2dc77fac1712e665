// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/glib_log.h"

#include <glib.h>

#include <atomic>
#include <cstring>

#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {
namespace {

std::atomic<bool> criticals_expected = false;
std::atomic<int> criticals = 0;

void take(const gchar* domain, GLogLevelFlags level, const gchar* message, gpointer) {
  const bool ours = domain != nullptr && std::strcmp(domain, "rdpsegment") == 0;
  const int kind = static_cast<int>(level) & G_LOG_LEVEL_MASK;
  if (ours && kind == G_LOG_LEVEL_CRITICAL && criticals_expected) {
    ++criticals;
    return;
  }
  const bool bad = (kind & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL)) != 0 ||
                   (ours && kind == G_LOG_LEVEL_WARNING);
  FUZZ_CHECK(!bad, "%s: %s", domain == nullptr ? "(no domain)" : domain, message);
}

}  // namespace

void watch_glib_log() {
  // G_DEBUG=fatal-criticals would end the process before the handler runs.
  g_log_set_always_fatal(static_cast<GLogLevelFlags>(G_LOG_FATAL_MASK));
  g_log_set_default_handler(take, nullptr);
}

void expect_criticals(bool expected) {
  if (!expected && criticals_expected) {
    FUZZ_CHECK(criticals > 0, "nothing was said about a wrong call");
  }
  criticals = 0;
  criticals_expected = expected;
}

}  // namespace rdp::fuzz
