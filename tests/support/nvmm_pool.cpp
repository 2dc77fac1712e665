// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/nvmm_frames.h"

G_BEGIN_DECLS

#define TEST_TYPE_NVMM_POOL (test_nvmm_pool_get_type())
G_DECLARE_FINAL_TYPE(TestNvmmPool, test_nvmm_pool, TEST, NVMM_POOL, GstBufferPool)

G_END_DECLS

struct _TestNvmmPool {
  GstBufferPool parent;
  nvmm_frames::Producer* produce;
};

G_DEFINE_TYPE(TestNvmmPool, test_nvmm_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn test_nvmm_pool_alloc_buffer(GstBufferPool* pool, GstBuffer** buffer,
                                                 GstBufferPoolAcquireParams*) {
  *buffer = (*TEST_NVMM_POOL(pool)->produce)();
  return GST_FLOW_OK;
}

static void test_nvmm_pool_finalize(GObject* object) {
  delete TEST_NVMM_POOL(object)->produce;
  G_OBJECT_CLASS(test_nvmm_pool_parent_class)->finalize(object);
}

static void test_nvmm_pool_class_init(TestNvmmPoolClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = test_nvmm_pool_finalize;
  GST_BUFFER_POOL_CLASS(klass)->alloc_buffer = test_nvmm_pool_alloc_buffer;
}

static void test_nvmm_pool_init(TestNvmmPool*) {}

GstBufferPool* nvmm_frames::new_pool(guint most, Producer produce, gsize size) {
  auto* pool = GST_BUFFER_POOL(g_object_new(TEST_TYPE_NVMM_POOL, nullptr));
  gst_object_ref_sink(pool);
  TEST_NVMM_POOL(pool)->produce = new Producer(std::move(produce));
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, nullptr, static_cast<guint>(size), 0, most);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  return pool;
}
