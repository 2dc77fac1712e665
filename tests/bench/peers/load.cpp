// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/peers/load.h"

#include <dlfcn.h>

#include "tests/support/command_line.h"

namespace rdp::bench {

Peer::Peer(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) test::wrong_usage(std::string("--peer: ") + dlerror());
  const auto name = reinterpret_cast<decltype(&rdp_peer_name)>(dlsym(library, "rdp_peer_name"));
  take_ = reinterpret_cast<decltype(&rdp_peer_take_cloud)>(dlsym(library, "rdp_peer_take_cloud"));
  find_ = reinterpret_cast<decltype(&rdp_peer_find_planes)>(dlsym(library, "rdp_peer_find_planes"));
  if (name == nullptr || take_ == nullptr || find_ == nullptr) {
    test::wrong_usage(std::string("--peer: ") + file +
                      " lacks the functions of tests/bench/peers/peer.h: build it with a script "
                      "of that folder");
  }
  name_ = name();
}

void Peer::prepare(const PlanesFrame& frame) {
  const int width = frame.depth.width;
  const std::size_t count = frame.depth.samples.size();
  x_.assign(count, 0.0f);
  y_.assign(count, 0.0f);
  z_.assign(count, 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    Point p;
    if (!point_of_value(static_cast<double>(i % width), static_cast<double>(i / width),
                        frame.depth.samples[i], frame.camera, &p)) {
      continue;
    }
    x_[i] = static_cast<float>(1e3 * p.x);
    y_[i] = static_cast<float>(1e3 * p.y);
    z_[i] = static_cast<float>(1e3 * p.z);
  }
  take_(x_.data(), y_.data(), z_.data(), width, frame.depth.height);
}

void Peer::find(std::vector<std::uint8_t>* labels) const { find_(labels->data()); }

}  // namespace rdp::bench
