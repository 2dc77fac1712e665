// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/deepstream/rdpdeepstream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/image/palette.h"
#include "tests/deepstream/nvds_standin.h"

namespace {

constexpr unsigned kColumns = 10;
constexpr unsigned kPerColumn = 4;
const float kLow = 100.0F;
const float kHigh = 355.0F;

int references(GstRdpSegmentation* segmentation) {
  return GST_MINI_OBJECT_REFCOUNT_VALUE(segmentation);
}

// 39x20 pixels in columns of 4; the last has 3. In column c, segment i has rows 5i to 5i + 3; the
// last segment ends at 5i + 4. Its mean is kLow + c + 10 i, except for the last but one segment of
// the last column: kHigh.
GstRdpSegmentation* make_segmentation(unsigned per_column = kPerColumn) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = 39;
  info.height = 20;
  info.column_width = 4;
  std::vector<guint32> offsets = {0};
  std::vector<GstRdpSegment> segments;
  for (unsigned column = 0; column < kColumns; ++column) {
    for (unsigned i = 0; i < per_column; ++i) {
      const bool lowest = i + 1 == kPerColumn;
      const bool highest = i + 2 == kPerColumn && column + 1 == kColumns;
      const float mean = highest ? kHigh : kLow + static_cast<float>(column + 10 * i);
      segments.push_back({static_cast<guint16>(5 * i), static_cast<guint16>(5 * i + 3 + lowest),
                          mean - 3, mean + 3});
    }
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  return gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(), segments.data(),
                                  segments.size());
}

class DeepStream : public testing::Test {
 protected:
  void SetUp() override {
    segmentation_ = make_segmentation();
    batch_ = nvds_standin::make_batch(3, 78, 60, 40);
    gst_rdp_deepstream_lines_init(&lines_);
    lines_.column_step = 1;
  }
  void TearDown() override {
    nvds_standin::limit_user_metas(-1);
    nvds_standin::limit_display_metas(-1);
    if (batch_ != nullptr) nvds_standin::destroy_batch(batch_);
    EXPECT_EQ(references(segmentation_), 1);
    EXPECT_EQ(nvds_standin::live(), 0);
    gst_rdp_segmentation_unref(segmentation_);
  }

  NvDsFrameMeta* frame(unsigned number) { return nvds_standin::frame(batch_, number); }
  guint draw(unsigned number) {
    return gst_rdp_deepstream_add_lines(batch_, frame(number), segmentation_, &lines_);
  }
  static std::vector<guint> lines_a_meta(const NvDsFrameMeta* frame) {
    std::vector<guint> counts;
    for (const GList* link = frame->display_meta_list; link != nullptr; link = link->next) {
      counts.push_back(static_cast<const NvDsDisplayMeta*>(link->data)->num_lines);
    }
    return counts;
  }
  static std::vector<NvOSD_LineParams> drawn(const NvDsFrameMeta* frame) {
    std::vector<NvOSD_LineParams> result;
    for (const GList* link = frame->display_meta_list; link != nullptr; link = link->next) {
      const auto* meta = static_cast<const NvDsDisplayMeta*>(link->data);
      EXPECT_EQ(meta->num_rects + meta->num_labels + meta->num_arrows + meta->num_circles, 0U);
      result.insert(result.end(), meta->line_params, meta->line_params + meta->num_lines);
    }
    return result;
  }

  GstRdpSegmentation* segmentation_ = nullptr;
  NvDsBatchMeta* batch_ = nullptr;
  GstRdpDeepStreamLines lines_;
};

void expect_colour(const NvOSD_ColorParams& colour, int entry, double alpha) {
  const rdp::Rgb& wanted = rdp::kPalette[entry];
  EXPECT_EQ(colour.red, wanted.r / 255.0) << "entry " << entry;
  EXPECT_EQ(colour.green, wanted.g / 255.0) << "entry " << entry;
  EXPECT_EQ(colour.blue, wanted.b / 255.0) << "entry " << entry;
  EXPECT_EQ(colour.alpha, alpha);
}

TEST_F(DeepStream, SegmentationOnItsFrame) {
  NvDsUserMeta* meta = gst_rdp_deepstream_add_segmentation(batch_, frame(1), segmentation_);
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(meta->base_meta.meta_type, gst_rdp_deepstream_get_meta_type());
  EXPECT_GE(meta->base_meta.meta_type, NVDS_START_USER_META);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(frame(1)), segmentation_);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(frame(0)), nullptr);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(frame(2)), nullptr);
  EXPECT_EQ(references(segmentation_), 2);
}

TEST_F(DeepStream, FoundAmongOthersMetadata) {
  nvds_acquire_meta_lock(batch_);
  NvDsUserMeta* other = nvds_acquire_user_meta_from_pool(batch_);
  gchar name[] = "SOMEBODY.ELSE.DATA";
  other->base_meta.meta_type = nvds_get_user_meta_type(name);
  nvds_add_user_meta_to_frame(frame(0), other);
  nvds_release_meta_lock(batch_);
  EXPECT_NE(other->base_meta.meta_type, gst_rdp_deepstream_get_meta_type());
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(frame(0)), nullptr);
  gst_rdp_deepstream_add_segmentation(batch_, frame(0), segmentation_);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(frame(0)), segmentation_);
}

TEST_F(DeepStream, CopiesShareTheSegmentation) {
  gst_rdp_deepstream_add_segmentation(batch_, frame(0), segmentation_);
  gst_rdp_deepstream_add_segmentation(batch_, frame(2), segmentation_);
  NvDsBatchMeta* copy = nvds_standin::copy_batch(batch_);
  EXPECT_EQ(references(segmentation_), 5);
  nvds_standin::destroy_batch(batch_);
  batch_ = nullptr;
  EXPECT_EQ(references(segmentation_), 3);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(nvds_standin::frame(copy, 2)), segmentation_);
  NvDsBatchMeta* second = nvds_standin::copy_batch(copy);
  nvds_standin::destroy_batch(copy);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(nvds_standin::frame(second, 0)), segmentation_);
  EXPECT_EQ(references(segmentation_), 3);
  nvds_standin::destroy_batch(second);
}

TEST_F(DeepStream, ReleasedOnce) {
  NvDsUserMeta* meta = gst_rdp_deepstream_add_segmentation(batch_, frame(0), segmentation_);
  // Elements that remove metadata from a frame release it, and the pool releases it again.
  meta->base_meta.release_func(meta, nullptr);
  EXPECT_EQ(references(segmentation_), 1);
  EXPECT_EQ(meta->user_meta_data, nullptr);
}

TEST_F(DeepStream, NoUserMetaLeft) {
  nvds_standin::limit_user_metas(0);
  EXPECT_EQ(gst_rdp_deepstream_add_segmentation(batch_, frame(0), segmentation_), nullptr);
  EXPECT_EQ(frame(0)->frame_user_meta_list, nullptr);
}

TEST_F(DeepStream, SixteenLinesADisplayMeta) {
  EXPECT_EQ(draw(1), kColumns * kPerColumn);
  EXPECT_EQ(lines_a_meta(frame(1)), (std::vector<guint>{16, 16, 8}));
  EXPECT_TRUE(lines_a_meta(frame(0)).empty());
  EXPECT_EQ(references(segmentation_), 1);
}

TEST_F(DeepStream, NoEmptyDisplayMeta) {
  lines_.column_step = 5;
  EXPECT_EQ(draw(0), 8U);
  lines_.column_step = 3;  // columns 0, 3, 6, 9: a display meta exactly
  EXPECT_EQ(draw(1), 16U);
  EXPECT_EQ(lines_a_meta(frame(1)), (std::vector<guint>{16}));
  g_autoptr(GstRdpSegmentation) empty = make_segmentation(0);
  EXPECT_EQ(gst_rdp_deepstream_add_lines(batch_, frame(2), empty, &lines_), 0U);
  EXPECT_TRUE(lines_a_meta(frame(2)).empty());
}

// 39x20 on 78x60: a pixel covers two columns and three rows, centred on the middle row.
TEST_F(DeepStream, LinesFromRowToRow) {
  draw(0);
  const std::vector<NvOSD_LineParams> lines = drawn(frame(0));
  ASSERT_EQ(lines.size(), kColumns * kPerColumn);
  for (unsigned column = 0; column < kColumns; ++column) {
    // Pixels 4c to 4c + 3 have their centre at 4c + 1.5, scaled to 8c + 3.5. The last three have it
    // at 37, scaled to 74.5.
    const unsigned x = column + 1 < kColumns ? 8 * column + 4 : 75;
    for (unsigned i = 0; i < kPerColumn; ++i) {
      const NvOSD_LineParams& line = lines[column * kPerColumn + i];
      EXPECT_EQ(line.x1, x);
      EXPECT_EQ(line.x2, x);
      EXPECT_EQ(line.y1, 15 * i + 1);
      EXPECT_EQ(line.y2, 15 * i + 1 + (i + 1 < kPerColumn ? 9 : 12));
      EXPECT_EQ(line.line_width, 1U);
    }
  }
}

TEST_F(DeepStream, EveryNthColumn) {
  lines_.column_step = 4;
  EXPECT_EQ(draw(0), 3 * kPerColumn);
  const std::vector<NvOSD_LineParams> lines = drawn(frame(0));
  EXPECT_EQ(lines[0].x1, 4U);
  EXPECT_EQ(lines[kPerColumn].x1, 36U);
  EXPECT_EQ(lines[2 * kPerColumn].x1, 68U);
  lines_.column_step = G_MAXUINT;
  EXPECT_EQ(draw(1), kPerColumn);
}

TEST_F(DeepStream, PictureOfAnotherSize) {
  lines_.width = 13;
  lines_.height = 4;
  EXPECT_EQ(draw(0), kColumns * kPerColumn);
  for (const NvOSD_LineParams& line : drawn(frame(0))) {
    EXPECT_LT(line.x1, 13U);
    EXPECT_LT(line.y1, 4U);
    EXPECT_LT(line.y2, 4U);
  }
  // (5.5 + 0.5) / 3 - 0.5, rounded.
  EXPECT_EQ(drawn(frame(0))[kPerColumn].x1, 2U);
  // The last column and row map to the last ones of the picture.
  EXPECT_EQ(drawn(frame(0)).back().x1, 12U);
  EXPECT_EQ(drawn(frame(0)).back().y2, 3U);
}

TEST_F(DeepStream, SizeOfTheSourceWhereThePipelineHasNone) {
  frame(0)->pipeline_width = frame(0)->pipeline_height = 0;
  frame(0)->source_frame_width = 390;
  frame(0)->source_frame_height = 20;
  draw(0);
  EXPECT_EQ(drawn(frame(0))[0].x1, 20U);
  EXPECT_EQ(drawn(frame(0))[0].y2, 3U);
}

TEST_F(DeepStream, ColoursFromTheSmallestToTheLargestValue) {
  lines_.alpha = 0.5;
  lines_.line_width = 3;
  draw(0);
  const std::vector<NvOSD_LineParams> lines = drawn(frame(0));
  // The range has 255 steps, so the palette entry is the distance from kLow.
  expect_colour(lines.front().line_color, 0, 0.5);
  expect_colour(lines[1].line_color, 10, 0.5);
  expect_colour(lines[kPerColumn * 3 + 2].line_color, 23, 0.5);
  expect_colour(lines[lines.size() - 2].line_color, 255, 0.5);
  expect_colour(lines.back().line_color, 39, 0.5);
  EXPECT_EQ(lines.back().line_width, 3U);
}

TEST_F(DeepStream, ColoursOfTheLinesThatAreDrawn) {
  lines_.column_step = 5;  // skips the last column and its far value
  draw(0);
  const std::vector<NvOSD_LineParams> lines = drawn(frame(0));
  expect_colour(lines.front().line_color, 0, 1.0);
  expect_colour(lines.back().line_color, 255, 1.0);
}

TEST_F(DeepStream, ChosenColours) {
  lines_.palette_min = kLow + 20;
  lines_.palette_max = kLow;  // reversed palette
  draw(0);
  const std::vector<NvOSD_LineParams> lines = drawn(frame(0));
  expect_colour(lines[0].line_color, 255, 1.0);
  expect_colour(lines[1].line_color, 128, 1.0);
  expect_colour(lines[2].line_color, 0, 1.0);
  expect_colour(lines[3].line_color, 0, 1.0);  // beyond the end
}

TEST_F(DeepStream, NoDisplayMetaLeft) {
  nvds_standin::limit_display_metas(2);
  EXPECT_EQ(draw(0), 32U);
  EXPECT_EQ(lines_a_meta(frame(0)), (std::vector<guint>{16, 16}));
  EXPECT_EQ(draw(1), 0U);
}

// Misuse by a program is reported, and nothing is added.
class DeepStreamMisuse : public DeepStream {
 protected:
  void SetUp() override {
    DeepStream::SetUp();
    previous_ = g_log_set_default_handler(
        [](const gchar*, GLogLevelFlags level, const gchar*, gpointer data) {
          if ((level & G_LOG_LEVEL_CRITICAL) != 0) ++*static_cast<int*>(data);
        },
        &criticals_);
    fatal_ = g_log_set_always_fatal(static_cast<GLogLevelFlags>(G_LOG_FATAL_MASK));
  }
  void TearDown() override {
    g_log_set_always_fatal(fatal_);
    g_log_set_default_handler(previous_, nullptr);
    DeepStream::TearDown();
  }

  int criticals_ = 0;
  GLogFunc previous_ = nullptr;
  GLogLevelFlags fatal_{};
};

TEST_F(DeepStreamMisuse, Lines) {
  const GstRdpDeepStreamLines good = lines_;
  int wrong = 0;
  const auto refused = [&](auto change) {
    lines_ = good;
    change(lines_);
    EXPECT_EQ(draw(0), 0U);
    EXPECT_EQ(criticals_, ++wrong);
  };
  refused([](auto& lines) { lines.column_step = 0; });
  refused([](auto& lines) { lines.line_width = 0; });
  refused([](auto& lines) { lines.alpha = 1.5; });
  refused([](auto& lines) { lines.alpha = std::nan(""); });
  refused([](auto& lines) { lines.palette_max = HUGE_VAL; });
  lines_ = good;
  frame(0)->pipeline_width = frame(0)->source_frame_width = 0;
  refused([](auto&) {});
  EXPECT_EQ(frame(0)->display_meta_list, nullptr);
}

TEST_F(DeepStreamMisuse, Nothing) {
  EXPECT_EQ(gst_rdp_deepstream_add_segmentation(batch_, frame(0), nullptr), nullptr);
  EXPECT_EQ(gst_rdp_deepstream_add_segmentation(batch_, nullptr, segmentation_), nullptr);
  EXPECT_EQ(gst_rdp_deepstream_get_segmentation(nullptr), nullptr);
  EXPECT_EQ(gst_rdp_deepstream_add_lines(batch_, frame(0), segmentation_, nullptr), 0U);
  EXPECT_EQ(criticals_, 4);
}

}  // namespace

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
