// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_
#define RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_

#include <glib-object.h>

#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {

// Sets one of the object's properties that this plugin defines to a valid value, and reads it back.
void set_any_property(Input* input, GObject* object);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_PROPERTIES_H_
