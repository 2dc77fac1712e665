// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pngfolder/picture_list.h"

#include <dirent.h>
#include <glib.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <system_error>

#include "gst/elements/pngfolder/natural_order.h"
#include "gst/elements/pngfolder/png_chunks.h"

namespace rdp::gst {
namespace {

constexpr std::string_view kEnding = ".png";
constexpr const char* kWildcards = "*?[\\";
// The largest time in a name, in whole seconds: GStreamer can keep it.
constexpr std::uint64_t kMaxSeconds = 9000000000U;
constexpr int kMaxDigits = 9;  // behind the point: nanoseconds

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Ignores case.
bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() &&
         g_ascii_strncasecmp(name.data() + name.size() - ending.size(), ending.data(),
                             ending.size()) == 0;
}

bool is_png(std::string_view name) { return ends_with(name, kEnding); }

bool is_jpeg(std::string_view name) { return ends_with(name, ".jpg") || ends_with(name, ".jpeg"); }

std::string_view without_ending(std::string_view path) {
  return is_png(last_part(path)) ? path.substr(0, path.size() - kEnding.size()) : path;
}

bool is_folder(const std::string& path) {
  return g_file_test(path.c_str(), G_FILE_TEST_IS_DIR) != FALSE;
}

// The next name; null at the end, or with errno on failure. std::filesystem's iterator ends the
// process if memory for a name runs out, and GDir skips what it cannot read.
const char* next_name(DIR* folder) {
  if (folder == nullptr) return nullptr;
  errno = 0;
  const dirent* entry = readdir(folder);
  return entry == nullptr ? nullptr : entry->d_name;
}

std::vector<PictureFile> files_of_folder(const std::string& location) {
  const std::string start = location.back() == '/' ? location : location + '/';
  std::vector<PictureFile> files;
  std::size_t others = 0;
  bool has_jpeg = false;
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(location.c_str()), closedir);
  while (const char* name = next_name(folder.get())) {
    if (*name == '.') continue;
    if (is_png(name) && !is_folder(start + name)) {
      files.push_back({start + name, start.size()});
    } else {
      ++others;
      has_jpeg = has_jpeg || is_jpeg(name);
    }
  }
  if (errno != 0) {
    throw NamesError("Cannot read the folder " + in_quotes(location) + ": " +
                     std::generic_category().message(errno) +
                     ". Set location to one that can be read.");
  }
  if (files.empty()) {
    throw NamesError("There is no .png file in " + in_quotes(location) + ", which holds " +
                     std::to_string(others) +
                     " other files and folders: set location to the folder of the pictures." +
                     (has_jpeg ? kNoJpeg : ""));
  }
  return files;
}

std::vector<PictureFile> files_of_pattern(const std::string& location) {
  const std::size_t wildcard = location.find_first_of(kWildcards);
  const std::size_t slash = location.rfind('/', wildcard);
  const std::size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  glob_t matches = {};
  const std::unique_ptr<glob_t, void (*)(glob_t*)> owned(&matches, globfree);
  const int result = glob(location.c_str(), GLOB_NOSORT | GLOB_MARK, nullptr, &matches);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  std::vector<PictureFile> files;
  for (std::size_t i = 0; result == 0 && i < matches.gl_pathc; ++i) {
    const std::string_view path = matches.gl_pathv[i];
    // GLOB_MARK: a folder.
    if (path.back() != '/') files.push_back({std::string(path), name_at});
  }
  if (files.empty()) {
    throw NamesError("No file matches " + in_quotes(location) +
                     ": expected a pattern such as \"depth/*.png\" that matches some.");
  }
  return files;
}

void sort_by_name(std::vector<PictureFile>* files) {
  const auto order = [](const PictureFile& a, const PictureFile& b) {
    return natural_order(without_ending(a.path), without_ending(b.path));
  };
  std::sort(files->begin(), files->end(),
            [&](const PictureFile& a, const PictureFile& b) { return order(a, b) < 0; });
  const auto tie = std::adjacent_find(
      files->begin(), files->end(),
      [&](const PictureFile& a, const PictureFile& b) { return order(a, b) == 0; });
  if (tie == files->end()) return;
  std::string_view first = tie[0].path;
  std::string_view second = tie[1].path;
  if (first > second) std::swap(first, second);
  throw NamesError(
      "Cannot tell which comes first, " + in_quotes(first) + " or " + in_quotes(second) +
      ": their names differ only in leading zeros or in .png and .PNG, expected names with a clear "
      "order. Rename one of them, or set location to a pattern that matches one of them.");
}

}  // namespace

std::string_view PictureFile::stem() const { return without_ending(last_part(path)); }

std::vector<PictureFile> find_pictures(const std::string& location) {
  struct stat status = {};
  const int problem = stat(location.c_str(), &status) == 0 ? 0 : errno;
  std::vector<PictureFile> files;
  if (problem == 0 && S_ISDIR(status.st_mode)) {
    files = files_of_folder(location);
  } else if (problem == 0) {
    files.push_back({location, location.size() - last_part(location).size()});
  } else if (location.find_first_of(kWildcards) != std::string::npos) {
    files = files_of_pattern(location);
  } else {
    throw NamesError("Cannot find " + in_quotes(location) + ": " +
                     std::generic_category().message(problem) +
                     "; expected a folder, a pattern such as \"depth/*.png\", or a file.");
  }
  sort_by_name(&files);
  return files;
}

std::uint64_t time_in_name(const PictureFile& file) {
  const std::string_view stem = file.stem();
  const auto refuse = [&](const char* what) {
    throw NamesError(in_quotes(file.path) + " has " + what +
                     " in its name, expected one number of seconds, such as "
                     "1305031102.175304.png. Rename the files, or set timestamps=index.");
  };
  const auto digit = std::find_if(stem.begin(), stem.end(), is_digit);
  if (digit == stem.end()) refuse("no number");
  std::string_view rest = stem.substr(static_cast<std::size_t>(digit - stem.begin()));
  const std::string_view whole = pop_number(&rest);
  std::string_view fraction;
  if (rest.size() >= 2 && rest[0] == '.' && is_digit(rest[1])) {
    const auto end = std::find_if_not(rest.begin() + 1, rest.end(), is_digit);
    fraction = rest.substr(1, static_cast<std::size_t>(end - rest.begin()) - 1);
    rest.remove_prefix(1 + fraction.size());
  }
  if (std::any_of(rest.begin(), rest.end(), is_digit)) refuse("more than one number");
  std::uint64_t seconds = 0;
  for (const char c : whole) {
    seconds = 10 * seconds + static_cast<std::uint64_t>(c - '0');
    if (seconds > kMaxSeconds) refuse("a number above 9000000000 seconds");
  }
  std::uint64_t below = 0;
  for (int i = 0; i < kMaxDigits; ++i) {
    const auto at = static_cast<std::size_t>(i);
    below =
        10 * below + (at < fraction.size() ? static_cast<std::uint64_t>(fraction[at] - '0') : 0);
  }
  return seconds * 1000000000U + below;
}

void sort_by_time(std::vector<PictureFile>* files) {
  for (PictureFile& file : *files) file.seconds_ns = time_in_name(file);
  std::stable_sort(files->begin(), files->end(), [](const PictureFile& a, const PictureFile& b) {
    return a.seconds_ns < b.seconds_ns;
  });
  const auto tie = std::adjacent_find(
      files->begin(), files->end(),
      [](const PictureFile& a, const PictureFile& b) { return a.seconds_ns == b.seconds_ns; });
  if (tie == files->end()) return;
  throw NamesError("Cannot tell which comes first, " + in_quotes(tie[0].path) + " or " +
                   in_quotes(tie[1].path) +
                   ": their names give the same time, expected a different time for each. Rename "
                   "one of them, or set timestamps=index.");
}

}  // namespace rdp::gst
