/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_TESTS_DEEPSTREAM_NVDS_NVDSMETA_H_
#define RDP_TESTS_DEEPSTREAM_NVDS_NVDSMETA_H_

/* Stands in for DeepStream's header of this name where there is none: the declarations that are
 * used here, with the names that DeepStream documents. Layouts are not DeepStream's. */

#include <glib.h>

G_BEGIN_DECLS

#define MAX_ELEMENTS_IN_DISPLAY_META 16

typedef gpointer (*NvDsMetaCopyFunc)(gpointer data, gpointer user_data);
typedef void (*NvDsMetaReleaseFunc)(gpointer data, gpointer user_data);

typedef enum {
  NVDS_INVALID_META = -1,
  NVDS_START_USER_META = 8193,
  NVDS_FORCE32_META = 0x7FFFFFFF
} NvDsMetaType;

typedef struct {
  struct _NvDsBatchMeta* batch_meta;
  NvDsMetaType meta_type;
  void* uContext;
  NvDsMetaCopyFunc copy_func;
  NvDsMetaReleaseFunc release_func;
} NvDsBaseMeta;

typedef struct _NvDsBatchMeta {
  NvDsBaseMeta base_meta;
  guint num_frames_in_batch;
  GList* frame_meta_list;
  GRecMutex meta_mutex;
} NvDsBatchMeta;

typedef struct {
  NvDsBaseMeta base_meta;
  guint pad_index;
  guint batch_id;
  guint64 buf_pts;
  guint source_id;
  guint source_frame_width;
  guint source_frame_height;
  GList* display_meta_list;
  GList* frame_user_meta_list;
  guint pipeline_width;
  guint pipeline_height;
} NvDsFrameMeta;

typedef struct {
  NvDsBaseMeta base_meta;
  void* user_meta_data;
} NvDsUserMeta;

typedef struct {
  double red, green, blue, alpha;
} NvOSD_ColorParams;

typedef struct {
  unsigned x1, y1, x2, y2;
  unsigned line_width;
  NvOSD_ColorParams line_color;
} NvOSD_LineParams;

typedef struct {
  NvDsBaseMeta base_meta;
  guint num_rects;
  guint num_labels;
  guint num_lines;
  guint num_arrows;
  guint num_circles;
  NvOSD_LineParams line_params[MAX_ELEMENTS_IN_DISPLAY_META];
} NvDsDisplayMeta;

void nvds_acquire_meta_lock(NvDsBatchMeta* batch_meta);
void nvds_release_meta_lock(NvDsBatchMeta* batch_meta);
NvDsUserMeta* nvds_acquire_user_meta_from_pool(NvDsBatchMeta* batch_meta);
NvDsDisplayMeta* nvds_acquire_display_meta_from_pool(NvDsBatchMeta* batch_meta);
void nvds_add_user_meta_to_frame(NvDsFrameMeta* frame_meta, NvDsUserMeta* user_meta);
void nvds_add_display_meta_to_frame(NvDsFrameMeta* frame_meta, NvDsDisplayMeta* display_meta);
NvDsMetaType nvds_get_user_meta_type(gchar* meta_descriptor);

G_END_DECLS

#endif /* RDP_TESTS_DEEPSTREAM_NVDS_NVDSMETA_H_ */
