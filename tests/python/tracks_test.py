#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tracks in Python: through GObject introspection, as the module rdpsegment gives them, as JSON."""

import io
import math
import pathlib
import sys

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from kind_rig import convert, expect_bad_lines, expect_same_taken, filled, new_buffer  # noqa: E402
from tap import run_tests  # noqa: E402

import rdpsegment  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import Gst, GstRdpSegment  # noqa: E402

LINE = (b'{"frame":7,"pts":9,"width":8,"height":6,"template-pts":40000000,'
        b'"tracks":[[3,5,1.5,2.25,-0.5,0.125,1.75,30.5],[9,0,7,5,0,0,0,2.5]],'
        b'"lost":[[1,"outside",0,3.0009766],[8,"crowded",4,4]]}\n')  # fmt: skip

WARPED = (LINE.replace(b'"outside"', b'"template"').removesuffix(b"}\n")
          + b',"warps":[[1.25,-0.5,0.0625,0.75,3.5,4],[1,0,0,1,0,0]]}\n')  # fmt: skip


def new_tracks(template_pts=40000000, warped=False):
    info = GstRdpSegment.TracksInfo()
    info.init()
    assert info.template_pts == Gst.CLOCK_TIME_NONE
    filled(info, frame=7, width=8, height=6, template_pts=template_pts)
    old = filled(GstRdpSegment.Track(), id=3, age=5, x=1.5, y=2.25, dx=-0.5, dy=0.125, residual=1.75,
                 quality=30.5)  # fmt: skip
    new = filled(GstRdpSegment.Track(), id=9, x=7, y=5, quality=2.5)
    outside, crowded = GstRdpSegment.LostReason.OUTSIDE, GstRdpSegment.LostReason.CROWDED
    lost = [
        filled(GstRdpSegment.LostTrack(), id=1, reason=int(outside), y=3 + 1 / 1024),
        filled(GstRdpSegment.LostTrack(), id=8, reason=int(crowded), x=4, y=4),
    ]
    if not warped:
        return GstRdpSegment.Tracks.new(info, [old, new], lost)
    lost[0].reason = int(GstRdpSegment.LostReason.TEMPLATE)
    warps = [
        filled(GstRdpSegment.TrackWarp(), a=1.25, b=-0.5, c=0.0625, d=0.75, residual=3.5, age=4),
        filled(GstRdpSegment.TrackWarp(), a=1, d=1),
    ]
    return GstRdpSegment.Tracks.new_with_warps(info, [old, new], lost, warps)


def on_buffer(tracks, **fields):
    buffer = new_buffer()
    filled(GstRdpSegment.buffer_add_rdp_tracks_meta(buffer, tracks), **fields)
    return buffer


def same(one, other):
    warps = [b"" if tracks.warps is None else tracks.warps.tobytes() for tracks in (one, other)]
    return (one.info == other.info and one.tracks.tobytes() == other.tracks.tobytes()
            and one.lost.tobytes() == other.lost.tobytes() and warps[0] == warps[1])  # fmt: skip


def test_introspection():
    tracks = new_tracks()
    assert tracks.fetch() and tracks.get_info().template_pts == 40000000
    old, new = tracks.peek_tracks()
    lost = tracks.peek_lost()
    del tracks
    assert (old.id, old.age, old.dx, new.x, new.quality) == (3, 5, -0.5, 7, 2.5)
    reason = GstRdpSegment.LostReason(lost[1].reason)
    assert GstRdpSegment.lost_reason_get_name(reason) == "crowded"


def test_arrays():
    buffer = on_buffer(new_tracks(), scale_x=0.5)
    found = rdpsegment.tracks(buffer)
    assert rdpsegment.TRACK.itemsize == 32 and rdpsegment.LOST.itemsize == 16
    assert len(found) == 2 and found.tracks["id"].tolist() == [3, 9] and found.pts == 9
    assert found.tracks[0].tolist() == (3, 5, 1.5, 2.25, -0.5, 0.125, 1.75, 30.5)
    assert found.reasons() == ["outside", "crowded"] and found.lost["y"][0] == 3 + 1 / 1024
    assert found.info == rdpsegment.TracksInfo(7, 8, 6, 40000000)
    assert found.placement == (0.5, 1, 0, 0)
    assert not found.tracks.flags.writeable and not found.lost.flags.writeable
    assert rdpsegment.tracks(on_buffer(new_tracks(2**64 - 1))).info.template_pts is None
    assert rdpsegment.tracks(Gst.Buffer.new()) is None
    filled(GstRdpSegment.buffer_add_rdp_tracks_meta(buffer, new_tracks()), batch_index=2)
    assert rdpsegment.tracks(buffer, 2).batch_index == 2 and rdpsegment.tracks(buffer, 1) is None


def test_warps():
    library = new_tracks(warped=True)
    assert [warp.b for warp in library.peek_warps()] == [-0.5, 0]
    found = rdpsegment.tracks(on_buffer(library))
    assert rdpsegment.TRACK_WARP.itemsize == 24 and not found.warps.flags.writeable
    assert found.warps[0].tolist() == (1.25, -0.5, 0.0625, 0.75, 3.5, 4)
    assert found.reasons() == ["template", "crowded"]
    assert rdpsegment.tracks(on_buffer(new_tracks())).warps is None
    # As a line, and as bytes of the second version, which a lost track has alone, too.
    assert convert(on_buffer(library)) == WARPED
    (line,) = rdpsegment.read(io.BytesIO(WARPED))
    assert same(line, found)
    alone = rdpsegment.Tracks(found.info, found.tracks, found.lost)
    for tracks, size in (found, 192), (alone, 144):
        data = tracks.to_bytes()
        assert len(data) == size and data[4] == 2
        assert tracks.to_library().to_bytes().get_data() == data
        assert same(rdpsegment.tracks_from_bytes(data), tracks)
        one, two = rdpsegment.read(io.BytesIO(2 * data))
        assert same(one, two) and same(one, tracks)
        expect_same_taken(data, GstRdpSegment.Tracks, rdpsegment.tracks_from_bytes)
    expect_bad_lines(WARPED, (
        (b",[1,0,0,1,0,0]", b"", "one for each of 2 tracks, or none, got 1"),
        (b"[1.25,", b"[null,", "finite a, b, c and d"),
        (b",3.5,4]", b",-3.5,4]", "residual of 0 or more"),
        (b",3.5,4]", b",3.5,-4]", "a, b, c, d, residual, age"),
        (b'"warps":[', b'"warps":7,"other":[', "a list"),
    ))  # fmt: skip


def test_line():
    assert convert(on_buffer(new_tracks())) == LINE
    (found,) = rdpsegment.read(io.BytesIO(LINE))
    assert isinstance(found, rdpsegment.Tracks) and found.pts == 9
    assert same(found, rdpsegment.tracks(on_buffer(new_tracks())))
    # Where there is nothing; and what is no number.
    none = rdpsegment.points_to_track([[math.nan, 1], [2, math.inf]], 8, 6)
    text = convert(on_buffer(none.to_library()))
    assert b'"template-pts":null,"tracks":[[0,0,null,1,' in text and b'"lost":[]' in text
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert found.info.template_pts is None and np.isnan(found.tracks["x"][0])
    # The farthest place that there is.
    (found,) = rdpsegment.read(io.BytesIO(LINE.replace(b"[3,5,1.5,", b"[3,5,3.4028235e+38,")))
    assert found.tracks["x"][0] == np.finfo("f4").max, found.tracks


def test_line_of_several_kinds():
    info = GstRdpSegment.PlanesInfo()
    info.init()
    filled(info, width=4, height=3, n_points=12)
    planes = GstRdpSegment.Planes.new(info, [], [], bytes(12))
    buffer = on_buffer(new_tracks())
    GstRdpSegment.buffer_add_rdp_planes_meta(buffer, planes)
    text = convert(buffer)
    assert b'"planes":[],"tracks-width":8,"tracks-height":6,"template-pts":40000000' in text
    (found,) = rdpsegment.read(io.BytesIO(text))
    assert isinstance(found, rdpsegment.Planes)
    assert found.tracks.tracks["id"].tolist() == [3, 9] and found.tracks.info.width == 8


def test_bad_lines():
    expect_bad_lines(LINE, (
        (b'"lost":[', b'"found":[', '"lost"'),
        (b"[3,5,", b"[3,-5,", "id, age"),
        (b"30.5]", b"30.5,1]", "8 values"),
        (b'"outside"', b'"tracked"', "reason"),
        (b'"outside"', b"[]", "reason"),
        (b"1.75", b"-1.75", "residual"),
        (b'"width":8', b'"width":0', "width"),
        (b'"template-pts":40000000,', b"", "template-pts"),
        (b"40000000", b"1" + 30 * b"0", "less than 2^64"),
        (b'"frame":7', b'"frame":1' + 400 * b"0", "less than 2^64"),
        (b"1.75", b"1" + 400 * b"0", "residual"),
        (b"[3,5,1.5,", b"[3,5,-1" + 400 * b"0" + b",", "expected x up to 3.4e38"),
    ))  # fmt: skip


def test_bytes():
    tracks = new_tracks()
    found = rdpsegment.tracks(on_buffer(tracks))
    data = tracks.to_bytes().get_data()
    assert found.to_bytes() == data
    assert same(rdpsegment.tracks_from_bytes(data), found)
    assert found.to_library().to_bytes().get_data() == data
    one, two = rdpsegment.read(io.BytesIO(2 * data))
    assert same(one, two)
    expect_same_taken(data, GstRdpSegment.Tracks, rdpsegment.tracks_from_bytes)


def test_points():
    own = rdpsegment.points_to_track([(1, 2), (3.5, 4)], 8, 6, motion=[(0.5, 0), (0, -2)])
    library = own.to_library()
    assert [(t.age, t.x, t.dx, t.dy) for t in library.peek_tracks()] == [(0, 1, 0.5, 0), (0, 3.5, 0, -2)]
    try:
        rdpsegment.points_to_track([(1, 2)], 0, 6).to_library()
    except rdpsegment.FormatError as error:
        assert "1 to 16384" in str(error)
    else:
        raise AssertionError("a frame without a size")


Gst.init(None)
sys.exit(run_tests(globals()))
