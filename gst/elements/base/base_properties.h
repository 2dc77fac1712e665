// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_BASE_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_BASE_PROPERTIES_H_

#include <array>

#include "common/image/thread_pool.h"
#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/property_table.h"

namespace rdp::gst {

// The properties that every analysing element has: `backend`, `cuda-device-id` and `threads`, for
// any Settings with members `backend`, `cuda_device_id` and `threads`, and `stats`, which is read
// only and no member. An element has them in one of two ways.
//
// - Its settings hold everything, as members of its own or of a base. Its table is
//     join (own rows, base_properties<Settings> ("Since …"))
//   and it answers for `stats` itself.
// - A base class holds these in settings of its own and installs
//     base_properties<BaseSettings> ("Since …")
//   in its class_init, with its own set_property and get_property. The element's class installs the
//   element's rows alone, and its own two functions. GObject asks the class that installed a
//   property, so both tables count from 1.
//
// `stats_blurb` names the fields of the statistics, which differ; it has static storage.
template <typename Settings>
constexpr auto base_properties(const char* stats_blurb) {
  using Of = PropertyOf<Settings>;
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "backend",
        .nick = "Backend",
        .blurb = "Processor that does the work: CPU or NVIDIA GPU",
        .flags = kInReady},
       Of::template as_enum<&Settings::backend>(gst_rdp_backend_get_type)},
      {{.name = "cuda-device-id",
        .nick = "CUDA device id",
        .blurb = "Number of the CUDA device, from 0 (-1 = any)",
        .flags = kInReady},
       Of::template as_int<&Settings::cuda_device_id>(-1, G_MAXINT)},
      {{.name = "threads",
        .nick = "Threads",
        .blurb = "Number of threads of the CPU engine, including the streaming thread (0 = one per "
                 "processor)",
        .flags = kWhilePlaying},
       Of::template as_uint<&Settings::threads>(0, ThreadPool::kMaxThreads)},
      {{.name = "stats", .nick = "Statistics", .blurb = stats_blurb}, Of::other_structure()},
  });
}

// `stats` alone, for elements that work only in the streaming thread.
template <typename Settings>
constexpr auto stats_property(const char* stats_blurb) {
  return std::to_array<PropertyRow<Settings>>({
      {{.name = "stats", .nick = "Statistics", .blurb = stats_blurb},
       PropertyOf<Settings>::other_structure()},
  });
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_BASE_PROPERTIES_H_
