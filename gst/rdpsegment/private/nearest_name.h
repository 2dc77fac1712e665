/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_NEAREST_NAME_H__
#define __GST_RDP_NEAREST_NAME_H__

#include <glib.h>

#include <algorithm>
#include <string_view>
#include <vector>

/* Private. Suggestions for misspelt names. */
namespace rdp::meta {

/* The edit distance: the least number of insertions, deletions, replacements and swaps of
 * neighbours. Case and the difference between _ and - do not count. */
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '_' ? '-' : g_ascii_tolower(c); };
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& at = table[i * columns + j];
      if (i == 0 || j == 0) {
        at = i + j;
        continue;
      }
      const bool same = plain(a[i - 1]) == plain(b[j - 1]);
      at = std::min({table[(i - 1) * columns + j] + 1, table[i * columns + j - 1] + 1,
                     table[(i - 1) * columns + j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) &&
          plain(a[i - 2]) == plain(b[j - 1])) {
        at = std::min(at, table[(i - 2) * columns + j - 2] + 1);
      }
    }
  }
  return table.back();
}

/* True if `name` may be a misspelt `known`: at most a third of its letters differ. */
inline bool may_be(std::string_view name, std::string_view known) {
  constexpr std::size_t kLongest = 40; /* all known names are far shorter */
  return name.size() <= kLongest && 3 * edit_distance(name, known) <= known.size();
}

/* The known name nearest to `name`, the first of equally near ones; null: none is near. */
inline const char* nearest_name(std::string_view name, const std::vector<const char*>& known) {
  const char* best = nullptr;
  for (const char* one : known) {
    if (!may_be(name, one)) continue;
    if (best == nullptr || edit_distance(name, one) < edit_distance(name, best)) best = one;
  }
  return best;
}

}  // namespace rdp::meta

#endif /* __GST_RDP_NEAREST_NAME_H__ */
