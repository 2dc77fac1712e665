/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_TRACKS_ARRAYS_H__
#define __GST_RDP_TRACKS_ARRAYS_H__

#include <gst/rdpsegment/rdptracks.h>

/* Private: the arrays as gst_rdp_tracks_new() describes them. */
struct GstRdpTracksArrays {
  const GstRdpTrack* tracks; /* null: all arrays are elsewhere until the first read */
  gsize n_tracks;
  const GstRdpLostTrack* lost;
  gsize n_lost;
  const GstRdpTrackWarp* warps;
  gsize n_warps; /* n_tracks, or 0 */

  bool elsewhere() const { return tracks == nullptr; }
};

#endif /* __GST_RDP_TRACKS_ARRAYS_H__ */
