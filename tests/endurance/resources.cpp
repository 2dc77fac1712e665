// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/resources.h"

#include <dirent.h>
#include <glib.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace rdp::endurance {
namespace {

std::int64_t count_entries(const char* folder) {
  DIR* directory = opendir(folder);
  if (directory == nullptr) return -1;
  std::int64_t count = 0;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') ++count;
  }
  closedir(directory);
  return count;
}

std::int64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return -1;
  long long size = 0;
  long long resident = -1;
  const int found = std::fscanf(file, "%lld %lld", &size, &resident);
  std::fclose(file);
  return found == 2 ? resident * sysconf(_SC_PAGESIZE) : -1;
}

std::int64_t heap_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
  return -1;  // another malloc()
#elif __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#else
  return -1;
#endif
}

std::string amount(std::int64_t value, bool bytes) {
  if (!bytes) return std::to_string(value);
  char text[48];
  std::snprintf(text, sizeof(text), "%.2f", static_cast<double>(value) / (1 << 20));
  return text;
}

}  // namespace

Resources measure_resources(const DeviceProbe* device) {
  Resources result;
  result.threads = count_entries("/proc/self/task");
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  result.heap = heap_bytes();
  result.resident = resident_bytes();
  result.descriptors = count_entries("/proc/self/fd");
  if (device != nullptr) result.device = device->used_bytes();
  return result;
}

std::int64_t settle_threads(std::int64_t enough) {
  // GLib can end an idle thread only after it has waited for half a second.
  constexpr int kTries = 40;
  constexpr int kUnchanged = 8;
  std::int64_t before = -1;
  for (int i = 0, unchanged = 0; i < kTries && unchanged < kUnchanged; ++i) {
    g_thread_pool_stop_unused_threads();
    const std::int64_t now = count_entries("/proc/self/task");
    if (now <= enough) return now;
    g_usleep(G_USEC_PER_SEC / 10);
    unchanged = now == before ? unchanged + 1 : 0;
    before = now;
  }
  return before;
}

// Waiting for threads takes almost a second, so it is done once in each tenth or half.
void ResourceLog::sample(double progress) {
  Resources resources = measure_resources(device_);
  resources.threads = -1;
  const int tenth = static_cast<int>(progress * kTenths);
  const int part = allowance_.each_tenth ? 1 + tenth : (tenth >= 3 ? 1 : 0) + tenth / kTenths;
  if (part > settled_) {
    settled_ = part;
    resources.threads = settle_threads(fewest_threads_);
    if (fewest_threads_ < 0 || resources.threads < fewest_threads_) {
      fewest_threads_ = resources.threads;
    }
  }
  samples_.push_back({progress, resources});
}

ResourceLog::Peaks ResourceLog::peaks(std::int64_t Resources::*member) const {
  Peaks result;
  for (const Sample& sample : samples_) {
    if (sample.progress <= kWarmUp) continue;
    std::int64_t& peak = sample.progress <= kHalf ? result.first : result.second;
    peak = std::max(peak, sample.resources.*member);
  }
  return result;
}

std::string ResourceLog::tenths(std::int64_t Resources::*member, bool bytes) const {
  std::int64_t peak[kTenths] = {};
  for (const Sample& sample : samples_) {
    std::int64_t& of_tenth =
        peak[std::clamp(static_cast<int>(sample.progress * kTenths), 0, kTenths - 1)];
    of_tenth = std::max(of_tenth, sample.resources.*member);
  }
  std::string text;
  for (const std::int64_t value : peak) text += ' ' + amount(value, bytes);
  return text;
}

std::string ResourceLog::report(Failures* failures) const {
  struct Kind {
    const char* name;
    std::int64_t Resources::*member;
    std::int64_t allowed;
    bool bytes;
  };
  // The tolerances cover memory that is freed and allocated elsewhere. They are far below a leak of
  // a few bytes per frame in a long run. Drivers allocate pieces of 2 MiB.
  const Kind kinds[] = {
      {"MiB of resident memory", &Resources::resident, 1 << 20, true},
      {"MiB of heap in use", &Resources::heap, allowance_.heap, true},
      {"MiB of GPU memory", &Resources::device, 4 << 20, true},
      {"file descriptors", &Resources::descriptors, allowance_.descriptors, false},
      {"threads", &Resources::threads, allowance_.threads, false},
  };
  std::string text;
  for (const Kind& kind : kinds) {
    const Peaks peak = peaks(kind.member);
    if (peak.first < 0 || peak.second < 0) continue;
    const bool counts = kind.member != &Resources::resident || allowance_.resident_counts;
    const std::string line = std::string(kind.name) + ": at most " +
                             amount(peak.first, kind.bytes) + " in the first half, " +
                             amount(peak.second, kind.bytes) + " in the second";
    text += "  " + line + (counts ? "" : " (not judged)") +
            "; tenths:" + tenths(kind.member, kind.bytes) + "\n";
    if (counts && peak.second > peak.first + kind.allowed) {
      failures->add(line + ": it grows (allowed are " + amount(kind.allowed, kind.bytes) +
                    " more)");
    }
  }
  return text + "  measured " + std::to_string(samples_.size()) + " times\n";
}

std::string ResourceLog::summary() const {
  const Peaks resident = peaks(&Resources::resident);
  const Peaks device = peaks(&Resources::device);
  const auto cell = [](const Peaks& peak) {
    return peak.first < 0 || peak.second < 0
               ? std::string("-")
               : amount(peak.first, true) + " → " + amount(peak.second, true) + " MiB";
  };
  return cell(resident) + " | " + cell(device);
}

}  // namespace rdp::endurance
