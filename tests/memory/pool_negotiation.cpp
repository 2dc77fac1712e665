// SPDX-License-Identifier: LGPL-2.1-or-later
// Both sides of an allocation query, on queries made by hand.
#include "gst/memory/pool_negotiation.h"

#include <initializer_list>

#include "tests/support/check_test.h"
#include "tests/support/unmappable_memory.h"

using namespace rdp::gst;

namespace {

constexpr char kCaps[] = "video/x-raw,format=GRAY16_LE,width=30,height=20,framerate=30/1";
constexpr guint kSize = 60 * 20;

// A pool whose reaction to a configuration is chosen by the test.
struct MoodyPool {
  GstBufferPool parent;
  gboolean refuses;      // refuses every configuration
  guint enlarges;        // refuses smaller sizes and suggests this one
  guint configurations;  // number of attempts
};
struct MoodyPoolClass {
  GstBufferPoolClass parent_class;
};
GType moody_pool_get_type();
G_DEFINE_TYPE(MoodyPool, moody_pool, GST_TYPE_BUFFER_POOL)

MoodyPool* moody(gpointer pool) { return static_cast<MoodyPool*>(pool); }

gboolean moody_pool_set_config(GstBufferPool* pool, GstStructure* config) {
  ++moody(pool)->configurations;
  GstCaps* caps = nullptr;
  guint size = 0, min = 0, max = 0;
  gst_buffer_pool_config_get_params(config, &caps, &size, &min, &max);
  if (moody(pool)->refuses) return FALSE;
  if (size < moody(pool)->enlarges) {
    gst_buffer_pool_config_set_params(config, caps, moody(pool)->enlarges, min, max);
    return FALSE;
  }
  return GST_BUFFER_POOL_CLASS(moody_pool_parent_class)->set_config(pool, config);
}

void moody_pool_class_init(MoodyPoolClass* klass) {
  GST_BUFFER_POOL_CLASS(klass)->set_config = moody_pool_set_config;
}

void moody_pool_init(MoodyPool*) {}

GstBufferPool* new_moody(gboolean refuses = FALSE, guint enlarges = 0) {
  auto* pool = static_cast<GstBufferPool*>(g_object_new(moody_pool_get_type(), nullptr));
  gst_object_ref_sink(pool);
  moody(pool)->refuses = refuses;
  moody(pool)->enlarges = enlarges;
  return pool;
}

// Accepts only MoodyPool; *made counts the created pools.
PoolKind moody_pools(guint* made) {
  PoolKind kind;
  kind.make = [](gpointer data) {
    ++*static_cast<guint*>(data);
    return new_moody();
  };
  kind.takes = [](GstBufferPool* pool, gpointer) -> bool {
    return G_TYPE_CHECK_INSTANCE_TYPE(pool, moody_pool_get_type());
  };
  kind.data = made;
  return kind;
}

class Query {
 public:
  explicit Query(const char* caps = kCaps, gboolean need_pool = TRUE) {
    GstCaps* parsed = caps == nullptr ? nullptr : gst_caps_from_string(caps);
    query_ = gst_query_new_allocation(parsed, need_pool);
    gst_clear_caps(&parsed);
  }
  ~Query() { gst_query_unref(query_); }
  Query(const Query&) = delete;
  operator GstQuery*() const { return query_; }

  // Adds a pool (transfer full) to the query.
  Query& with(GstBufferPool* pool, guint size, guint min, guint max) {
    gst_query_add_allocation_pool(query_, pool, size, min, max);
    gst_clear_object(&pool);
    return *this;
  }

 private:
  GstQuery* query_;
};

// The first pool of a query.
struct Proposed {
  explicit Proposed(GstQuery* query) {
    fail_unless_equals_int(gst_query_get_n_allocation_pools(query), 1);
    gst_query_parse_nth_allocation_pool(query, 0, &pool, &size, &min, &max);
  }
  ~Proposed() { gst_clear_object(&pool); }
  Proposed(const Proposed&) = delete;

  GstBufferPool* pool = nullptr;
  guint size = 0;
  guint min = 0;
  guint max = 0;
};

// The configuration of a pool.
struct Config {
  explicit Config(GstBufferPool* pool) : structure(gst_buffer_pool_get_config(pool)) {
    gst_buffer_pool_config_get_params(structure, &caps, &size, &min, &max);
    gst_buffer_pool_config_get_allocator(structure, &allocator, &params);
  }
  ~Config() { gst_structure_free(structure); }
  Config(const Config&) = delete;
  bool has(const char* option) const {
    return gst_buffer_pool_config_has_option(structure, option) != FALSE;
  }

  GstStructure* structure;
  GstCaps* caps = nullptr;
  guint size = 0;
  guint min = 0;
  guint max = 0;
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
};

// Decides; fails unless the pool, its configuration and the query agree.
GstBufferPool* decide(GstQuery* query, const PoolNeeds& needs, guint size, guint min, guint max) {
  std::string reason;
  GstBufferPool* pool = decide_pool(query, needs, &reason);
  fail_unless(pool != nullptr, "%s", reason.c_str());
  fail_unless(reason.empty());
  const Proposed proposed(query);
  fail_unless(proposed.pool == pool);
  fail_unless_equals_int(proposed.size, size);
  fail_unless_equals_int(proposed.min, min);
  fail_unless_equals_int(proposed.max, max);
  const Config config(pool);
  fail_unless_equals_int(config.size, size);
  fail_unless_equals_int(config.min, min);
  fail_unless_equals_int(config.max, max);
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  fail_unless(gst_caps_is_equal(config.caps, caps));
  // Configuration by the base class from the query changes nothing.
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  if (gst_query_get_n_allocation_params(query) > 0) {
    gst_query_parse_nth_allocation_param(query, 0, &allocator, &params);
  }
  fail_unless(config.allocator == allocator);
  GstStructure* again = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(again, caps, proposed.size, proposed.min, proposed.max);
  gst_buffer_pool_config_set_allocator(again, allocator, &params);
  fail_unless(gst_structure_is_equal(again, config.structure));
  gst_structure_free(again);
  gst_clear_object(&allocator);
  return pool;
}

void drop(GstBufferPool* pool) {
  fail_if(gst_buffer_pool_is_active(pool));
  gst_object_unref(pool);
}

}  // namespace

CHECK_TEST(test_nothing_proposed) {
  const Query query;
  GstBufferPool* pool = decide(query, {}, kSize, 0, 0);
  fail_unless(GST_IS_VIDEO_BUFFER_POOL(pool));
  const Config config(pool);
  fail_if(config.has(GST_BUFFER_POOL_OPTION_VIDEO_META));
  drop(pool);
}

CHECK_TEST(test_downstreams_pool) {
  for (const guint size : {0U, kSize, 4000U}) {
    g_autoptr(GstBufferPool) theirs = new_moody();
    Query query;
    query.with(static_cast<GstBufferPool*>(gst_object_ref(theirs)), size, 3, 7);
    guint made = 0;
    PoolNeeds needs;
    needs.kind = moody_pools(&made);
    GstBufferPool* pool = decide(query, needs, MAX(size, kSize), 3, 7);
    fail_unless(pool == theirs);
    fail_unless_equals_int(made, 0);
    drop(pool);
  }
}

// Our own pool keeps downstream's minimum number of buffers, but not its pool's maximum.
CHECK_TEST(test_a_pool_that_does_not_fit_is_replaced) {
  for (const bool of_kind : {true, false}) {
    Query query;
    query.with(of_kind ? new_moody(TRUE) : gst_buffer_pool_new(), 4000, 3, 7);
    guint made = 0;
    PoolNeeds needs;
    needs.kind = moody_pools(&made);
    GstBufferPool* pool = decide(query, needs, kSize, 3, 0);
    fail_unless_equals_int(made, 1);
    drop(pool);
  }
  // Size, minimum and maximum without a pool.
  Query query;
  query.with(nullptr, 4000, 2, 5);
  drop(decide(query, {}, kSize, 2, 0));
}

// A pool may refuse a configuration and suggest another.
CHECK_TEST(test_a_pool_that_bargains) {
  g_autoptr(GstBufferPool) theirs = new_moody(FALSE, 5000);
  Query query;
  query.with(static_cast<GstBufferPool*>(gst_object_ref(theirs)), kSize, 1, 2);
  GstBufferPool* pool = decide(query, {}, 5000, 1, 2);
  fail_unless(pool == theirs);
  fail_unless_equals_int(moody(pool)->configurations, 2);
  drop(pool);
}

// Downstream may propose a pool that is already in use.
CHECK_TEST(test_a_pool_in_use) {
  g_autoptr(GstBufferPool) theirs = gst_video_buffer_pool_new();
  for (int turn = 0; turn < 2; ++turn) {
    Query query;
    query.with(static_cast<GstBufferPool*>(gst_object_ref(theirs)), kSize, 1, 4);
    g_autoptr(GstBufferPool) pool = decide(query, {}, kSize, 1, 4);
    fail_unless(pool == theirs);
    fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  }
  gst_buffer_pool_set_active(theirs, FALSE);
}

CHECK_TEST(test_padding) {
  for (const bool theirs : {false, true}) {
    for (const bool wish : {false, true}) {
      Query query;
      GstStructure* padding = gst_structure_new("video-meta", "padding-bottom", G_TYPE_UINT, 3,
                                                "stride-align0", G_TYPE_UINT, 63, nullptr);
      gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, wish ? padding : nullptr);
      gst_structure_free(padding);
      if (theirs) query.with(gst_video_buffer_pool_new(), kSize, 0, 0);
      GstBufferPool* pool = decide(query, {}, wish ? 64 * 23 : kSize, 0, 0);
      const Config config(pool);
      fail_unless(config.has(GST_BUFFER_POOL_OPTION_VIDEO_META));
      fail_unless(config.has(GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT) == wish);
      drop(pool);
    }
  }
  // A pool without the option GstVideoMeta is not configured with it.
  Query query;
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  query.with(gst_buffer_pool_new(), kSize, 0, 0);
  GstBufferPool* pool = decide(query, {}, kSize, 0, 0);
  fail_if(Config(pool).has(GST_BUFFER_POOL_OPTION_VIDEO_META));
  drop(pool);
}

// The allocator of a pool, and its alignment.
CHECK_TEST(test_allocators) {
  g_autoptr(GstAllocator) theirs = new_unmappable_allocator();
  g_autoptr(GstAllocator) ours = new_unmappable_allocator();
  for (const bool own_memory : {false, true}) {
    for (const bool any : {false, true}) {
      for (GstAllocator* const named : {static_cast<GstAllocator*>(nullptr), theirs}) {
        if (named != nullptr && !any) continue;
        for (GstAllocator* const instead : {static_cast<GstAllocator*>(nullptr), ours}) {
          const Query query;
          GstAllocationParams params;
          gst_allocation_params_init(&params);
          params.align = 63;
          if (any) gst_query_add_allocation_param(query, named, &params);
          PoolNeeds needs;
          needs.kind.own_memory = own_memory;
          needs.allocator = instead;
          GstBufferPool* pool = decide(query, needs, kSize, 0, 0);
          const Config config(pool);
          GstAllocator* const wanted = own_memory ? nullptr : named != nullptr ? named : instead;
          fail_unless(config.allocator == wanted);
          fail_unless_equals_uint64(config.params.align, any && !own_memory ? 63 : 0);
          drop(pool);
        }
      }
    }
  }
}

// Buffers other than video have the size that the element asks for.
CHECK_TEST(test_a_size_of_ones_own) {
  const Query query("application/x-test");
  guint made = 0;
  PoolNeeds needs;
  needs.kind = moody_pools(&made);
  needs.size = 77;
  drop(decide(query, needs, 77, 0, 0));
}

CHECK_TEST(test_no_pool) {
  PoolKind none;
  none.make = [](gpointer) -> GstBufferPool* { return nullptr; };
  PoolKind refusing;
  refusing.make = [](gpointer) { return new_moody(TRUE); };
  struct Case {
    const char* caps;
    PoolKind kind;
    const char* part;
  };
  const Case cases[] = {
      {nullptr, rdp::gst::video_pools(), "the size of a buffer is not known for no caps"},
      {"application/x-test", rdp::gst::video_pools(), "is not known for application/x-test"},
      {kCaps, none, "there is no pool for video/x-raw"},
      {kCaps, refusing, "moodypool"},
  };
  for (const Case& bad : cases) {
    Query query(bad.caps);
    query.with(new_moody(TRUE), 4000, 3, 7);
    std::string reason;
    PoolNeeds needs;
    needs.kind = bad.kind;
    fail_unless(decide_pool(query, needs, &reason) == nullptr);
    fail_unless(reason.find(bad.part) != std::string::npos, "%s", reason.c_str());
    const Proposed proposed(query);
    fail_unless(proposed.size == 4000 && proposed.min == 3 && proposed.max == 7);
    fail_unless(G_TYPE_CHECK_INSTANCE_TYPE(proposed.pool, moody_pool_get_type()));
  }
}

// --- answers ------------------------------------------------------------------------------------

CHECK_TEST(test_offers) {
  std::string reason;
  guint made = 0;
  const PoolKind kind = moody_pools(&made);
  {
    const Query unwanted(kCaps, FALSE);
    fail_unless(offer_pool(unwanted, kind, nullptr, &reason));
    fail_unless_equals_int(gst_query_get_n_allocation_pools(unwanted), 0);
  }
  {
    const Query query;
    fail_unless(offer_pool(query, kind, nullptr, &reason));
    const Proposed proposed(query);
    fail_unless_equals_int(proposed.size, kSize);
    fail_unless_equals_int(proposed.min, 0);
    fail_unless_equals_int(proposed.max, 0);
    fail_unless_equals_int(Config(proposed.pool).size, kSize);
    fail_unless_equals_int(made, 1);
    fail_if(gst_buffer_pool_is_active(proposed.pool));
  }
  {  // Downstream's pool is of the kind: it stays.
    Query query;
    GstBufferPool* theirs = new_moody();
    query.with(theirs, 4000, 3, 7);
    fail_unless(offer_pool(query, kind, nullptr, &reason));
    const Proposed proposed(query);
    fail_unless(proposed.pool == theirs && proposed.size == 4000);
    fail_unless_equals_int(moody(theirs)->configurations, 0);
    fail_unless_equals_int(made, 1);
  }
  {  // Downstream's pool is of another kind: it is replaced.
    Query query;
    query.with(gst_buffer_pool_new(), 4000, 3, 7);
    fail_unless(offer_pool(query, kind, nullptr, &reason));
    const Proposed proposed(query);
    fail_unless_equals_int(made, 2);
    fail_unless(proposed.size == kSize && proposed.min == 3 && proposed.max == 7);
  }
  {  // The pool's memory is from an allocator, its buffers may have any layout.
    const Query query;
    g_autoptr(GstAllocator) allocator = new_unmappable_allocator();
    fail_unless(offer_pool(query, rdp::gst::video_pools(), allocator, &reason));
    const Proposed proposed(query);
    const Config config(proposed.pool);
    fail_unless(config.allocator == allocator);
    fail_unless(config.has(GST_BUFFER_POOL_OPTION_VIDEO_META));
  }
  fail_unless(reason.empty(), "%s", reason.c_str());
}

CHECK_TEST(test_nothing_to_offer) {
  PoolKind none;
  none.make = [](gpointer) -> GstBufferPool* { return nullptr; };
  for (const char* caps : {static_cast<const char*>(nullptr), "application/x-test", kCaps}) {
    std::string reason;
    const Query query(caps);
    fail_if(offer_pool(query, none, nullptr, &reason));
    fail_if(reason.empty());
    fail_unless_equals_int(gst_query_get_n_allocation_pools(query), 0);
  }
}

CHECK_TEST(test_offered_allocators) {
  g_autoptr(GstAllocator) allocator = new_unmappable_allocator();
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  params.align = 31;
  for (const bool any : {false, true}) {
    const Query query;
    if (any) gst_query_add_allocation_param(query, nullptr, &params);
    fail_unless(rdp::gst::lacks_allocator(query));
    rdp::gst::offer_allocator(query, allocator);
    fail_if(rdp::gst::lacks_allocator(query));
    fail_unless_equals_int(gst_query_get_n_allocation_params(query), 1);
    g_autoptr(GstAllocator) offered = nullptr;
    GstAllocationParams alignment;
    gst_query_parse_nth_allocation_param(query, 0, &offered, &alignment);
    fail_unless(offered == allocator);
    fail_unless_equals_uint64(alignment.align, any ? 31 : 0);
  }
  Query pooled;
  pooled.with(gst_buffer_pool_new(), kSize, 0, 0);
  fail_if(rdp::gst::lacks_allocator(pooled));
}

CHECK_TEST(test_offered_metas) {
  const Query query;
  GstStructure* wish = gst_structure_new("video-meta", "padding-top", G_TYPE_UINT, 1, nullptr);
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, wish);
  gst_structure_free(wish);
  for (int turn = 0; turn < 2; ++turn) {
    rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
    fail_unless_equals_int(gst_query_get_n_allocation_metas(query), 2);
  }
  guint index = 0;
  fail_unless(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, &index));
  const GstStructure* kept = nullptr;
  gst_query_parse_nth_allocation_meta(query, index, &kept);
  fail_unless(kept != nullptr);
}

CHECK_CASE(pool_negotiation)
