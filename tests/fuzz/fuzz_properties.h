// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_
#define RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_

#include <glib-object.h>

#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {

// Sets one of the properties that the object has of this plugin to a value that it may have, and
// reads it back.
void set_any_property(Input* input, GObject* object);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_
