// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_KERNEL_TABLE_H_
#define RDP_KERNELS_RUNTIME_KERNEL_TABLE_H_

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// A kernel as a table names it.
struct KernelRow {
  constexpr KernelRow() = default;
  constexpr KernelRow(const char* of, unsigned shared = 0) : name(of), max_shared_bytes(shared) {}

  const char* name = nullptr;  // null behind the last one
  unsigned max_shared_bytes = 0;
};

// A module and its kernels.
struct ModuleRow {
  const unsigned char* fat_binary;
  KernelRow kernels[10] = {};
};

// Placeholder in a table, replaced by shared_of_owner of the KernelTable.
inline constexpr unsigned kSharedOfOwner = ~0U;

// The kernels of an engine, loaded into the context that is current when the object is made. The
// engine names them once, in a constant table, and asks for them by name:
//   struct Modules {
//     static constexpr ModuleRow kRows[] = {{rdp_a_fatbin, {"rdp_a_first", "rdp_a_second"}}, …};
//   };
//   KernelTable<Modules> kernels;
//   kernels["rdp_a_second"].start (…);
// Modules is a type of the engine's own, in its unnamed namespace: GCC 14 gives members of
// templates of such arrays one name in all files, so that the engines would share one constructor.
// A name that the table does not have is an error of the compiler, and nothing is looked up at run
// time. Throws CudaError, as KernelModule does.
template <typename Modules>
class KernelTable {
 public:
  // The place of a kernel in the table.
  class Place {
   public:
    consteval Place(const char* name) : value_(place_of(name)) {}

   private:
    friend KernelTable;
    std::size_t value_;
  };

  explicit KernelTable(unsigned shared_of_owner = 0) {
    for (const ModuleRow& row : Modules::kRows) {
      modules_.push_back(std::make_unique<KernelModule>(row.fat_binary));
      for (const KernelRow& kernel : row.kernels) {
        if (kernel.name == nullptr) break;
        const bool fixed = kernel.max_shared_bytes != kSharedOfOwner;
        kernels_.emplace_back(*modules_.back(), kernel.name,
                              fixed ? kernel.max_shared_bytes : shared_of_owner);
      }
    }
  }

  const Kernel& operator[](Place place) const { return kernels_[place.value_]; }

 private:
  static constexpr std::size_t place_of(std::string_view name) {
    std::size_t place = 0;
    for (const ModuleRow& row : Modules::kRows) {
      for (const KernelRow& kernel : row.kernels) {
        if (kernel.name == nullptr) break;
        if (name == kernel.name) return place;
        ++place;
      }
    }
    throw "the table has no kernel of this name";
  }

  std::vector<std::unique_ptr<KernelModule>> modules_;
  std::vector<Kernel> kernels_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_KERNEL_TABLE_H_
