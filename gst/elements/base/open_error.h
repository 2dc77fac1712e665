// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_OPEN_ERROR_H_
#define RDP_GST_ELEMENTS_BASE_OPEN_ERROR_H_

#include <gst/gst.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// Error message of an element for a file that cannot be opened.
class OpenError : public std::runtime_error {
 public:
  // code: the errno of InputFile::open(); EINVAL if it is not a regular file.
  OpenError(const std::string& name, int code)
      : std::runtime_error("Cannot open \"" + name + "\": " +
                           (code == EINVAL ? "it is no regular file, expected the name of one"
                                           : std::generic_category().message(code)) +
                           "."),
        code_(code) {}

  // Posts it as an element error.
  void post(gpointer element) const noexcept {
    const ShownText text(what());
    if (code_ == ENOENT) {
      GST_ELEMENT_ERROR(element, RESOURCE, NOT_FOUND, ("%s", text.get()), (nullptr));
    } else {
      GST_ELEMENT_ERROR(element, RESOURCE, OPEN_READ, ("%s", text.get()), (nullptr));
    }
  }

 private:
  int code_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_OPEN_ERROR_H_
