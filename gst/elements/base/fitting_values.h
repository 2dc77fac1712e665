// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_FITTING_VALUES_H_
#define RDP_GST_ELEMENTS_BASE_FITTING_VALUES_H_

#include <gst/gst.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace rdp::gst {

// Values of properties that have to go together. With the first frame it is an error if they do
// not. While the element plays they may be on their way to others that do: the last values that
// fitted stay, and the user is told once.
template <typename Values>
class FittingValues {
 public:
  // Before a frame: replaces *values by the last ones that fitted where something is wrong with
  // them. `cannot`: what is not possible with them, "Features cannot be tracked". `wrong`: what is
  // wrong and the remedy; empty: nothing. Throws std::runtime_error and std::bad_alloc.
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
