// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/height_kernels.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"
#include "kernels/heightmap/height_arguments.h"

namespace {

using namespace rdp;
using cuda::BeliefLayout;
using cuda::HeightBeliefArguments;
using cuda::HeightCensusArguments;
using cuda::HeightCostArguments;
using cuda::HeightLinkArguments;
using cuda::HeightPicture;
using cuda::HeightPlane;
using cuda::HeightReport;
using cuda::HeightSight;
namespace reference = heightmap::reference;

// Data kept from a set's steps for the last one, where the reference does all iterations at once.
// It lies where the kernels keep the costs, in both buffers, in another order.
class Kept {
 public:
  struct Head {
    const std::int32_t* potential;
    std::int32_t max_slope;
  };

  Kept(const unsigned char* const costs[2], const BeliefLayout& layout)
      : first_(const_cast<unsigned char*>(costs[0])),
        second_(const_cast<unsigned char*>(costs[1])),
        half_(static_cast<std::size_t>(layout.height) * static_cast<std::size_t>(layout.groups) *
              static_cast<std::size_t>(BeliefLayout::cost_bytes(layout.words))),
        pixels_(static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.height)) {}

  void put(const Head& head) {
    unsigned char bytes[sizeof head];
    std::memcpy(bytes, &head, sizeof head);
    put(0, {bytes, bytes + sizeof head});
  }
  Head head() const {
    Head head;
    const std::vector<std::uint8_t> bytes = get(0, sizeof head);
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
  }
  void put_edges(const std::vector<std::uint8_t>& edges) { put(sizeof(Head), edges); }
  std::vector<std::uint8_t> edges() const { return get(sizeof(Head), pixels_); }
  void put_costs(const std::vector<std::uint8_t>& costs) { put(sizeof(Head) + pixels_, costs); }
  std::vector<std::uint8_t> costs(int labels) const {
    return get(sizeof(Head) + pixels_, pixels_ * static_cast<std::size_t>(labels));
  }

 private:
  unsigned char& at(std::size_t i) const { return i < half_ ? first_[i] : second_[i - half_]; }
  void put(std::size_t from, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) at(from + i) = bytes[i];
  }
  std::vector<std::uint8_t> get(std::size_t from, std::size_t count) const {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < count; ++i) bytes.push_back(at(from + i));
    return bytes;
  }

  unsigned char* first_;
  unsigned char* second_;
  std::size_t half_;
  std::size_t pixels_;
};

DepthView view_of(const HeightPicture& picture) {
  return {reinterpret_cast<const std::byte*>(picture.samples), picture.pitch, picture.width,
          picture.height, SampleType::kU8};
}

void run_census(const void* arguments) {
  const auto& a = *static_cast<const HeightCensusArguments*>(arguments);
  for (unsigned i = 0; i < current_launch().grid[2]; ++i) {
    const std::vector<std::uint32_t> census = reference::census(view_of(a.pictures[i]));
    std::copy(census.begin(), census.end(), a.pictures[i].census);
  }
}

void run_links(const void* arguments) {
  const auto& a = *static_cast<const HeightLinkArguments*>(arguments);
  heightmap::Parameters parameters;
  parameters.edge_contrast = a.contrast;
  Kept kept(a.costs, a.layout);
  kept.put({a.potential, a.max_slope});
  kept.put_edges(reference::edges(view_of(a.picture), parameters));
}

bool is_before(const HeightPlane& plane, double third) {
  return plane.sign < 0 ? third < 0.0 : plane.sign > 0 && third > 0.0;
}

// Hamming distances of the census, by pixel and plane.
std::vector<std::uint8_t> differences(const HeightCostArguments& a, const HeightSight& view) {
  std::vector<std::uint8_t> result;
  const heightmap::Sight& sight = view.sight;
  const std::uint32_t* of = a.picture.census;
  for (int row = 0; row < a.layout.height; ++row) {
    for (int column = 0; column < a.layout.width; ++column, ++of) {
      const double side = heightmap::row_times(a.horizon, column, row);
      const heightmap::Vector3 h0 = heightmap::times(sight.h0, column, row);
      const heightmap::Vector3 h1 = heightmap::times(sight.h1, column, row);
      for (int p = 0; p < a.layout.heights + a.lows; ++p) {
        const HeightPlane& plane = a.planes[p];
        const std::int32_t place = is_before(plane, side)
                                       ? heightmap::place_of(h0, h1, plane.height, plane.sign < 0,
                                                             sight.width, sight.height)
                                       : heightmap::kOutside;
        const int bits = place == heightmap::kOutside ? heightmap::kOutsideBits
                                                      : std::popcount(*of ^ view.census[place]);
        result.push_back(static_cast<std::uint8_t>(bits));
      }
    }
  }
  return result;
}

// Adds a window's Hamming distances in one view, for each plane.
void add_window(const HeightCostArguments& a, const std::vector<std::uint8_t>& bits, int column,
                int row, std::vector<int>* sums) {
  const int heights = a.layout.heights;
  const int reach = a.window / 2;
  const auto pixel = [&](int x, int y) { return std::ptrdiff_t{y} * a.layout.width + x; };
  std::fill(sums->begin(), sums->end(), 0);
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const std::ptrdiff_t q = pixel(std::clamp(column + dx, 0, a.layout.width - 1),
                                     std::clamp(row + dy, 0, a.layout.height - 1));
      const int up = a.potential[q] - a.potential[pixel(column, row)];
      const std::uint8_t* at = &bits[static_cast<std::size_t>(q) * sums->size()];
      for (int p = 0; p < heights + a.lows; ++p) {
        (*sums)[static_cast<std::size_t>(p)] +=
            at[p < heights ? std::clamp(p + up, 0, heights - 1) : p];
      }
    }
  }
}

// Appends a pixel's costs: first of the heights, then of `unknown`.
void add_costs(const HeightCostArguments& a, const std::vector<std::vector<std::uint8_t>>& bits,
               int column, int row, std::vector<std::uint8_t>* costs) {
  const auto planes = static_cast<std::size_t>(a.layout.heights + a.lows);
  std::vector<int> all(planes);
  std::vector<int> least(planes, heightmap::kCensusBits * a.window * a.window);
  std::vector<int> sums(planes);
  for (const std::vector<std::uint8_t>& of_view : bits) {
    add_window(a, of_view, column, row, &sums);
    for (std::size_t p = 0; p < planes; ++p) {
      all[p] += sums[p];
      least[p] = std::min(least[p], sums[p]);
    }
  }
  const bool plain =
      reference::is_plain(view_of(a.picture), row, column, heightmap::plain_reach(a.window));
  int best = heightmap::kMaxCost;
  int low = heightmap::kMaxCost + 1;
  for (std::size_t p = 0; p < planes; ++p) {
    int cost = heightmap::window_cost(all[p], least[p], a.views, a.window * a.window);
    if (p < static_cast<std::size_t>(a.layout.heights)) {
      if (plain) cost = std::max<int>(cost, heightmap::kPlainCost);
      best = std::min(best, cost);
      costs->push_back(static_cast<std::uint8_t>(cost));
    } else {
      low = std::min(low, cost);
    }
  }
  const int unknown = heightmap::unknown_cost(low, a.constant, a.bias);
  costs->push_back(
      static_cast<std::uint8_t>(plain ? heightmap::plain_unknown_cost(unknown, best) : unknown));
}

// Computes all costs in the launch of the last band.
void run_costs(const void* arguments) {
  const auto& a = *static_cast<const HeightCostArguments*>(arguments);
  if (a.end_row < a.layout.height || a.end_low < a.lows) return;
  std::vector<std::vector<std::uint8_t>> bits;
  for (int view = 0; view < a.views; ++view) bits.push_back(differences(a, a.sights[view]));
  std::vector<std::uint8_t> costs;
  for (int row = 0; row < a.layout.height; ++row) {
    for (int column = 0; column < a.layout.width; ++column) {
      add_costs(a, bits, column, row, &costs);
    }
  }
  Kept(a.costs, a.layout).put_costs(costs);
}

// Does all iterations so far; the last launch leaves the result.
void run_energy(const void* arguments) {
  const auto& a = *static_cast<const HeightBeliefArguments*>(arguments);
  const Kept kept(a.costs, a.layout);
  const Kept::Head head = kept.head();
  reference::Field field;
  field.width = a.layout.width;
  field.height = a.layout.height;
  field.potential.assign(head.potential,
                         head.potential + std::ptrdiff_t{field.width} * field.height);
  field.costs = kept.costs(a.layout.heights + 1);
  field.edges = kept.edges();
  heightmap::Parameters parameters;
  parameters.min_height = 0;
  parameters.height_step = 1;
  parameters.max_height = a.layout.heights - 1;
  parameters.smoothness = a.smoothness;
  parameters.max_jump = a.max_jump;
  parameters.unknown_jump = a.unknown_jump;
  parameters.edge_jump = a.edge_jump;
  parameters.max_slope = head.max_slope;
  parameters.tolerance = a.tolerance;
  parameters.iterations = a.done;
  const reference::Labelling labelling = reference::propagate(field, parameters);
  std::copy(labelling.labels.begin(), labelling.labels.end(), a.labels);
  *a.report = {labelling.energy, labelling.iterations};
  count_copied_to_host(sizeof(HeightReport));
}

void run_nothing(const void*) {}

}  // namespace

HostKernel find_height_kernel(std::string_view name) {
  if (name == "rdp_height_census") return run_census;
  if (name == "rdp_height_links") return run_links;
  if (name.starts_with("rdp_height_costs_")) return run_costs;
  if (name == "rdp_height_energy") return run_energy;
  const bool others = name == "rdp_height_differences" || name == "rdp_height_labels" ||
                      name.starts_with("rdp_height_send_") ||
                      name.starts_with("rdp_height_exchange_");
  return others ? run_nothing : nullptr;
}
