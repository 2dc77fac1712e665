/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells ThreadSanitizer what GLib and GStreamer synchronise. Debian's builds of both are not
 * instrumented, and on Linux GMutex and GCond wait on futexes that the sanitizer does not see:
 * without this, whatever a GMutex protects looks like a race. It is loaded in front of both
 * (LD_PRELOAD), does what is asked and says which object orders whom: __tsan_release() publishes
 * what its thread did so far, __tsan_acquire() takes that over. It hides no race of code that does
 * not use these functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>

/* Of the sanitizer's runtime. Weak: programs without it are loaded with this file, too, and
 * GObject's own initialisation locks mutexes in them. */
extern void __tsan_acquire(void* object) __attribute__((weak));
extern void __tsan_release(void* object) __attribute__((weak));

static inline void acquire(void* object) {
  if (__tsan_acquire != NULL) __tsan_acquire(object);
}
static inline void release(void* object) {
  if (__tsan_release != NULL) __tsan_release(object);
}

/* The function that would have been called. Looked up each time: a cached pointer would itself need
 * synchronisation. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void g_mutex_lock(GMutex* mutex) {
  NEXT(g_mutex_lock)(mutex);
  acquire(mutex);
}

gboolean g_mutex_trylock(GMutex* mutex) {
  gboolean locked = NEXT(g_mutex_trylock)(mutex);

  if (locked) acquire(mutex);
  return locked;
}

void g_mutex_unlock(GMutex* mutex) {
  release(mutex);
  NEXT(g_mutex_unlock)(mutex);
}

void g_cond_wait(GCond* cond, GMutex* mutex) {
  release(mutex);
  NEXT(g_cond_wait)(cond, mutex);
  acquire(mutex);
}

gboolean g_cond_wait_until(GCond* cond, GMutex* mutex, gint64 end_time) {
  gboolean signalled;

  release(mutex);
  signalled = NEXT(g_cond_wait_until)(cond, mutex, end_time);
  acquire(mutex);
  return signalled;
}

void(g_once_init_leave)(volatile void* location, gsize result) {
  release((void*)location);
  ((void (*)(volatile void*, gsize))dlsym(RTLD_NEXT, "g_once_init_leave"))(location, result);
}

/* Queues: what is pushed is ordered before what pops it. */
void g_async_queue_push(GAsyncQueue* queue, gpointer data) {
  release(queue);
  NEXT(g_async_queue_push)(queue, data);
}

gpointer g_async_queue_pop(GAsyncQueue* queue) {
  gpointer data = NEXT(g_async_queue_pop)(queue);

  acquire(queue);
  return data;
}

gpointer g_async_queue_try_pop(GAsyncQueue* queue) {
  gpointer data = NEXT(g_async_queue_try_pop)(queue);

  acquire(queue);
  return data;
}

gpointer g_async_queue_timeout_pop(GAsyncQueue* queue, guint64 timeout) {
  gpointer data = NEXT(g_async_queue_timeout_pop)(queue, timeout);

  acquire(queue);
  return data;
}

gboolean gst_bus_post(GstBus* bus, GstMessage* message) {
  release(bus);
  return NEXT(gst_bus_post)(bus, message);
}

GstMessage* gst_bus_timed_pop_filtered(GstBus* bus, GstClockTime timeout, GstMessageType types) {
  GstMessage* message = NEXT(gst_bus_timed_pop_filtered)(bus, timeout, types);

  acquire(bus);
  return message;
}

/* Reference counts: the last one to let go comes after all others. Who is not the last counts down
 * here, so that it has published its work before anybody can see the smaller count. */
void gst_mini_object_unref(GstMiniObject* object) {
  gint count = g_atomic_int_get(&object->refcount);

  while (count > 1) {
    release(object);
    if (g_atomic_int_compare_and_exchange(&object->refcount, count, count - 1)) return;
    count = g_atomic_int_get(&object->refcount);
  }
  acquire(object);
  release(object); /* for who gets it from a pool next */
  NEXT(gst_mini_object_unref)(object);
}

/* What GStreamer counts down inside itself does not come by here. Where that may be the last count
 * of a buffer, one more is held until it can be given up above. */
gboolean gst_mini_object_replace(GstMiniObject** place, GstMiniObject* object) {
  GstMiniObject* old = *place != NULL ? gst_mini_object_ref(*place) : NULL;
  gboolean replaced = NEXT(gst_mini_object_replace)(place, object);

  if (old != NULL) gst_mini_object_unref(old);
  return replaced;
}

void gst_buffer_list_remove(GstBufferList* list, guint first, guint length) {
  GstBuffer** held = g_new(GstBuffer*, length);
  guint i;

  for (i = 0; i < length; i++) held[i] = gst_buffer_ref(gst_buffer_list_get(list, first + i));
  NEXT(gst_buffer_list_remove)(list, first, length);
  for (i = 0; i < length; i++) gst_buffer_unref(held[i]);
  g_free(held);
}

/* Counts that are private to GObject: the same in the order in which it nearly always happens. */

void(g_object_unref)(gpointer object) {
  release(object);
  acquire(object);
  ((void (*)(gpointer))dlsym(RTLD_NEXT, "g_object_unref"))(object);
}

void gst_object_unref(gpointer object) {
  release(object);
  acquire(object);
  NEXT(gst_object_unref)(object);
}

/* Pools keep what nobody uses in queues without locks. */
GstFlowReturn gst_buffer_pool_acquire_buffer(GstBufferPool* pool, GstBuffer** buffer,
                                             GstBufferPoolAcquireParams* params) {
  GstFlowReturn result = NEXT(gst_buffer_pool_acquire_buffer)(pool, buffer, params);

  acquire(pool);
  if (result == GST_FLOW_OK) acquire(*buffer);
  return result;
}

void gst_buffer_pool_release_buffer(GstBufferPool* pool, GstBuffer* buffer) {
  release(pool);
  NEXT(gst_buffer_pool_release_buffer)(pool, buffer);
}
