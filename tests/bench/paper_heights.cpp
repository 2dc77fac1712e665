// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/paper_heights.h"

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

extern "C" const unsigned char rdp_rivals_fatbin[];

namespace rdp::bench {

using cuda::check;
using cuda::driver;

namespace {

float* upload(const std::vector<float>& numbers, cuda::DeviceBuffer* to) {
  const std::size_t bytes = numbers.size() * sizeof(float);
  check(driver().cuMemcpyHtoDAsync_v2(to->ensure(bytes), numbers.data(), bytes, nullptr),
        "copying what belief propagation starts from");
  check(driver().cuStreamSynchronize(nullptr), "copying what belief propagation starts from");
  return to->as<float>();
}

}  // namespace

PaperHeights::PaperHeights(const HeightField& field, const heightmap::Parameters& parameters,
                           const std::vector<float>& rises)
    : module_(rdp_rivals_fatbin),
      messages_kernel_(module_.kernel("rdp_bench_paper_messages")),
      labels_kernel_(module_.kernel("rdp_bench_paper_labels")),
      pixels_(field.potential.size()) {
  constexpr std::size_t kLabels = kPaperHeights + 1;
  std::vector<float> costs(pixels_ * kPaperLanes);
  for (std::size_t p = 0; p < pixels_; ++p) {
    for (std::size_t l = 0; l < kLabels; ++l) {
      costs[p * kPaperLanes + l] = static_cast<float>(field.costs[p * kLabels + l]);
    }
  }
  arguments_.costs = upload(costs, &costs_);
  arguments_.rises = upload(rises, &rises_);
  messages_.ensure_zeros(pixels_ * kPaperMessages * kPaperLanes * sizeof(float));
  labels_.ensure(pixels_);
  arguments_.messages = messages_.as<float>();
  arguments_.labels = labels_.as<unsigned char>();
  arguments_.width = field.width;
  arguments_.height = field.height;
  arguments_.smoothness = static_cast<float>(parameters.smoothness);
  arguments_.max_jump = static_cast<float>(parameters.max_jump);
  arguments_.unknown_jump = static_cast<float>(parameters.unknown_jump);
}

std::size_t PaperHeights::bytes() const {
  return costs_.size() + rises_.size() + messages_.size() + labels_.size();
}

void PaperHeights::half_iteration(int step, CUstream stream) {
  arguments_.step = step;
  const cuda::LaunchShape shape{static_cast<unsigned>(arguments_.width + 1) / 2,
                                static_cast<unsigned>(arguments_.height), kPaperThreads, 0};
  cuda::launch(messages_kernel_, "rdp_bench_paper_messages", shape, stream, arguments_);
}

void PaperHeights::find_labels(CUstream stream) const {
  constexpr std::size_t kPixels = kPaperThreads / kPaperLanes;  // per block
  const cuda::LaunchShape shape{static_cast<unsigned>((pixels_ + kPixels - 1) / kPixels), 1,
                                kPaperThreads, 0};
  cuda::launch(labels_kernel_, "rdp_bench_paper_labels", shape, stream, arguments_);
}

std::vector<std::uint8_t> PaperHeights::labels_after(int steps, CUstream stream) {
  check(driver().cuMemsetD8Async(messages_.get(), 0, messages_.size(), stream),
        "clearing messages");
  for (int step = 0; step < steps; ++step) half_iteration(step, stream);
  find_labels(stream);
  std::vector<std::uint8_t> labels(pixels_);
  check(driver().cuMemcpyDtoHAsync_v2(labels.data(), labels_.get(), pixels_, stream),
        "copying labels");
  check(driver().cuStreamSynchronize(stream), "copying labels");
  return labels;
}

}  // namespace rdp::bench
