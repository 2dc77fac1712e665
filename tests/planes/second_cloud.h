// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_CLOUD_H_
#define RDP_TESTS_PLANES_SECOND_CLOUD_H_

#include <cstdint>
#include <vector>

#include "common/planes/clouds/cloud.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// A second implementation of plane detection in point clouds, written from
// docs/internals/planes-definition-clouds.md alone. It uses the parts of the one for frames
// (tests/planes/second_definition.h) that the page uses.
namespace rdp::test {

planes::PlaneSet second_cloud_planes(const planes::CloudView& cloud,
                                     const planes::Parameters& parameters,
                                     std::vector<std::uint8_t>* labels);

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_SECOND_CLOUD_H_
