// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_BAND_PAINTER_H_
#define RDP_COMMON_IMAGE_BAND_PAINTER_H_

#include "common/image/row_bands.h"
#include "common/image/thread_pool.h"

namespace rdp {

// Base class of painters on the CPU: spreads the rows of a picture over threads that live as long
// as the object. Pictures are bit-identical for any number of threads.
class BandPainter {
 public:
  BandPainter(const BandPainter&) = delete;
  BandPainter& operator=(const BandPainter&) = delete;

  // 0: one per processor. Throws std::system_error if the system gives fewer; those it gave stay.
  void set_threads(unsigned threads) { pool_.resize(threads == 0 ? usable_processors() : threads); }
  // The number of threads: fewer if no more could be started.
  unsigned threads() const { return pool_.size(); }

 protected:
  explicit BandPainter(unsigned threads) { set_threads(threads); }
  ~BandPainter() = default;

  // Calls paint(first_row, end_row) for bands that make up a picture of this height.
  template <typename Paint>
  void paint_bands(int height, const Paint& paint) {
    constexpr int kRows = 16;
    for_bands(&pool_, height, kRows, paint);
  }

 private:
  ThreadPool pool_;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_BAND_PAINTER_H_
