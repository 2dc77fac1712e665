// SPDX-License-Identifier: LGPL-2.1-or-later
// The CUDA context of an element: its source, its announcement to other elements, and its release.
#include <thread>

#include "tests/conformance/stream.h"
#include "tests/support/cuda_frames.h"

namespace conformance {
namespace {

using cuda_frames::ContextRef;

struct GstContextUnref {
  void operator()(GstContext* context) const { gst_context_unref(context); }
};
using GivenContext = std::unique_ptr<GstContext, GstContextUnref>;

GivenContext given_of(const ContextRef& context) {
  return GivenContext(gst_context_new_cuda_context(context.get()));
}

// The context that a pad announces, without a reference; null: none.
GstCudaContext* context_of(GstPad* pad) {
  GstQuery* query = gst_query_new_context(GST_CUDA_CONTEXT_TYPE);
  GstCudaContext* result = nullptr;
  if (gst_pad_query(pad, query)) {
    GstContext* context = nullptr;
    gst_query_parse_context(query, &context);
    gst_structure_get(gst_context_get_structure(context), GST_CUDA_CONTEXT_TYPE,
                      GST_TYPE_CUDA_CONTEXT, &result, nullptr);
    gst_object_unref(result);  // the element holds a reference
  }
  gst_query_unref(query);
  return result;
}

GstCudaContext* context_of_src(Stream& stream) {
  g_autoptr(GstPad) pad = gst_element_get_static_pad(stream.element, "src");
  return context_of(pad);
}

// Checks the announced context of all pads.
void check_told(Stream& stream, GstCudaContext* wanted, const std::string& what) {
  for (const GList* item = stream.element->pads; item != nullptr; item = item->next) {
    fail_unless(context_of(GST_PAD(item->data)) == wanted, "%s: %s: %s", stream.of().name.c_str(),
                what.c_str(), GST_OBJECT_NAME(item->data));
  }
}

void use_gpu(Stream& stream) {
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(stream.element), "backend") != nullptr) {
    gst_util_set_object_arg(G_OBJECT(stream.element), "backend", "cuda");
  }
}

// A context from the application is used, announced on all pads, kept for the next start, and
// released.
void given(const Element& element) {
  const Film film(element);
  const ContextRef context = cuda_frames::new_context();
  {
    Stream stream(film, true);
    use_gpu(stream);
    const GivenContext given = given_of(context);
    gst_element_set_context(stream.element, given.get());
    for (int start = 0; start < 2; ++start) {
      check_told(stream, nullptr, "stopped");
      fail_unless(gst_element_set_state(stream.element, GST_STATE_PAUSED) !=
                  GST_STATE_CHANGE_FAILURE);
      check_told(stream, context.get(), "started");
      gst_element_set_state(stream.element, GST_STATE_NULL);
    }
  }
  ASSERT_OBJECT_REFCOUNT(context.get(), "context", 1);
}

// The element asks once, waits, and accepts the answer from another thread.
void asked_for(const Element& element) {
  struct Application {
    GstElement* element;
    GstContext* given;
    int asked = 0;
  };
  const Film film(element);
  Stream stream(film);
  use_gpu(stream);
  const ContextRef context = cuda_frames::new_context();
  const GivenContext given = given_of(context);
  Application application{stream.element, given.get()};
  gst_bus_set_sync_handler(
      stream.bus,
      [](GstBus*, GstMessage* message, gpointer data) {
        auto* self = static_cast<Application*>(data);
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_NEED_CONTEXT) {
          ++self->asked;
          std::thread([self] { gst_element_set_context(self->element, self->given); }).join();
        }
        gst_message_unref(message);
        return GST_BUS_DROP;
      },
      &application, nullptr);
  fail_unless(gst_element_set_state(stream.element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  fail_unless_equals_int(application.asked, 1);
  fail_unless(context_of_src(stream) == context.get());
  gst_element_set_state(stream.element, GST_STATE_NULL);
  gst_bus_set_sync_handler(stream.bus, nullptr, nullptr, nullptr);
}

// Pushes one frame in this context on all inputs.
void push_in(Stream& stream, const ContextRef& context, guint64 number) {
  const Film& film = stream.film();
  for (std::size_t i = 0; i < film.element.inputs.size(); ++i) {
    std::string reason;
    const Content& content = film.contents(number)[i];
    GstBuffer* buffer = content.shape.format == GST_VIDEO_FORMAT_RGBA || film.element.pictures
                            ? rdp::test::new_cuda_buffer(context.get(), content, &reason)
                            : frames::new_buffer(content);
    fail_unless(buffer != nullptr, "%s", reason.c_str());
    fail_unless_equals_int(stream.push(i, film.finish(buffer, i, number)), GST_FLOW_OK);
  }
  fail_unless(stream.await(number + 1), "%s", stream.said.text().c_str());
  fail_unless(stream.main.complaint().empty(), "%s", stream.main.complaint().c_str());
}

bool await_sides(Stream& stream, guint64 frames) {
  for (std::size_t side = 0; side < stream.of().sides.size(); ++side) {
    if (stream.side(side)->count_after(frames) < frames) return false;
  }
  return true;
}

// Frames determine the context, even if it changes in mid-stream. Results of earlier frames remain
// readable.
void of_frames(const Element& element) {
  const Film film(element);
  std::vector<GstBuffer*> outputs;
  Stream stream(film, true);
  stream.look = [&](GstBuffer* buffer, guint64) {
    outputs.push_back(gst_buffer_ref(buffer));
    return std::string();
  };
  // The context of each frame, which its pictures must share.
  std::vector<GstCudaContext*> contexts;
  for (std::size_t side = 0; side < element.sides.size(); ++side) {
    stream.side(side)->look = [&, looks = stream.side(side)->look](GstBuffer* buffer, guint64 nth) {
      GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
      const bool elsewhere = gst_is_cuda_memory(memory) && GST_CUDA_MEMORY_CAST(memory)->context !=
                                                               contexts.at(number_of(buffer));
      return elsewhere ? std::string("a picture in another context") : looks(buffer, nth);
    };
  }
  fail_unless(stream.start() && stream.begin());
  const ContextRef first = cuda_frames::new_context();
  guint64 number = 0;
  {
    const ContextRef second = cuda_frames::new_context();
    for (const ContextRef* context : {&first, &first, &second, &first}) {
      contexts.push_back(context->get());
      push_in(stream, *context, number++);
      fail_unless(await_sides(stream, number));
      fail_unless(context_of_src(stream) == context->get(), "%s: frame %d", element.name.c_str(),
                  static_cast<int>(number) - 1);
    }
  }
  {
    const ContextRef last = cuda_frames::new_context();
    contexts.push_back(last.get());
    push_in(stream, last, number++);
    fail_unless(await_sides(stream, number));
  }
  for (guint64 i = 0; i < number; ++i) {
    const std::string wrong = film.complaint(outputs[i], i);
    fail_unless(wrong.empty(), "%s: %s", element.name.c_str(), wrong.c_str());
    gst_buffer_unref(outputs[i]);
  }
}

// The element releases the context of earlier frames, and all that it made there.
void left(const Element& element) {
  forget_context();
  const Film film(element);
  Stream stream(film, true);
  fail_unless(stream.start() && stream.begin());
  guint64 number = 0;
  push_in(stream, cuda_frames::new_context(), number++);
  const int before = standin::live("contexts");
  for (int i = 0; i < 3; ++i) {
    push_in(stream, cuda_frames::new_context(), number++);
    for (std::size_t side = 0; side < element.sides.size(); ++side) {
      stream.side(side)->count_after(number);
    }
    fail_unless(rdp::test::await([&] { return standin::live("contexts") <= before; }),
                "%s: %d contexts, not %d", element.name.c_str(), standin::live("contexts"), before);
  }
}

// cuda-device-id restricts the element to one device.
void device_id(const Element& element) {
  standin::set_devices(2);
  const Film film(element);
  {
    const ContextRef other = cuda_frames::new_context(1);
    Stream stream(film);
    g_object_set(stream.element, "cuda-device-id", 0, nullptr);
    fail_unless(stream.start() && stream.begin());
    GstFlowReturn flow = GST_FLOW_OK;
    for (std::size_t i = 0; i < element.inputs.size() && flow == GST_FLOW_OK; ++i) {
      std::string reason;
      flow = stream.push(
          i,
          film.finish(rdp::test::new_cuda_buffer(other.get(), film.contents(0)[i], &reason), i, 0));
    }
    fail_if(stream.await(1));
    fail_unless(stream.said.errors.size() == 1 &&
                    stream.said.errors[0].find(
                        "memory of CUDA device 1, but cuda-device-id is 0") != std::string::npos,
                "%s: %s", element.name.c_str(), stream.said.text().c_str());
  }
  if (element.makes_context) {
    // A context of another device is refused, too.
    const ContextRef wrong = cuda_frames::new_context(0);
    const GivenContext given = given_of(wrong);
    Stream stream(film);
    use_gpu(stream);
    g_object_set(stream.element, "cuda-device-id", 1, nullptr);
    gst_element_set_context(stream.element, given.get());
    fail_unless(gst_element_set_state(stream.element, GST_STATE_PAUSED) !=
                GST_STATE_CHANGE_FAILURE);
    GstCudaContext* own = context_of_src(stream);
    fail_unless(own != nullptr && own != wrong.get());
    guint device = 0;
    g_object_get(own, "cuda-device-id", &device, nullptr);
    fail_unless_equals_int(device, 1);
    // The property may change in READY.
    gst_element_set_state(stream.element, GST_STATE_READY);
    g_object_set(stream.element, "cuda-device-id", 0, nullptr);
    fail_unless(gst_element_set_state(stream.element, GST_STATE_PAUSED) !=
                GST_STATE_CHANGE_FAILURE);
    g_object_get(context_of_src(stream), "cuda-device-id", &device, nullptr);
    fail_unless_equals_int(device, 0);
    gst_element_set_state(stream.element, GST_STATE_NULL);
  }
  standin::set_devices(1);
}

bool makes_context(const Element& element) { return element.makes_context; }
bool calls_driver(const Element& element) { return element.calls_driver; }
// The other elements use cuda-device-id only to make a context of their own.
bool chooses_device(const Element& element) {
  return element.calls_driver && element.factory != "depthupload" &&
         element.factory != "depthdownload";
}

}  // namespace

Rows cuda_rows() {
  return {"contexts",
          {{"given", given, makes_context, Row::Over::kDriver},
           {"asked for", asked_for, makes_context, Row::Over::kDriver},
           {"of frames", of_frames, calls_driver, Row::Over::kDevice},
           {"left", left, calls_driver, Row::Over::kDevice},
           {"device id", device_id, chooses_device, Row::Over::kDevice}}};
}

}  // namespace conformance
