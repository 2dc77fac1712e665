// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CHECK_TEXT_H_
#define RDP_TESTS_SUPPORT_CHECK_TEXT_H_

#include <string>

// Fails unless both texts, of any type that converts to std::string, are equal. gst-check's own
// fail_unless_equals_string keeps pointers to destroyed temporaries: the text of a temporary
// std::string is gone when it compares. The including file includes gst-check, whose macros would
// change names in later headers.
#define fail_unless_equals_text(seen, wanted)                                               \
  G_STMT_START {                                                                            \
    const std::string seen_text(seen), wanted_text(wanted);                                 \
    fail_unless(seen_text == wanted_text, "%s is '%s', not '%s'", #seen, seen_text.c_str(), \
                wanted_text.c_str());                                                       \
  }                                                                                         \
  G_STMT_END

#endif  // RDP_TESTS_SUPPORT_CHECK_TEXT_H_
