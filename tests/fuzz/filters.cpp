// SPDX-License-Identifier: LGPL-2.1-or-later
// The filters one by one, at every SIMD target, equal their plain definitions.
#include <string>

#include "common/image/inverse_depth.h"
#include "common/image/join_columns.h"
#include "common/image/median.h"
#include "common/image/simd.h"
#include "common/image/transpose.h"
#include "common/rdp/engine.h"
#include "tests/fuzz/fuzz_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

// Division of a frame's rows in two, as threads do it.
struct Division {
  int row;

  template <typename Work>
  void run(int height, Work work) const {
    work(row, height);
    work(0, row);
  }
};

void check_median(TestFrame* frame, int side, const Division& division, const std::string& target) {
  TestFrame out(frame->view().width, frame->view().height, frame->view().type, {3, 1});
  MedianScratch scratch;
  division.run(frame->view().height, [&](int first, int end) {
    median_rows(frame->view(), side, first, end, out.view(), &scratch);
  });
  const reference::Frame expected = reference::median(frame->view(), side);
  fuzz::check_same(test::first_difference(expected.view(), out.view()),
                   (target + ", median").c_str());
  FUZZ_CHECK(out.intact(), "%s: the median wrote between the rows", target.c_str());
}

void check_inverse(TestFrame* frame, const Parameters& parameters, const Division& division) {
  // Used again with other parameters, as the engine does.
  static InverseDepthTable table;
  table.update(inverse_depth_of(parameters), frame->view().type);
  FUZZ_CHECK(table.size() == max_sample(frame->view().type) + 1, "%zu entries", table.size());
  TestFrame out(frame->view().width, frame->view().height, SampleType::kU16, {5, 3});
  division.run(frame->view().height, [&](int first, int end) {
    inverse_depth_rows(frame->view(), table, first, end, out.view());
  });
  const reference::Frame expected =
      reference::inverse_depth(frame->view(), inverse_depth_of(parameters));
  fuzz::check_same(test::first_difference(expected.view(), out.view()), "inverse depth");
  FUZZ_CHECK(out.intact(), "the inverse depth wrote between the rows");
  for (int r = 0; r < expected.height; ++r) {
    for (int c = 0; c < expected.width; ++c) {
      const bool known = input_known_range(parameters).contains(frame->view().at(r, c));
      FUZZ_CHECK((expected.at(r, c) == 0) == !known, "row %d, column %d", r, c);
    }
  }
}

void check_columns(TestFrame* frame, const Parameters& parameters, int prefetch,
                   const std::string& target) {
  const int width = std::min(frame->view().width, parameters.column_width);
  const std::ptrdiff_t stride = column_stride(frame->view().height);
  GrowBuffer<std::uint16_t> memory;
  const ColumnBlock block{memory.ensure(static_cast<std::size_t>((width + 1) * stride)), stride};
  const KnownRange known = segmented_known_range(parameters, frame->view().type);
  const reference::Frame joined =
      reference::join_columns(frame->view(), known, parameters.column_width);
  for (int group = 0; group < joined.width; ++group) {
    const int first = group * parameters.column_width;
    const int count = std::min(parameters.column_width, frame->view().width - first);
    transpose_columns(frame->view(), first, count, prefetch, block);
    const std::uint16_t* columns[kMaxColumnWidth];
    for (int c = 0; c < count; ++c) {
      columns[c] = block.data + c * stride;
      for (int r = 0; r < frame->view().height; ++r) {
        FUZZ_CHECK(columns[c][r] == frame->view().at(r, first + c),
                   "%s: transposed row %d, column %d", target.c_str(), r, first + c);
      }
    }
    std::uint16_t* out = block.data + (group % 2 == 0 ? width : 0) * stride;
    join_columns(columns, count, frame->view().height, known, out);
    for (int r = 0; r < frame->view().height; ++r) {
      FUZZ_CHECK(out[r] == joined.at(r, group), "%s: joined row %d, column %d is %d, not %d",
                 target.c_str(), r, group, out[r], joined.at(r, group));
    }
  }
}

}  // namespace
}  // namespace rdp

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rdp;
  fuzz::Input input(data, size);
  const Parameters parameters = fuzz::take_parameters(&input);
  const int side = input.flag() ? 3 : 5;
  const int cut = input.byte();
  const int prefetch = input.byte();
  TestFrame frame = fuzz::take_frame(&input, parameters, 2048, 3000);
  const TestFrame before(frame);
  const Division division{cut % (frame.view().height + 1)};
  for (const std::string& target : simd_targets()) {
    FUZZ_CHECK(use_simd_target(target), "no target %s", target.c_str());
    check_median(&frame, side, division, target);
    check_columns(&frame, parameters, prefetch < frame.view().width ? prefetch : -1, target);
  }
  use_simd_target("");
  check_inverse(&frame, parameters, division);
  FUZZ_CHECK(frame.same_samples(before), "a filter wrote into the frame");
  return 0;
}
