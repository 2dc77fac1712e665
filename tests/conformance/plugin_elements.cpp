// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/entries.h"

namespace conformance {

const std::vector<Element>& elements() {
  static const std::vector<Element> all = [] {
    std::vector<Element> joined;
    for (const auto& entries : {
             entries_of_rdpsegment,
             entries_of_depthalign,
             entries_of_depthfilter,
             entries_of_depthobstacles,
             entries_of_depthplanes,
             entries_of_depthpoints,
             entries_of_depthrvl,
             entries_of_depthstereo,
             entries_of_heightmap,
             entries_of_klttrack,
             entries_of_rdpoverlay,
             entries_of_rdpmotion,
             entries_of_rdpmetaconvert,
             entries_of_transfers,
             entries_of_sources,
#ifdef RDP_TEST_HAVE_MCAP
             entries_of_mcap,
#endif
#ifdef RDP_TEST_HAVE_PNG
             entries_of_pngfoldersrc,
#endif
         }) {
      for (Element& element : entries()) joined.push_back(std::move(element));
    }
    return joined;
  }();
  return all;
}

}  // namespace conformance
