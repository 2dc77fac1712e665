// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PEERS_LOAD_H_
#define RDP_TESTS_BENCH_PEERS_LOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/accuracy/planes_frames.h"
#include "tests/bench/peers/peer.h"

// Other finders of planes, out of shared libraries that the scripts beside this file build.
namespace rdp::bench {

class Peer {
 public:
  // Stays loaded until the program ends. Ends it where the library cannot be used.
  explicit Peer(const char* file);

  const std::string& name() const { return name_; }
  // Makes the points of a frame and hands them over. This is not timed.
  void prepare(const PlanesFrame& frame);
  // Of the frame that was prepared.
  void find(std::vector<std::uint8_t>* labels) const;

 private:
  std::string name_;
  decltype(&rdp_peer_take_cloud) take_ = nullptr;
  decltype(&rdp_peer_find_planes) find_ = nullptr;
  std::vector<float> x_, y_, z_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_PEERS_LOAD_H_
