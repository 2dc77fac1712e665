// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_ENTRIES_H_
#define RDP_TESTS_CONFORMANCE_ENTRIES_H_

#include <vector>

#include "tests/conformance/element.h"

// The entries of each element in the table. An element with several modes has several entries.
namespace conformance {

std::vector<Element> entries_of_rdpsegment();
std::vector<Element> entries_of_depthalign();
std::vector<Element> entries_of_depthfilter();
std::vector<Element> entries_of_depthobstacles();
std::vector<Element> entries_of_depthplanes();
std::vector<Element> entries_of_depthpoints();
std::vector<Element> entries_of_depthrvl();
std::vector<Element> entries_of_depthstereo();
std::vector<Element> entries_of_heightmap();
std::vector<Element> entries_of_klttrack();
std::vector<Element> entries_of_rdpoverlay();
std::vector<Element> entries_of_rdpmetaconvert();
std::vector<Element> entries_of_rdpmotion();
std::vector<Element> entries_of_transfers();
std::vector<Element> entries_of_sources();
std::vector<Element> entries_of_mcap();          // with zlib
std::vector<Element> entries_of_pngfoldersrc();  // with libpng

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_ENTRIES_H_
