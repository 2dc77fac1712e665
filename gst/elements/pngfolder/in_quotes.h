// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_IN_QUOTES_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_IN_QUOTES_H_

#include <string>
#include <string_view>

namespace rdp::gst {

// A name of a file, as messages have it.
inline std::string in_quotes(std::string_view name) { return '"' + std::string(name) + '"'; }

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_IN_QUOTES_H_
