// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_WHOLE_FILE_H_
#define RDP_GST_ELEMENTS_BASE_WHOLE_FILE_H_

#include <glib.h>

#include <string>
#include <string_view>

namespace rdp::gst {

// The content of a small file that a property names.
class WholeFile {
 public:
  WholeFile() = default;
  ~WholeFile() { g_free(content_); }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // Call once. False: *reason says why. Refuses pipes and devices, which could block or never end.
  bool read(const char* file, std::string* reason) {
    if (g_file_test(file, G_FILE_TEST_EXISTS) && !g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
      *reason = std::string(file) + " is no regular file, expected the name of one";
      return false;
    }
    g_autoptr(GError) error = nullptr;
    if (g_file_get_contents(file, &content_, &size_, &error) != FALSE) return true;
    *reason = error->message;
    return false;
  }
  std::string_view content() const { return {content_, size_}; }

 private:
  gchar* content_ = nullptr;
  gsize size_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_WHOLE_FILE_H_
