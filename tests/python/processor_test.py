#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rdpsegment.Processor and its short forms: arguments, errors, time, dropped frames, threads, forks, ends.

Whatever does not end is stopped by this test's own timeout. LEAK=10000 makes so many processors; by
default 300. Reports in TAP.
"""

import gc
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import warnings
import weakref
from unittest import mock

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from kind_rig import expect_error as expect  # noqa: E402
from tap import run_tests  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstRdpSegment", "1.0")
from gi.repository import GLib, Gst, GstRdpSegment  # noqa: E402

import rdpsegment  # noqa: E402

RANDOM = np.random.default_rng(3)
GRAY = RANDOM.integers(0, 256, (48, 65), dtype="u1")
DEPTH = (1000 + 10 * np.arange(120)[:, None] + np.zeros((1, 161))).astype("u2")
POINTS = RANDOM.uniform(-1, 1, (500, 3)).astype("f4")
STEREO = "depthstereo name=d disparities=16"
PAIR = ("d.left", "d.right")
STRUCTURED = np.zeros((4, 5), [("label", "u2"), ("x", "f4"), ("y", "f4"), ("z", "f4"), ("bgra", "u1", 4), ("intensity", "f4")])


def points_with(field, of):
    return np.zeros(5, [("x", "f4"), ("y", "f4"), ("z", "f4"), (field, of)])


# Arguments.

# The processor's elements and keywords, the arrays of a call, the error and its words.
MISUSE = [
    ("identity", {}, [DEPTH / 1000], TypeError, 'float64 of the shape (120, 161)', "depth in metres"),
    ("identity", {}, [DEPTH.astype("f4")], TypeError, "depth in metres", "disparity in px"),
    ("identity", {"cloud": True}, [DEPTH / 1000], TypeError, "N x 3 or H x W x 3", "float64"),
    ("identity", {"cloud": True}, [POINTS.astype("f8")], TypeError, "astype('float32')"),
    ("identity", {"cloud": True}, [POINTS[:, :2]], TypeError, "N x 3"),
    ("identity", {"cloud": True}, [POINTS.T], TypeError, "(3, 500): points[:3].T.astype"),
    ("identity", {"cloud": True}, [np.ones((4, 500))], TypeError, "points[:3].T"),
    ("identity", {"cloud": True}, [np.ones((500, 4), "f4")], TypeError, "points[..., :3]"),
    ("identity", {"cloud": True}, [POINTS.ravel()], TypeError, "points.reshape(-1, 3)"),
    ("identity", {}, [POINTS.T], TypeError, "cloud=True"),
    ("identity", {"cloud": True}, [STRUCTURED[["x", "z"]]], TypeError, "x, y and z"),
    ("identity", {"cloud": True}, [np.zeros(5, [(c, "f8") for c in "xyz"])], TypeError, "float32 x, y and z"),
    ("identity", {"cloud": True}, [points_with("label", "i4")], TypeError, "label as uint32 or uint16 or uint8"),
    ("identity", {"cloud": True}, [points_with("intensity", "f8")], TypeError, "intensity as float32"),
    ("identity", {"cloud": True}, [points_with("rgb", "f4")], TypeError, "rgb as ('u1', (3,))"),
    ("identity", {}, [POINTS], TypeError, "cloud=True"),
    ("identity", {}, [STRUCTURED], TypeError, "uint8 or uint16", "cloud=True"),
    ("identity", {}, [DEPTH.astype("i2")], TypeError, "int16", "clip(0)", "disparity-unit=0.0625"),
    ("identity", {}, [DEPTH > 3], TypeError, "bool", "* 255"),
    ("identity", {}, [DEPTH.astype(">u2")], TypeError, "little-endian", "astype('<u2')"),
    ("identity", {}, [DEPTH.astype(">f4")], TypeError, "astype('<f4')"),
    ("identity", {}, [DEPTH.astype("i8")], TypeError, "int64", "np.clip(array, 0, 65535)"),
    ("identity", {}, [DEPTH.astype("c8")], TypeError, "complex64"),
    ("identity", {}, [DEPTH[0]], TypeError, "two dimensions", "(161,): array.reshape"),
    ("identity", {}, [DEPTH[:0]], ValueError, "elements", "(0, 161)"),
    ("identity", {}, [np.zeros((4, 4, 3), "u1")], TypeError, "format='BGR'"),
    ("identity", {}, [GRAY[..., None]], TypeError, "array[..., 0]"),
    ("identity", {}, [GRAY[None]], TypeError, "array[0]"),
    ("identity", {}, [DEPTH[None]], TypeError, "array[0]"),
    ("identity", {"format": "RGB"}, [GRAY[..., None]], ValueError, "3 channels of RGB", "(48, 65, 1)"),
    ("identity", {"format": "RGB"}, [DEPTH[..., None]], TypeError, "array[..., 0]"),
    ("identity", {}, [np.ma.masked_equal(DEPTH, 0)], TypeError, "filled(0)"),
    ("identity", {}, [None], TypeError, "got None: was the image read?"),
    ("identity", {}, ["left.png"], TypeError, "got 'left.png': read the file"),
    ("identity", {}, [pathlib.Path("left.png")], TypeError, "left.png", "read the file"),
    ("identity", {}, [[[1, 2], [3, 4]]], TypeError, "int64", "np.clip"),
    ("identity", {}, [], TypeError, "expected 1 array", "got none for input"),
    ("identity", {}, [DEPTH, DEPTH], TypeError, "expected 1 array", "got 2"),
    (STEREO, {"inputs": PAIR}, [GRAY], TypeError, "2 arrays: d.left, d.right", "none for d.right"),
    (STEREO, {"inputs": PAIR}, [GRAY, GRAY.astype("f4")], TypeError, "d.right: expected uint8"),
    (STEREO, {"inputs": PAIR}, [GRAY, GRAY[1:]], GLib.Error, "different sizes"),
    ("rdpsegment", {"format": "RGB"}, [np.zeros((4, 4, 3), "u1")], GLib.Error, "GRAY16_LE"),
    ("klttrack", {}, [DEPTH], GLib.Error, "GRAY8"),
    ("depthplanes", {}, [GRAY.astype("u2")[:1, :1]], None),
    ("depthplanes", {"cloud": True}, [np.full((50, 3), np.nan, "f4")], None),
    ("depthplanes", {"cloud": True}, [np.full((5, 6, 3), np.inf, "f4")], None),
]  # fmt: skip
# Arrays of a matcher and of a tracker.
MISUSE_OF_GRAY = [
    (DEPTH, TypeError, "expected uint8 of two dimensions, got uint16", "(array >> 8)"),
    (np.zeros((4, 4, 3), "u1"), TypeError, "COLOR_BGR2GRAY"),
    (DEPTH / 9999, TypeError, "from 0 to 1", "* 255"),
    (DEPTH.astype("i4"), TypeError, "np.clip(array, 0, 255)"),
    (GRAY > 3, TypeError, "* 255"),
    (GRAY[..., None], TypeError, "array[..., 0]"),
    (None, TypeError, "got None"),
]
# Arguments that make no processor.
NONE = [
    (lambda: rdpsegment.Processor("nosuch"), GLib.Error, "nosuch"),
    (lambda: rdpsegment.Processor("identity ! !"), GLib.Error, "syntax"),
    (lambda: rdpsegment.Processor("rdpsegment epsilom=2"), GLib.Error, "epsilom"),
    (lambda: rdpsegment.Processor(""), TypeError, "expected elements"),
    (lambda: rdpsegment.Processor(Gst.Pipeline()), TypeError, "without source and sink"),
    (lambda: rdpsegment.Processor("identity", format="BRG"), ValueError, "BGR", "'BRG'"),
    (lambda: rdpsegment.Processor("identity", rate=0), ValueError, "above 0", "got 0"),
    (lambda: rdpsegment.Processor("identity", rate=float("nan")), ValueError, "got nan"),
    (lambda: rdpsegment.Processor(STEREO + " d.left ! fakesink"), GLib.Error, "link"),
    (lambda: rdpsegment.Processor(STEREO, inputs=("d.left", "d.rihgt")), GLib.Error, "link"),
    (lambda: rdpsegment.Processor("rdpmotion name=m", inputs=("m.depth",)), ValueError, "m.video"),
    (lambda: rdpsegment.StereoMatcher(disparites=64), TypeError, "depthstereo", "disparites", "disparities?"),
    (lambda: rdpsegment.StereoMatcher(disparities=1000), ValueError, "16 to 256", "1000"),
    (lambda: rdpsegment.StereoMatcher(disparities=64.5), ValueError, "whole number"),
    (lambda: rdpsegment.StereoMatcher(paths=6), ValueError, "'4' or '8'"),
    (lambda: rdpsegment.StereoMatcher(output="depth-mm"), ValueError, "Processor"),
    (lambda: rdpsegment.Tracker(max_residual=float("inf")), ValueError, "0 to 255"),
    (lambda: rdpsegment.Tracker().track(GRAY, points=[(1, 2, 3)]), ValueError, "points: expected N x 2", "(1, 3)"),
    (lambda: rdpsegment.Tracker().track(GRAY, points=[[1, 2, 3], [4, 5, 6]]), ValueError, "N x 2", "(2, 3)"),
    (lambda: rdpsegment.Tracker().track(GRAY, points=[1, 2, 3]), ValueError, "N x 2", "(3,)"),
    (lambda: rdpsegment.Processor("depthplanes focal-lenght=3"), GLib.Error, "did you mean focal-length?"),
    (lambda: rdpsegment.Processor("depthalign extrinsics=1,2"), GLib.Error, 'extrinsics="<1.0,0.0'),
    (lambda: rdpsegment.find_segments(DEPTH, merge="no"), ValueError, "True or False", "'no'"),
    (lambda: rdpsegment.find_planes(DEPTH, up=(0, 1)), ValueError, "up: expected three numbers", "(0, 1)"),
    (lambda: rdpsegment.find_planes(DEPTH, up="down"), ValueError, "three numbers", "'down'"),
    (lambda: rdpsegment.find_planes(DEPTH, focal_lenght=60), TypeError, "focal_length?"),
    (lambda: rdpsegment.find_planes(DEPTH / 1000, focal_length=60), TypeError, "astype"),
    (lambda: rdpsegment.find_obstacles(DEPTH, gate="x"), ValueError, "a number"),
]  # fmt: skip


def test_misuse():
    warnings.simplefilter("ignore")
    for elements, options, arrays, kind, *words in MISUSE:
        with rdpsegment.Processor(elements, **options) as processor:
            if kind is None:
                assert processor(*arrays) is not None, elements
                continue
            expect(lambda p=processor, a=arrays: p(*a), kind, *words)
            if kind in (TypeError, ValueError):  # it is as good as before
                assert "closed" not in repr(processor)
            else:
                expect(lambda p=processor: p(GRAY), (ValueError, TypeError), "closed" if kind is GLib.Error else "")
    for make, kind, *words in NONE:
        expect(make, kind, *words)


def test_misuse_of_gray():
    """Before the pipeline sees it: the next right call works."""
    matcher, tracker = rdpsegment.StereoMatcher(disparities=16), rdpsegment.Tracker()
    for array, kind, *words in MISUSE_OF_GRAY:
        expect(lambda a=array: matcher.compute(GRAY, a), kind, "depthstereo.right: ", *words)
        expect(lambda a=array: tracker.track(a), kind, *words)
    expect(lambda: matcher.disparity(GRAY, GRAY[1:]), ValueError, "left is 65x48, right is 65x47")
    for rows in (48, 47):
        assert matcher.compute(GRAY[:rows], GRAY[:rows]).shape == (rows, 65)
    assert len(tracker.track(GRAY, points=[]).ids)


def test_recipes():
    """What errors recommend gives unknown samples where nothing else is right."""
    error = expect(lambda: rdpsegment.find_planes(DEPTH / 1000), TypeError)
    depth, disparity = re.findall(r"np\.where.*?'uint16'\)", error)
    values = np.array([1.5, 0, -1, 70, np.nan, np.inf, -np.inf])
    assert eval(depth, {"np": np, "depth": values}).tolist() == [1500] + [0] * 6
    assert eval(disparity, {"np": np, "d": values * [1, 1, 1, 9, 1, 1, 1]}).tolist() == [384] + [0] * 6


def test_arguments():
    stereo = rdpsegment.Processor(STEREO, inputs=PAIR)
    other = np.roll(GRAY, -3, 1)
    frames = [stereo(GRAY, other), stereo(left=GRAY, right=other), stereo(GRAY, right=other),
              stereo(**{"d.right": other, "d.left": GRAY})]  # fmt: skip
    assert len({result.frame.tobytes() for result in frames}) == 1
    expect(lambda: stereo(GRAY, other, left=GRAY), TypeError, "left= twice")
    expect(lambda: stereo(GRAY, other, middle=GRAY), TypeError, "got middle=")
    # One output by name, several in a dictionary, and pads that nobody wants.
    one = rdpsegment.Processor(STEREO, PAIR, "d.confidence")(GRAY, other)
    both = rdpsegment.Processor(STEREO, PAIR, ("d.src", "d.confidence"))(GRAY, other)
    assert list(both) == ["d.src", "d.confidence"] and both["d.src"].frame.dtype == "u2"
    assert one.frame.tobytes() == both["d.confidence"].frame.tobytes() and one.frame.dtype == "u1"


def test_arrays():
    same = rdpsegment.Processor("identity", format="BGR", cloud=True)
    for array in (GRAY, DEPTH, RANDOM.integers(0, 9, (7, 5, 3), dtype="u1"), POINTS, POINTS.reshape(25, 20, 3)):
        result = same(array)
        frame = result.frame
        assert frame.dtype == array.dtype and np.array_equal(frame, array) and result.frame is frame
        assert not frame.flags.writeable and not np.shares_memory(frame, array)
        assert result.segments is None and result.planes is None and result.tracks is None
        assert result.motion is None and result.heights is None and result.obstacles is None and result.camera is None
    STRUCTURED["z"], STRUCTURED["bgra"], STRUCTURED["label"] = 7, (1, 2, 3, 4), 9
    for array in (STRUCTURED, STRUCTURED[0], STRUCTURED[["label", "x", "y", "z"]]):
        frame = same(array).frame
        assert frame.dtype == array.dtype and np.array_equal(frame, array)
    # Some have no array, and still results.
    other = rdpsegment.Processor("videoconvert ! video/x-raw,format=I420 ! klttrack")(GRAY)
    assert other.tracks.info.width == 65 and repr(other) == "<rdpsegment.Processed at 0.0 s: frame, tracks>"
    expect(lambda: other.frame, rdpsegment.Error, "I420", "format=BGR")
    # The array is changed after the call, and before the result is looked at.
    array = GRAY.copy()
    result = same(array)
    array[:] = 0
    assert np.array_equal(result.frame, GRAY)


def test_library():
    """The two functions, also where memory has several pieces."""
    buffer, address = GstRdpSegment.buffer_allocate(5)
    assert address and buffer.get_size() == 5
    # Memory comes again, but not as long as any buffer has it.
    copy = buffer.copy()
    del buffer
    other, another = GstRdpSegment.buffer_allocate(5)
    assert another != address
    del copy
    assert GstRdpSegment.buffer_allocate(5)[1] == address
    assert GstRdpSegment.buffer_allocate(2**62) == (None, 0)
    parts = Gst.Buffer.new_wrapped(b"abc").append(Gst.Buffer.new_wrapped(b"de"))
    loan, address = GstRdpSegment.buffer_lend(parts)
    assert loan.get_data() == b"abcde" and address
    loan, address = GstRdpSegment.buffer_lend(Gst.Buffer.new())
    assert loan.get_size() == 0


# Results.


def test_results_are_kept():
    """Any number of them, also of a pool that has few buffers, after the processor is gone."""
    for elements in ("identity", "rdpsegment ! videoconvert ! video/x-raw,format=RGB", "videoflip video-direction=180"):
        processor = rdpsegment.Processor(elements)
        frames = [RANDOM.integers(0, 256, (20, 30), dtype="u1") for _ in range(60)]
        results = [processor(frame) for frame in frames]
        processor.close()
        del processor
        for frame, result in zip(frames, results):
            seen = result.frame[..., 0] if result.frame.ndim == 3 else result.frame
            assert np.array_equal(seen, frame[::-1, ::-1] if "flip" in elements else frame), elements
            assert ("rdp" in elements) == (result.segments is not None)
    frame = rdpsegment.Processor("identity")(GRAY).frame
    gc.collect()
    assert np.array_equal(frame, GRAY)


def test_limited_pool():
    """Results that are kept hold none of its buffers."""
    pool, processor = Gst.BufferPool(), rdpsegment.Processor("identity")
    config = pool.get_config()
    Gst.BufferPool.config_set_params(config, None, 4800, 1, 2)
    assert pool.set_config(config) and pool.set_active(True)
    kept = []
    for _ in range(6):
        buffer = pool.acquire_buffer(None)[1]
        sample = Gst.Sample.new(buffer, Gst.Caps.from_string("application/x-json"), None, None)
        kept.append(processor._result(0, sample))
        del buffer, sample
    assert all(result.frame.shape == (4800,) for result in kept)


def test_sizes_change():
    processor = rdpsegment.Processor("rdpsegment")
    for height, width in ((4, 5), (30, 21), (1, 1), (4, 5), (120, 161)):
        for array in (DEPTH[:height, :width], GRAY[:height, :width]):
            result = processor(array)
            assert result.frame.dtype == array.dtype and np.array_equal(result.frame, array)
            assert (result.segments.info.height, result.segments.info.width) == array.shape


def test_time():
    track = rdpsegment.Processor("klttrack cell=4")
    assert [track(GRAY).time for _ in range(3)] == [0.0, 0.033333333, 0.066666666]
    assert track(GRAY, time=1.5).time == 1.5 and track(GRAY).time == 1.533333333
    result = track(GRAY)
    assert (result.tracks.tracks["age"] == 5).all() and len(result.tracks) > 20
    result = track(GRAY, time=0.25)  # back: a flush
    assert result.time == 0.25 and (result.tracks.tracks["age"] == 0).all()
    assert track(GRAY).time == 0.283333333 and track(GRAY).tracks.tracks["age"].max() == 2
    assert rdpsegment.Processor("identity", rate=10)(GRAY, time=3).time == 3
    slow = rdpsegment.Processor("identity", rate=0.1)
    start = time.monotonic()
    assert [slow(GRAY).time for _ in range(5)] == [0, 10, 20, 30, 40] and time.monotonic() - start < 5
    for wrong in (-1, float("nan"), float("inf"), "1", 1e10, None or [1]):
        expect(lambda t=wrong: track(GRAY, time=t), ValueError, "a time in seconds")
    # Both inputs of a stereo pair, and one that is flushed again and again.
    stereo = rdpsegment.Processor(STEREO, PAIR)
    for _ in range(20):
        assert stereo(GRAY, GRAY, time=2) and stereo(GRAY, GRAY, time=1)


def test_dropped():
    drops = rdpsegment.Processor("identity ! identity name=some drop-probability=0.5 ! rdpsegment")
    results = [(drops(GRAY), drops.dropped) for _ in range(60)]
    dropped = [said for result, said in results if result is None]
    assert 5 < len(dropped) < 55 and all(said is None for result, said in results if result)
    assert dropped[0][0] == "" and all(name == "some" and text for name, text in dropped[1:]), dropped
    times = [result.time for result, _ in results if result]
    assert times == sorted(set(times))
    # A frame dropped for one of two outputs, with a message.
    two = rdpsegment.Processor("tee name=t t. ! identity name=all drop-probability=1 ! identity name=i", outputs=("t.src_1", "i.src"))
    for _ in range(3):
        result = two(GRAY)
        assert result["t.src_1"] is not None and result["i.src"] is None
    assert two.dropped[0] == "all"
    # Half of the frames, and twice as many.
    half = rdpsegment.Processor("videorate drop-only=true ! video/x-raw,framerate=15/1")
    assert sum(half(GRAY) is not None for _ in range(20)) in (9, 10, 11)
    double = rdpsegment.Processor("videorate ! video/x-raw,framerate=60/1")
    assert [double(GRAY) is None for _ in range(5)][1:] == [False] * 4


def test_errors():
    processor = rdpsegment.Processor("identity error-after=3")
    processor(GRAY)
    expect(lambda: [processor(GRAY) for _ in range(3)], GLib.Error, "identity", "Failed after iterations")
    expect(lambda: processor(GRAY), ValueError, "closed")
    assert "closed" in repr(processor) and processor.pipeline.get_state(0).state == Gst.State.NULL
    # At the start; the stream's end; a warning, which comes from the line of the call.
    expect(lambda: rdpsegment.Processor("rdpsegment calibration=nowhere.json")(DEPTH), GLib.Error, "nowhere.json")
    ends = rdpsegment.Processor("identity eos-after=2")
    expect(lambda: [ends(GRAY) for _ in range(3)], rdpsegment.Error, "ended the stream")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        rdpsegment.find_planes(DEPTH)
    assert "focal-length" in str(said[0].message) and said[0].filename == __file__, said[0]
    # An exception in the loop leaves it as it is.
    processor = rdpsegment.Processor("klttrack")
    try:
        for _ in range(3):
            processor(GRAY)
            raise KeyError
    except KeyError:
        assert processor(GRAY).tracks.tracks["age"].max() == 1


def test_closed():
    with rdpsegment.Processor("rdpsegment") as processor:
        processor(GRAY)
    expect(lambda: processor(GRAY), ValueError, "closed")
    processor.close()
    pipeline = processor.pipeline
    never = rdpsegment.Processor("rdpsegment")
    never.close()
    gc.disable()
    try:
        processor = rdpsegment.Processor("rdpsegment")
        processor(GRAY)
        pipeline, alive = processor.pipeline, weakref.ref(processor)
        del processor
        assert alive() is None and pipeline.get_state(0).state == Gst.State.NULL
    finally:
        gc.enable()


# Threads and processes.


def test_threads():
    slow = rdpsegment.Processor("identity sleep-time=300000")
    errors, counts = [], []
    thread = threading.Thread(target=slow, args=(GRAY,))
    thread.start()
    time.sleep(0.1)
    expect(lambda: slow(GRAY), RuntimeError, "one call at a time")
    start = time.monotonic()
    while thread.is_alive():  # the GIL is free
        counts.append(time.monotonic() - start)
    thread.join()
    assert len(counts) > 1000, len(counts)
    assert slow(GRAY) is not None  # from another thread than before
    # A processor for each thread.
    def work(seed):
        try:
            random = np.random.default_rng(seed)
            for _ in range(20):
                frame = random.integers(1, 9000, (40, 30), dtype="u2")
                planes = rdpsegment.find_planes(frame, focal_length=30, depth_unit=0.001, threads=1)
                segments = rdpsegment.find_segments(frame, domain="inverse")
                assert planes.info.width == 30 and np.array_equal(segments.offsets[-1], segments.n_segments)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    # Closed by another thread during a call.
    endless = rdpsegment.Processor("identity sleep-time=200000")
    threading.Timer(0.1, endless.close).start()
    expect(lambda: [endless(GRAY) for _ in range(9)], ValueError, "closed")
    # An element that keeps all for itself.
    closed = rdpsegment.Processor("valve drop=true")
    threading.Timer(0.5, closed.close).start()
    with warnings.catch_warnings(record=True) as told, mock.patch("rdpsegment._processor._SILENT", 2):
        warnings.simplefilter("always")
        expect(lambda: closed(GRAY), ValueError, "closed")
    assert "a closed valve" in str(told[0].message) and told[0].filename == __file__, told


def child(code, **options):
    """A program: its status, output and last line of errors."""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)
    return result.returncode, result.stdout, result.stderr.strip().splitlines()[-1:]


SETUP = "import os, signal, sys, threading, time\nimport numpy as np\nimport rdpsegment\nframe = np.ones((40, 30), 'u2')\n"


def test_forks():
    status, out, err = child(
        SETUP + "p = rdpsegment.Processor('rdpsegment')\np(frame)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    try:\n        p(frame)\n"
        "    except RuntimeError as error:\n        print(error, flush=True)\n"
        "    p.close()\n    del p\n    sys.exit(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), p(frame) is not None)\n"
    )
    assert status == 0 and "forked" in out and "spawn" in out and out.endswith("5 True\n"), (status, out, err)


def test_ctrl_c():
    """At once, in a long frame, and the processor can be used again."""
    status, out, err = child(
        SETUP + "p = rdpsegment.Processor('identity name=i sleep-time=1500000 ! klttrack cell=4')\n"
        "frame = np.arange(4800, dtype='u2').astype('u1').reshape(60, 80)\n"
        "sent = []\n"
        "def send():\n    sent.append(time.monotonic())\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(0.5, send).start()\n"
        "try:\n    p(frame)\n"
        "except KeyboardInterrupt:\n    print(time.monotonic() - sent[0] < float(sys.argv[1]))\n"
        "p.pipeline.get_by_name('i').set_property('sleep-time', 0)\n"
        "print(p(frame).time)\nprint('closed' in repr(p))\n".replace("float(sys.argv[1])", "0.4")
    )
    assert status == 0 and out.split() == ["True", "0.0", "False"], (status, out, err)


def test_exit():
    """Without a word, whatever is left, in whatever order modules were imported."""
    modules = [name for name in ("PIL.Image", "cv2", "matplotlib.pyplot") if importlib.util.find_spec(name.split(".")[0])]
    call = ("p = rdpsegment.Processor('depthplanes focal-length=30 depth-unit=0.001 ! rdpsegment')\n"
            "kept = [p(frame) for _ in range(3)]\nkept[0].frame\nrdpsegment.find_segments(frame)\n"
            "rdpsegment.StereoMatcher(disparities=16).compute(frame.astype('u1'), frame.astype('u1'))\n"
            "try:\n    rdpsegment.Processor('rdpsegment calibration=nowhere')(frame)\nexcept Exception as error:\n"
            "    print('nowhere' in str(error))\n")  # fmt: skip
    environment = {**os.environ, "MPLBACKEND": "agg"}
    for before in [[], *([name] for name in modules), modules]:
        for first in (True, False):
            imports = "".join(f"import {name}\n" for name in before)
            code = "import warnings\nwarnings.simplefilter('ignore')\n" + (imports + SETUP if first else SETUP + imports)
            result = child(code + call, env=environment)
            assert result == (0, "True\n", []), (before, first, result)


def memory_kib():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_leaks():
    count = int(os.environ.get("LEAK", "300"))

    def make(times):
        for _ in range(times):
            processor = rdpsegment.Processor("rdpsegment name=s ! klttrack" if _ % 2 else STEREO, PAIR if not _ % 2 else None)
            processor(*[GRAY] * (1 if _ % 2 else 2))

    warnings.simplefilter("ignore")
    make(50)
    gc.collect()
    before, threads, files = memory_kib(), threading.active_count(), len(os.listdir("/proc/self/fd"))
    tasks = len(os.listdir("/proc/self/task"))
    make(count)
    gc.collect()
    assert memory_kib() - before < 8192, (memory_kib(), before)
    assert threading.active_count() == threads and abs(len(os.listdir("/proc/self/fd")) - files) < 5
    assert len(os.listdir("/proc/self/task")) <= tasks + 4
    # Calls: frames, results and messages.
    processor = rdpsegment.Processor("rdpsegment ! identity drop-probability=0.3")
    [processor(DEPTH) for _ in range(100)]
    before = memory_kib()
    for _ in range(5 * count):
        result = processor(DEPTH)
        if result:
            result.frame, result.segments
    assert memory_kib() - before < 4096, (memory_kib(), before)


# Short forms.


def test_stereo_matcher():
    right = np.roll(GRAY, -3, 1)
    for first in (0, -2, 2):
        matcher = rdpsegment.StereoMatcher(disparities=16, min_disparity=first)
        samples = rdpsegment.Processor(f"{STEREO} min-disparity={first}", PAIR)(GRAY, right).frame.astype("f8")
        steps, pixels = matcher.compute(GRAY, right), matcher.disparity(GRAY, right)
        known = samples > 0
        assert steps.dtype == "i2" and pixels.dtype == "f4" and 0 < known.mean() < 1
        assert (steps[~known] == 16 * (first - 1)).all() and np.isnan(pixels[~known]).all()
        assert np.array_equal(steps[known], np.floor(samples[known] / 16 + 0.5) + 16 * min(0, first))
        assert np.array_equal(pixels[known], (samples[known] / 256 + min(0, first)).astype("f4"))
        assert np.median(pixels[known]) == 3
        matcher.close()
        expect(lambda m=matcher: m.compute(GRAY, right), ValueError, "closed")


def test_tracker():
    tracker, same = rdpsegment.Tracker(cell=4), rdpsegment.Processor("klttrack cell=4")
    for number in range(4):
        frame = np.roll(GRAY, number, 1)
        found, expected = tracker.track(frame), same(frame).tracks
        ids, points, lost = found
        assert np.array_equal(found.tracks, expected.tracks) and np.array_equal(lost, expected.lost)
        assert np.array_equal(ids, expected.tracks["id"])
        assert np.array_equal(points, np.stack([expected.tracks["x"], expected.tracks["y"]], 1))
        assert np.array_equal(found.motion[:, 0], expected.tracks["dx"])
    own, blocks = rdpsegment.Tracker(detector="none"), np.kron(GRAY, np.ones((4, 4), "u1"))
    points = np.array([(20, 20), (40.5, 30)])
    assert own.track(blocks, points=points).points.tolist() == points.tolist()
    ids, moved, _ = own.track(np.roll(blocks, 1, 1), points=[(10, 10)])
    assert ids.tolist() == [1, 2, 3] and np.abs(moved[:2] - points - (1, 0)).max() < 0.05
    assert len(own.track(blocks, time=0).ids) == 0  # begins anew
    assert found.warps is None
    affine = rdpsegment.Tracker(warp="affine", cell=4)
    warps = [affine.track(np.roll(blocks, number, 1)).warps for number in range(3)]
    assert all(np.isfinite(each["a"]).all() for each in warps) and warps[2]["age"].max() == 2


def test_functions():
    """The same as a pipeline, each call for itself, whatever came before."""
    settings = {"focal_length": 60.0, "depth_unit": 0.001}
    expected = rdpsegment.Processor("depthplanes focal-length=60 depth-unit=0.001")(DEPTH)
    for _ in range(2):
        planes = rdpsegment.find_planes(DEPTH, **settings)
        assert np.array_equal(planes.planes, expected.planes.planes) and np.array_equal(planes.labels, expected.planes.labels)
        rdpsegment.find_planes(DEPTH[::2, ::2], **settings)
    assert planes.camera is None or planes.info.width == 161
    segments = rdpsegment.find_segments(DEPTH, **settings, **{"domain": "inverse", "epsilon": 10})
    again = rdpsegment.find_segments(DEPTH, **{"depth-unit": 0.001, "focal-length": 60, "domain": "inverse", "epsilon": 10})
    assert np.array_equal(segments.segments, again.segments) and np.isfinite(segments.points).all()
    ids = [rdpsegment.find_obstacles(DEPTH, camera_height=0.5, **settings).objects["age"] for _ in range(3)]
    assert all(np.array_equal(ages, ids[0]) for ages in ids)
    assert planes.info.ground < 0
    for up in ((0, 0, -1), np.array([0.0, 0, -1]), "<0.0,0.0,-1.0>"):
        assert rdpsegment.find_planes(DEPTH, up=up, **settings).info.ground == 0
    cloud = rdpsegment.find_planes(POINTS, cloud=True).labels
    assert np.array_equal(cloud, rdpsegment.Processor("depthplanes", cloud=True)(POINTS).planes.labels)
    for number in range(20):  # some are kept, and none is used up
        rdpsegment.find_segments(GRAY, epsilon=number)


if __name__ == "__main__":
    Gst.init(None)
    sys.exit(run_tests(globals()))
