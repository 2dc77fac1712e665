// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/joined_work.h"

#include <utility>

#include "gst/elements/base/buffer_metas.h"

#define GST_CAT_DEFAULT (GST_RDP_JOINER_GET_CLASS(joiner_)->category)

namespace rdp::gst {

JoinedWork::JoinedWork(GstRdpJoiner* joiner, std::unique_ptr<JoinedMethod> method)
    : joiner_(joiner),
      gpu_(&gst_rdp_joiner_core(joiner).gpu),
      pads_(&gst_rdp_joiner_core(joiner).extra),
      method_(method.get()),
      work_(GST_ELEMENT(joiner), gst_rdp_joiner_core(joiner).words, gpu_, std::move(method),
            copy_settings<JoinerSettings>(joiner), &gst_rdp_joiner_core(joiner).stats),
      output_(GST_ELEMENT(joiner), GST_AGGREGATOR_SRC_PAD(joiner), gpu_) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(joiner_);
  for (std::size_t row = 0; row < klass->n_pads; ++row) {
    if (klass->pads[row].role == JoinerPadRow::Role::kData) data_.push_back({row, {}});
    if (klass->pads[row].role == JoinerPadRow::Role::kPicture) picture_.row = row;
  }
  outputs_.assign(1 + data_.size(), nullptr);
}

JoinedWork::~JoinedWork() { drop_buffers(); }

// --- caps ---------------------------------------------------------------------------------------

void JoinedWork::set_inputs(std::span<const JoinedInput> inputs) {
  inputs_ = inputs;
  stale_ = true;
}

bool JoinedWork::accept_caps(std::size_t input) {
  stale_ = true;
  return !explain_interlaced_frames(GST_ELEMENT(joiner_), inputs_[input].caps);
}

// Negotiates src's caps for the inputs' caps, and chooses the engine. May throw. An input outside
// the set may have no caps yet; if nothing is paired, its samples are not read.
bool JoinedWork::negotiate(const Pairing& set) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(joiner_);
  all_caps_.clear();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const JoinedInput& input = inputs_[i];
    if (input.row->role == JoinerPadRow::Role::kMetadata) continue;
    if (i > 0 && (set.is_alone() || (input.caps == nullptr && set.other(i - 1) == nullptr)))
      continue;
    if (input.caps == nullptr) {
      GST_ELEMENT_ERROR(joiner_, CORE, NEGOTIATION,
                        ("A frame arrived before its caps: the element upstream of the pad %s must "
                         "send caps first.",
                         input.name()),
                        ("expected caps like %s", input.row->words->example));
      return false;
    }
    all_caps_.push_back(input.caps);
  }
  const bool cuda = work_.backend() != GST_RDP_BACKEND_CPU && cuda_memory_available();
  const bool cuda_first =
      inputs_[0].memory != MemoryKind::kSystem || work_.backend() == GST_RDP_BACKEND_CUDA;
  g_autoptr(GstCaps) possible = method_->possible_caps(inputs_, cuda, cuda_first);
  if (possible == nullptr || !output_.negotiate(possible, inputs_[0].caps)) return false;
  all_caps_.push_back(nullptr);
  do {
    all_caps_.back() = output_.caps();
    if (!work_.choose_backend(all_caps_)) return false;
    output_.set_page_locked(work_.gpu_works());
    gst_aggregator_set_src_caps(GST_AGGREGATOR(joiner_), output_.caps());
  } while (output_.leave_cuda_memory());
  if (!output_.make_pool()) return false;
  // The pads' threads choose memory as soon as they get caps, so set the context of their buffers
  // before.
  for (const Extra& each : data_) {
    const ExtraPadRef pad = pads_->ref(each.row);
    if (pad)
      gst_rdp_data_pad_set_context(pad.data(), work_.gpu_works() ? gpu_->context() : nullptr);
    g_autoptr(GstCaps) caps = method_->data_caps(klass->pads[each.row]);
    if (caps != nullptr) pads_->set_caps(each.row, caps);
  }
  if (const ExtraPadRef pad = pads_->ref(picture_.row)) {
    gst_rdp_picture_pad_set_context(pad.picture(), gpu_->context());
  }
  pads_->set_caps(picture_.row, output_.caps());
  method_->reset(ResetReason::kNewCaps);
  return true;
}

void JoinedWork::collect_buffers(const Pairing& set, Frame* frame) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const JoinedInput& input = inputs_[i];
    GstBuffer* buffer = i == 0 ? set.main() : set.other(i - 1);
    if (buffer != nullptr && input.row->role != JoinerPadRow::Role::kMetadata) {
      frame->inputs.push_back(
          {buffer, &input.info, input.memory, input.name(), true, input.row->chroma});
    }
  }
}

GstFlowReturn JoinedWork::get_ready(Pairing& set, SetVerdict* verdict) {
  const auto prepare = [&] {
    bool renegotiate = false;
    *verdict = method_->meet(inputs_, set, &renegotiate);
    if (*verdict != SetVerdict::kTaken) return GST_FLOW_OK;
    if (output_.take_reconfigure() || renegotiate) stale_ = true;
    if (stale_ && !negotiate(set)) return GST_FLOW_NOT_NEGOTIATED;
    stale_ = false;
    *verdict = method_->begin_set(set);
    return GST_FLOW_OK;
  };
  return gst_rdp_joiner_core(joiner_).prepare_for(inputs_[0].caps, prepare, GST_FLOW_ERROR);
}

// --- a set --------------------------------------------------------------------------------------

void JoinedWork::acquire_data(std::size_t which, Frame* frame) {
  Extra& data = data_[which];
  FrameBuffer& output = frame->outputs.emplace_back();
  if (!data.pad || gst_rdp_extra_pad_takes(data.pad.get()) == FALSE) return;
  output.buffer = gst_rdp_extra_pad_acquire(data.pad.get(), &data.flow);
  outputs_[1 + which] = output.buffer;
  if (output.buffer == nullptr) return;
  describe_picture(output.buffer, frame->buffer());
  output.info = gst_rdp_data_pad_get_info(data.pad.data());
  output.memory = gst_rdp_data_pad_get_memory(data.pad.data());
}

GstFlowReturn JoinedWork::acquire(Frame* frame) {
  GstFlowReturn flow = GST_FLOW_OK;
  outputs_[0] = output_.acquire(frame->buffer(), &flow);
  if (outputs_[0] == nullptr) return flow;
  frame->outputs.push_back(output_.describe(outputs_[0]));
  GstObject* context = frame->on_gpu ? gpu_->context() : nullptr;
  for (Extra& data : data_) {
    if (data.pad) gst_rdp_data_pad_set_context(data.pad.data(), context);
  }
  pads_->begin();
  for (std::size_t which = 0; which < data_.size(); ++which) acquire_data(which, frame);
  return GST_FLOW_OK;
}

void JoinedWork::drop_buffers() {
  for (GstBuffer*& output : outputs_) gst_clear_buffer(&output);
  for (Extra& data : data_) {
    data.pad = ExtraPadRef();
    data.flow = GST_FLOW_NOT_LINKED;
  }
  picture_.pad = ExtraPadRef();
}

GstFlowReturn JoinedWork::run(bool alone, Frame* frame) {
  picture_.pad = pads_->ref(picture_.row);
  // A pad that needs pairs may have come since the set was taken.
  if (!alone) {
    for (Extra& data : data_) data.pad = pads_->ref(data.row);
  }
  if (picture_.pad) {
    gst_rdp_picture_pad_set_context(picture_.pad.picture(), gpu_->context());
    pads_->begin();
  }
  frame->output_source = this;
  frame->camera = method_->camera();
  frame->overlay = picture_.pad.picture();
  return work_.run();
}

// The main path never notices a pad that is being shut down or released.
GstFlowReturn JoinedWork::push_extra(Frame* frame) {
  GstFlowReturn flow = GST_FLOW_NOT_LINKED;
  bool any = false;
  const auto combine = [&](GstFlowReturn more) {
    flow = any ? gst_rdp_extra_pad_combine_flow(flow, more) : more;
    any = true;
  };
  for (std::size_t which = 0; which < data_.size(); ++which) {
    Extra& data = data_[which];
    if (!data.pad) continue;
    if (GstBuffer* buffer = std::exchange(outputs_[1 + which], nullptr)) {
      data.flow = gst_rdp_extra_pad_push(data.pad.get(), buffer);
    }
    combine(data.flow);
  }
  if (!picture_.pad) return flow;
  if (GstBuffer* buffer = std::exchange(frame->picture, nullptr)) {
    combine(gst_rdp_extra_pad_push(picture_.pad.get(), buffer));
  } else if (frame->picture_flow != GST_FLOW_OK) {
    combine(frame->picture_flow);
  } else {
    combine(gst_rdp_picture_pad_skip(picture_.pad.picture(), frame->buffer(), frame->picture_gap));
  }
  return flow;
}

GstFlowReturn JoinedWork::work(Pairing& set, GstBuffer** made, GstFlowReturn* extra) {
  drop_buffers();
  if (flushed_.exchange(false)) method_->reset(ResetReason::kFlush);
  Frame& frame = work_.start_frame();
  collect_buffers(set, &frame);
  SetVerdict verdict = SetVerdict::kTaken;
  GstFlowReturn flow = get_ready(set, &verdict);
  if (flow != GST_FLOW_OK) return flow;
  if (verdict == SetVerdict::kRefused) return GST_FLOW_ERROR;
  if (verdict != SetVerdict::kTaken) {
    set.drop_pair(verdict == SetVerdict::kTimesTooFarApart);
    return GST_FLOW_OK;
  }
  frame.running_time = set.running_time();
  flow = run(set.is_alone(), &frame);
  if (flow != GST_FLOW_OK) {
    drop_buffers();
    return flow;
  }
  output_.set_page_locked(work_.gpu_works());
  *extra = push_extra(&frame);
  *made = std::exchange(outputs_[0], nullptr);
  return GST_FLOW_OK;
}

}  // namespace rdp::gst
