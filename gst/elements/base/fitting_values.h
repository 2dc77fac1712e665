// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FITTING_VALUES_H_
#define RDP_GST_ELEMENTS_BASE_FITTING_VALUES_H_

#include <gst/gst.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace rdp::gst {

// Property values that depend on each other. With the first frame inconsistent values are an error.
// While the element plays the user may be changing them one by one: the last consistent values stay
// in effect, with one warning.
template <typename Values>
class FittingValues {
 public:
  // Before a frame: replaces inconsistent *values by the last consistent ones. `cannot`: what they
  // prevent, "Features cannot be tracked". `wrong`: the fault and its remedy; empty: none. Throws
  // std::runtime_error (the first values are inconsistent) and std::bad_alloc.
  void update(GstElement* element, const char* cannot, const std::string& wrong, Values* values) {
    if (wrong.empty()) {
      said_.clear();
      last_ = *values;
      return;
    }
    if (!last_) throw std::runtime_error(wrong);
    *values = *last_;
    if (wrong == said_) return;
    said_ = wrong;
    GST_ELEMENT_WARNING(element, LIBRARY, SETTINGS,
                        ("%s with these settings, and the previous ones stay in effect: %s.",
                         cannot, wrong.c_str()),
                        (nullptr));
  }

 private:
  std::optional<Values> last_;
  std::string said_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_FITTING_VALUES_H_
