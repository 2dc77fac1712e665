// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/palette_range.h"

#include "kernels/rdp/overlay_arguments.h"

namespace rdp::cuda {

PaletteRangeFinder::PaletteRangeFinder(const KernelModule& module)
    : find_(module, "rdp_palette_range") {
  range_.ensure(sizeof(PaletteRange));
}

const PaletteRange* PaletteRangeFinder::find(const DeviceDepthView& frame,
                                             const Parameters& parameters, CUstream stream) {
  const KnownRange known = input_known_range(parameters);
  PaletteRangeArguments find{};
  find.frame = frame.bytes();
  find.pitch = frame.pitch;
  find.width = frame.width;
  find.height = frame.height;
  find.sample_bytes = static_cast<std::uint32_t>(bytes_per_sample(frame.type));
  find.known_first = known.first;
  find.known_last = known.last;
  find.inverse = parameters.domain == Domain::kInverse ? 1 : 0;
  find.inverse_scale = parameters.inverse_scale;
  find.range = range_.as<PaletteRange>();
  LaunchShape one_block;
  one_block.threads = kPaletteRangeThreads;
  find_.start(one_block, stream, find);
  return find.range;
}

}  // namespace rdp::cuda
