// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/neighbours.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "common/planes/cell_rules.h"

namespace rdp::planes {
namespace {

constexpr int kSide = 6;  // of a block and a cell around it
constexpr int kMiddle = 1 + kSide + kSide * kSide;

// For each of the 27 surrounding blocks: the place of each cell in the layout; -1: it is too far.
struct Layout {
  std::uint64_t masks[27] = {};  // the cells that are near enough
  std::int16_t places[27][64] = {};
};

constexpr Layout make_layout() {
  Layout layout;
  for (int block = 0; block < 27; ++block) {
    const int step[3] = {block % 3 - 1, block / 3 % 3 - 1, block / 9 - 1};
    for (int bit = 0; bit < 64; ++bit) {
      int place = 0;
      bool near = true;
      for (int k = 2; k >= 0; --k) {
        const int at = 4 * step[k] + (bit >> k & 1) + 2 * (bit >> (k + 3) & 1);
        near = near && at >= -1 && at <= 4;
        place = kSide * place + at;
      }
      layout.places[block][bit] = near ? static_cast<std::int16_t>(place + kMiddle) : -1;
      if (near) layout.masks[block] |= std::uint64_t{1} << bit;
    }
  }
  return layout;
}

constexpr Layout kLayout = make_layout();

constexpr std::array<int, 27> make_steps() {
  std::array<int, 27> steps{};
  for (int i = 0; i < 27; ++i) {
    steps[i] = (i % 3 - 1) + kSide * (i / 3 % 3 - 1) + kSide * kSide * (i / 9 - 1);
  }
  return steps;
}

constexpr std::array<int, 27> kSteps = make_steps();

}  // namespace

void CloudNeighbours::find_blocks(std::span<const PointRun> cells,
                                  std::span<const std::int32_t> owners, const CloudRules& rules) {
  const std::size_t all = std::size_t{1} << std::max(0, 3 * rules.depth - 6);
  if (block_first_.size() < all) {  // grown last: each resize may throw std::bad_alloc
    masks_.resize(all);
    owned_.resize(all);
    block_first_.resize(all);
  }
  for (const Block& block : blocks_) masks_[block.key] = owned_[block.key] = 0;  // previous cloud
  blocks_.clear();
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
    const std::uint32_t key = cells[cell].key >> 6;
    if (blocks_.empty() || blocks_.back().key != key) {
      blocks_.push_back({key, cell, cell});
      block_first_[key] = cell;
    }
    const std::uint64_t bit = std::uint64_t{1} << (cells[cell].key & 63);
    masks_[key] |= bit;
    if (owners[cell] >= 0) owned_[key] |= bit;
    blocks_.back().end = cell + 1;
  }
}

// Returns false if no plane owns a cell here.
bool CloudNeighbours::lay_out(const Block& block, const CloudRules& rules) {
  for (const std::int16_t place : local_used_) local_[place] = -1;
  local_used_.clear();
  const int side = 1 << std::max(0, rules.depth - 2);
  const int x = static_cast<int>(gather_bits(block.key));
  const int y = static_cast<int>(gather_bits(block.key >> 1));
  const int z = static_cast<int>(gather_bits(block.key >> 2));
  for (int i = 0; i < 27; ++i) {
    const int nx = x + i % 3 - 1;
    const int ny = y + i / 3 % 3 - 1;
    const int nz = z + i / 9 - 1;
    if (nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= side) continue;
    const std::uint32_t key =
        morton_key(static_cast<std::uint32_t>(nx), static_cast<std::uint32_t>(ny),
                   static_cast<std::uint32_t>(nz));
    const std::uint64_t mask = masks_[key];
    for (std::uint64_t left = owned_[key] & kLayout.masks[i]; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      const std::uint32_t cell =
          block_first_[key] +
          static_cast<std::uint32_t>(std::popcount(mask & ((std::uint64_t{1} << bit) - 1)));
      const std::int16_t place = kLayout.places[i][bit];
      local_used_.push_back(place);
      local_[place] = static_cast<std::int32_t>(cell);
    }
  }
  return !local_used_.empty();
}

PlaneBorder& CloudNeighbours::border(int p, int q) {
  std::int32_t i = border_of_[p];
  while (i >= 0 && borders_[i].q != q) i = next_border_[i];
  if (i < 0) {
    i = static_cast<std::int32_t>(borders_.size());
    borders_.push_back({p, q, 0, 0});
    next_border_.push_back(border_of_[p]);
    border_of_[p] = i;
  }
  return borders_[i];
}

const double* CloudNeighbours::mean(std::uint32_t cell, std::span<const Moments> moments) {
  double* const mean = means_.data() + std::size_t{3} * cell;
  if (has_mean_[cell] == 0) {
    mean_of(moments[cell], mean);
    has_mean_[cell] = 1;
  }
  return mean;
}

void CloudNeighbours::find(std::span<const PointRun> cells, std::span<const Moments> moments,
                           std::span<const std::int32_t> owners, std::span<const CloudPlane> planes,
                           const CloudRules& rules) {
  find_blocks(cells, owners, rules);
  if (local_.empty()) local_.assign(kSide * kSide * kSide, -1);
  means_.ensure(3 * cells.size());
  has_mean_.assign(cells.size(), 0);
  borders_.clear();
  next_border_.clear();
  border_of_.assign(planes.size(), -1);
  around_.clear();
  first_.resize(cells.size() + 1);
  for (const Block& block : blocks_) {
    const bool any = lay_out(block, rules);
    for (std::uint32_t cell = block.first; cell < block.end; ++cell) {
      const auto first = static_cast<std::uint32_t>(around_.size());
      first_[cell] = first;
      if (!any) continue;
      const std::int32_t* const middle = local_.data() + kLayout.places[13][cells[cell].key & 63];
      const std::int32_t own = owners[cell];
      std::int32_t last = -1;
      for (int i = 0; i < 27; ++i) {
        const std::int32_t near = middle[kSteps[i]];
        if (near < 0) continue;
        const std::int32_t owner = owners[near];
        if (i < 13 && own >= 0 && owner != own) {  // each pair once
          auto a = cell;
          auto b = static_cast<std::uint32_t>(near);
          if (own > owner) std::swap(a, b);
          PlaneBorder& border = this->border(owners[a], owners[b]);
          border.steps += border_step(planes[owners[a]].fit, mean(a, moments),
                                      planes[owners[b]].fit, mean(b, moments));
          ++border.pairs;
        }
        if (owner == last) continue;
        last = owner;
        const auto plane = static_cast<std::uint16_t>(owner);
        if (std::find(around_.begin() + first, around_.end(), plane) == around_.end()) {
          around_.push_back(plane);
        }
      }
    }
  }
  first_[cells.size()] = static_cast<std::uint32_t>(around_.size());
  // Adds pairs of planes that may be one without meeting.
  const auto count = static_cast<int>(planes.size());
  for (int p = 0; p < count; ++p) {
    for (int q = p + 1; q < count; ++q) {
      if (may_be_one_plane(rules, 0, 0, planes[p].fit, planes[q].fit)) border(p, q);
    }
  }
  std::erase_if(borders_, [&](const PlaneBorder& b) {
    return !may_be_one_plane(rules, b.steps, b.pairs, planes[b.p].fit, planes[b.q].fit);
  });
  std::sort(borders_.begin(), borders_.end(), [](const PlaneBorder& a, const PlaneBorder& b) {
    return a.p != b.p ? a.p < b.p : a.q < b.q;
  });
}

}  // namespace rdp::planes
