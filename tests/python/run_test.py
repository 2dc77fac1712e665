#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rdpsegment.run(): the frames of pipelines, their errors and ends. Whatever does not end is stopped by
this test's own timeout. Reports in TAP."""

import atexit
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import gi
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pipelines"))
from tap import run_tests  # noqa: E402

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

import rdpsegment  # noqa: E402

SIZE = "video/x-raw,width=40,height=30,framerate=100/1"
SOURCE = f"depthtestsrc num-buffers=9 ! {SIZE}"
STALLED = "appsrc ! appsink"  # nothing ever comes


def frames_of(run):
    return [rdpsegment.segments(sample).info.frame for sample in run]


def error_of(function, kind):
    """What is raised. Its traceback would hold what the test looks for."""
    try:
        function()
    except kind as error:
        return error.with_traceback(None)
    raise AssertionError("nothing was raised")


def is_stopped(pipeline):
    return pipeline.get_state(0) == (Gst.StateChangeReturn.SUCCESS, Gst.State.NULL, Gst.State.VOID_PENDING)


def test_frames_to_the_end():
    run = rdpsegment.run(f"{SOURCE} ! rdpsegment ! appsink")
    assert frames_of(run) == list(range(9))
    assert is_stopped(run.pipeline) and next(run, None) is None and "closed" in repr(run)


def test_pipelines_of_ones_own():
    pipeline = Gst.parse_launch(f"depthtestsrc name=source ! {SIZE} ! rdpsegment ! appsink name=sink")
    run = rdpsegment.run(pipeline)
    assert run.pipeline == pipeline and run.sink == pipeline.get_by_name("sink")
    pipeline.get_by_name("source").set_property("num-buffers", 2)  # it has not started
    assert is_stopped(pipeline) and frames_of(run) == [0, 1]


def test_live():
    run = rdpsegment.run(f"depthtestsrc is-live=true num-buffers=4 ! {SIZE} ! rdpsegment ! appsink")
    assert frames_of(run) == [0, 1, 2, 3]


def test_texts_that_are_no_pipeline():
    for text, word in (("depthtestsrc ! ! appsink", "syntax error"), ("nosuchsrc ! appsink", "nosuchsrc"),
                       ("depthtestsrc patern=steps ! appsink", "patern"), ("", "empty")):  # fmt: skip
        error = error_of(lambda t=text: rdpsegment.run(t), GLib.Error)
        assert word in error.message, error
    assert "got 7" in str(error_of(lambda: rdpsegment.run(7), TypeError))


def test_which_appsink():
    several = "depthtestsrc num-buffers=1 ! appsink name=one depthtestsrc num-buffers=2 ! appsink name=two"
    for text, sink, words in (
        ("depthtestsrc ! fakesink", None, ("got none", "! appsink")),
        ("fakesrc", None, ("got none", "! appsink")),
        ("depthtestsrc ! fakesink", "one", ("it has none", "appsink name=one")),
        (several, None, ("got 2", "one, two", "sink='one'")),
        (several, "three", ("one, two", "sink='three'")),
        ("depthtestsrc name=source ! appsink name=one", "source", ("(one)", "sink='source'")),
    ):
        said = str(error_of(lambda t=text, s=sink: rdpsegment.run(t, s), ValueError))
        assert all(word in said for word in words), said
    # Nobody reads the other one, and it holds up nothing.
    assert len(list(rdpsegment.run(several, sink="one"))) == 1
    assert len(list(rdpsegment.run(several, sink="two"))) == 2
    assert len(list(rdpsegment.run("depthtestsrc num-buffers=1 ! bin.( appsink )"))) == 1


def test_several_sinks():
    """Tuples of one time, None where a sink has no such frame, whatever lies between the sinks."""

    def times_of(branches, **names):
        found = []
        try:
            for pair in rdpsegment.run(f"{SOURCE} ! tee name=t {branches}", **(names or {"sinks": ("a", "b")})):
                found.append(tuple(sample and sample.get_buffer().pts // 10_000_000 for sample in pair))
        except GLib.Error as error:
            found.append(error.message)
        return found

    both = [(n, n) for n in range(9)]
    assert times_of("t. ! queue ! appsink name=b t. ! queue ! identity sleep-time=2000 ! appsink name=a") == both
    assert times_of("t. ! appsink name=a max-buffers=1 t. ! appsink name=b") == both  # one thread, no queue
    assert times_of("t. ! queue ! appsink name=a t. ! queue ! appsink name=c", sinks=["c"]) == [(n,) for n in range(9)]
    half = times_of("t. ! queue ! appsink name=a t. ! queue ! videorate drop-only=true ! video/x-raw,framerate=50/1 ! appsink name=b")
    assert [a for a, _ in half] == list(range(9)) and {b for _, b in half} >= {None, 2, 4} and all(b in (None, a) for a, b in half)
    ends = times_of("t. ! queue ! appsink name=a t. ! identity eos-after=4 ! queue ! appsink name=b")
    assert ends[0] == (0, 0) and ends[-1][1] is None and [a for a, _ in ends] == list(range(len(ends))), ends
    *frames, error = times_of("t. ! queue ! appsink name=a t. ! queue ! identity error-after=4 ! appsink name=b")
    assert "Failed after" in error and frames[:2] == both[:2], (frames, error)
    # Two sources, of which one ends before the other: none of their frames is lost.
    for short, long in ("ab", "ba"):
        frames = times_of(f"t. ! queue ! fakesink depthtestsrc num-buffers=3 ! {SIZE} ! appsink name={short} "
                          f"depthtestsrc num-buffers=30 ! {SIZE} ! appsink name={long}")  # fmt: skip
        assert [pair if short == "a" else pair[::-1] for pair in frames] == [(n if n < 3 else None, n) for n in range(30)]
    none = times_of("t. ! queue ! appsink name=a t. ! queue ! identity drop-probability=1 ! appsink name=b")
    assert none == [(n, None) for n in range(9)]
    error = error_of(lambda: rdpsegment.run(f"{SOURCE} ! appsink name=a", sinks=("a", "c")), ValueError)
    assert "'c'" in str(error) and "(a)" in str(error)
    # One that drops all of an endless stream holds up nothing.
    run = rdpsegment.run(f"depthtestsrc ! {SIZE} ! tee name=t t. ! queue ! appsink name=a "
                         "t. ! queue ! identity drop-probability=1 ! appsink name=b", sinks=("a", "b"))  # fmt: skip
    assert [next(run)[1] for _ in range(5)] == [None] * 5


def test_error_before_the_first_frame():
    for sink in ("appsink", "queue ! appsink", "appsink drop=true max-buffers=1"):
        run = rdpsegment.run(f"filesrc location=nowhere/at-all ! {sink}")
        error = error_of(lambda r=run: next(r), GLib.Error)
        assert error.matches(Gst.ResourceError.quark(), Gst.ResourceError.NOT_FOUND), error
        assert "filesrc" in error.message and "nowhere/at-all" in error.message, error
        assert is_stopped(run.pipeline) and next(run, None) is None
    # rdpsegment's own, with what to do about it.
    run = rdpsegment.run("depthtestsrc ! rdpsegment calibration=nowhere.json ! appsink")
    said = error_of(lambda: next(run), GLib.Error).message
    assert "rdpsegment" in said and "nowhere.json" in said, said


def test_error_on_the_way():
    """The frames that the sink had before it come first, however slow the loop is."""
    for sink in ("appsink", "appsink sync=false", "appsink max-buffers=3 drop=true", "appsink max-buffers=1"):
        failed = threading.Event()
        run = rdpsegment.run(f"{SOURCE} ! identity error-after=4 ! rdpsegment ! {sink}")
        bus = run.pipeline.get_bus()
        bus.enable_sync_message_emission()
        bus.connect("sync-message::error", lambda *_, failed=failed: failed.set())
        taken = []

        def take(run=run, failed=failed, sink=sink, taken=taken):
            for sample in run:
                if "max-buffers=1" not in sink:  # there the loop makes room
                    failed.wait()
                taken.append(rdpsegment.segments(sample).info.frame)

        assert "Failed after iterations" in error_of(take, GLib.Error).message
        assert taken == [0, 1, 2], (sink, taken)
        assert is_stopped(run.pipeline)


def test_error_of_another_branch():
    """An endless stream of frames does not hide it."""
    run = rdpsegment.run(f"depthtestsrc ! {SIZE} ! appsink sync=false videotestsrc num-buffers=5 ! "
                         "identity error-after=3 ! fakesink")  # fmt: skip
    assert "Failed after" in error_of(lambda: [None for _ in run], GLib.Error).message


def test_pipeline_that_does_not_start():
    """Without a word of any element."""
    run = rdpsegment.run("appsrc ! appsink")
    assert run.pipeline.add(Gst.ElementFactory.make("fakesrc")) is not False
    run.pipeline.set_state = lambda state: Gst.StateChangeReturn.FAILURE
    error = error_of(lambda: next(run), GLib.Error)
    assert error.matches(Gst.CoreError.quark(), Gst.CoreError.STATE_CHANGE), error


def test_warnings():
    run = rdpsegment.run(f"{SOURCE} ! appsink")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for number, _ in enumerate(run):
            if number < 2:
                cause = GLib.Error(f"number {number}", "gst-stream-error-quark", 1)
                run.pipeline.post_message(Gst.Message.new_warning(run.sink, cause, "where\nwhat to do"))
    assert [w.category for w in said] == [RuntimeWarning] * 2, said
    assert [str(w.message) for w in said] == [
        f"{run.sink.get_name()}: number {number}\n  what to do" for number in (0, 1)
    ]
    assert all(w.filename == __file__ for w in said), said  # the loop's line


def test_queue_is_bounded():
    for properties, buffers, drop in (("", 4, False), ("max-buffers=9", 9, False), ("drop=true", 4, True),
                                      ("max-buffers=1 drop=true", 1, True)):  # fmt: skip
        sink = rdpsegment.run(f"{SOURCE} ! appsink {properties}").sink
        assert sink.get_property("max-buffers") == buffers and sink.get_property("drop") == drop, properties


def test_frames_wait_for_the_loop():
    """None is lost, and the source is never further than the queue."""
    made = []
    run = rdpsegment.run(f"{SOURCE} ! rdpsegment ! identity name=i ! appsink sync=false max-buffers=2")
    pad = run.pipeline.get_by_name("i").get_static_pad("src")
    pad.add_probe(Gst.PadProbeType.BUFFER, lambda *_: made.append(1) or Gst.PadProbeReturn.OK)
    for taken, sample in enumerate(run, 1):
        # Two in the queue, one in the sink's hands.
        assert len(made) <= taken + 3 and rdpsegment.segments(sample).info.frame == taken - 1
    assert len(made) == 9


def test_other_branches_go_to_their_end():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "segments.jsonl"
        run = rdpsegment.run(
            f"{SOURCE} ! rdpsegment ! tee name=t t. ! queue ! appsink sync=false "
            f"t. ! queue ! identity sleep-time=20000 ! rdpmetaconvert ! filesink location={path}"
        )
        assert len(list(run)) == 9
        assert len(list(rdpsegment.read(path))) == 9


def test_closed():
    """However it is left, the pipeline is at NULL at once, without the garbage collector."""

    def leave(run):
        for _ in run:
            break

    def fail(run):
        for _ in run:
            raise KeyError

    def with_statement(run):
        with run as frames:
            next(frames)

    def close(run):
        next(run)
        run.close()
        run.close()
        assert next(run, None) is None

    def never_started(run):
        return None

    gc.disable()
    try:
        for how in (leave, lambda r: error_of(lambda: fail(r), KeyError), with_statement, close, never_started, next):
            run = rdpsegment.run(f"depthtestsrc ! {SIZE} ! appsink")
            pipeline = run.pipeline
            how(run)
            del run
            assert is_stopped(pipeline), how
        run = rdpsegment.run("filesrc location=nowhere ! appsink")
        error_of(lambda: next(run), GLib.Error)
        alive = run._stop.peek
        del run
        assert alive() is None
    finally:
        gc.enable()


def test_loop_in_another_thread():
    """It is told that somebody closes the pipeline."""
    run = rdpsegment.run(STALLED)
    taken, ended = [], threading.Event()

    def loop():
        taken.extend(run)
        ended.set()

    thread = threading.Thread(target=loop)
    thread.start()
    while run.pipeline.target_state != Gst.State.PLAYING:
        time.sleep(0.001)
    run.close()
    thread.join()
    assert ended.is_set() and taken == [] and is_stopped(run.pipeline)

    frames = []
    thread = threading.Thread(target=lambda: frames.extend(rdpsegment.run(f"{SOURCE} ! appsink")))
    thread.start()
    thread.join()
    assert len(frames) == 9


def test_stopped_by_somebody_else():
    """The loop ends, whichever state is set, by which thread, while frames come or while none does."""
    for state in (Gst.State.NULL, Gst.State.READY):
        for part in ("pipeline", "sink"):
            run = rdpsegment.run(f"depthtestsrc ! {SIZE} ! appsink")
            for number, _ in enumerate(run):
                assert number < 10, (state, part)
                if number == 2:
                    getattr(run, part).set_state(state)
            assert is_stopped(run.pipeline) and next(run, None) is None, (state, part)

        run = rdpsegment.run(STALLED)
        thread = threading.Thread(target=lambda run=run: list(run), daemon=True)
        thread.start()
        while run.pipeline.target_state != Gst.State.PLAYING:
            time.sleep(0.001)
        run.pipeline.set_state(state)
        thread.join(20)
        assert not thread.is_alive() and is_stopped(run.pipeline), state
    # A pause is no end.
    run = rdpsegment.run(f"{SOURCE} ! appsink")
    next(run)
    run.pipeline.set_state(Gst.State.PAUSED)
    threading.Timer(0.3, lambda: run.pipeline.set_state(Gst.State.PLAYING)).start()
    assert len(list(run)) == 8


def status_of(process):
    """The exit status of a forked process; it has 20 s."""
    for _ in range(2000):
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return "it hangs"


def test_forked_processes():
    """They end, whatever they do with what they have of the pipeline, which goes on in its own process."""

    def refused(run):
        assert "forked" in str(error_of(lambda: next(run), rdpsegment.Error))
        assert "process" in repr(run)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            rdpsegment.run("appsrc ! appsink")
        assert "spawn" in str(said[0].message) and said[0].filename == __file__, said

    frames = [rdpsegment.run(f"depthtestsrc is-live=true ! {SIZE} ! appsink")]
    next(frames[0])
    for what in (lambda: None, frames.clear, frames[0].close, lambda: refused(frames[0]), lambda: frames[0].__exit__(None, None, None)):  # fmt: skip
        process = os.fork()
        if process == 0:
            try:
                what()
                sys.exit(0)  # with all that Python does at its end, but for this test's own
            except SystemExit:
                atexit._run_exitfuncs()
                os._exit(0)
            finally:
                os._exit(3)
        assert status_of(process) == 0
    # In the ordinary way, and of multiprocessing.
    program = (
        "import multiprocessing, os, sys, rdpsegment\n"
        f"run = rdpsegment.run('depthtestsrc is-live=true ! {SIZE} ! appsink')\n"
        "next(run)\n"
        "process = multiprocessing.get_context('fork').Process(target=lambda: run.close())\n"
        "process.start(); process.join(20); print(process.exitcode, flush=True)\n"
        "child = os.fork()\n"
        "if child: print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True); next(run)\n"
        "sys.exit(0)\n"
    )
    # From 3.12 on Python itself warns of forks beside threads.
    quiet = [sys.executable, "-W", "ignore:This process:DeprecationWarning"]
    result = subprocess.run([*quiet, "-c", program], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "0\n0\n", ""), result
    next(frames[0])


def test_files_come_as_fast_as_they_are_taken():
    """Unless the appsink says that it waits for the clock, or it is a pipeline of somebody's own."""
    for text, sync in (
        ("appsink", False), ("appsink name=sync", False), ("appsink sync=false", False), ("appsink sync=true", True),
        ("appsink name=a max-buffers=2 sync = true", True), ("appsink sync=1", True), ("bin.( appsink )", False),
        ('appsink name="appsink sync=true"', False), ("tee name=appsink ! appsink name=b", False),
    ):  # fmt: skip
        launch = f"depthtestsrc ! {text}"
        assert rdpsegment.run(launch).sink.get_property("sync") == sync, text
        pipeline = Gst.parse_launch(launch)
        before = rdpsegment.run(pipeline).sink.get_property("sync")
        assert before == (text != "appsink sync=false"), text
    # A value that looks like one stays what it is.
    run = rdpsegment.run(r'filesrc location="a ! appsink b" name=f ! appsink')
    assert run.pipeline.get_by_name("f").get_property("location") == "a ! appsink b"
    run = rdpsegment.run(r"filesrc location=a\ appsink\ b name=f ! appsink")
    assert run.pipeline.get_by_name("f").get_property("location") == "a appsink b"
    # Five minutes of film.
    start = time.monotonic()
    run = rdpsegment.run("depthtestsrc num-buffers=5 ! video/x-raw,width=40,height=30,framerate=1/60 ! appsink")
    assert len(list(run)) == 5 and time.monotonic() - start < 60


def test_rows_of_numpy():
    """Arrays whose rows are no multiple of 4 bytes: refused with the remedies, which both work."""
    gi.require_version("GstVideo", "1.0")
    from gi.repository import GstVideo

    height, width = 40, 61
    formats = {"GRAY8": ("u1", 1), "GRAY16_LE": ("<u2", 1), "RGB": ("u1", 3)}
    for element, name in (
        ("rdpsegment sample-scale=0.00390625", "GRAY16_LE"), ("rdpsegment", "GRAY8"),
        ("klttrack", "GRAY8"), ("depthplanes", "GRAY16_LE"), ("depthplanes", "GRAY8"),
        ("depthpoints focal-length=50 depth-unit=0.001", "GRAY16_LE"),
        ("depthstereo packing=top-bottom disparities=16", "GRAY8"),
        ("o.video depthtestsrc num-buffers=1 ! video/x-raw,width=61,height=40,framerate=10/1 ! rdpsegment ! o.segments "
         "rdpoverlay name=o", "RGB"),
    ):  # fmt: skip
        dtype, channels = formats[name]
        rows = np.random.default_rng(1).integers(1, 255, (height, width * channels)).astype(dtype)
        tight, stride = rows.shape[1] * rows.itemsize, (rows.shape[1] * rows.itemsize + 3) // 4 * 4
        for how in ("tight", "padded", "meta"):
            frames = rdpsegment.run(
                f"appsrc name=in format=time caps=video/x-raw,format={name},width={width},height={height},framerate=10/1 ! "
                f"{element} ! appsink")  # fmt: skip
            data = rows if how != "padded" else np.pad(rows, ((0, 0), (0, (stride - tight) // rows.itemsize)))
            buffer = Gst.Buffer.new_wrapped(data.tobytes())
            buffer.pts = 0
            if how == "meta":
                GstVideo.buffer_add_video_meta_full(
                    buffer, GstVideo.VideoFrameFlags.NONE, GstVideo.VideoFormat.from_string(name), width, height, 1,
                    [0, 0, 0, 0], [tight, 0, 0, 0])  # fmt: skip
            source = frames.pipeline.get_by_name("in")
            source.emit("push-buffer", buffer)
            source.emit("end-of-stream")
            if how != "tight":
                assert len(list(frames)) == 1, (element, name, how)
                continue
            said = error_of(lambda frames=frames: list(frames), GLib.Error).message
            for word in (f"has {tight * height}", f"takes {stride * height}", f"from {tight} to {stride}", "numpy.pad",
                         f"GstVideoMeta with the stride {tight}"):  # fmt: skip
                assert word in said, (element, name, said)


def interrupted(code):
    """How a program ends that gets Ctrl+C after its line "now"."""
    program = subprocess.Popen(
        [sys.executable, "-c", f"import rdpsegment\n{code}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert program.stdout.readline() == "now\n", program.communicate()
    program.send_signal(signal.SIGINT)
    out, err = program.communicate()
    return out, err.strip().splitlines()[-1]


def test_ctrl_c():
    out, last = interrupted(
        "import threading, time\n"
        f"run = rdpsegment.run('{STALLED}')\n"
        "def say():\n"
        "    while run.pipeline.target_state.value_nick != 'playing':\n"
        "        time.sleep(0.001)\n"
        "    print('now', flush=True)\n"
        "threading.Thread(target=say).start()\n"
        "try:\n"
        "    next(run)\n"
        "finally:\n"
        "    print(run)\n"
    )
    assert last == "KeyboardInterrupt" and "closed" in out, (out, last)
    # While another branch goes on for ever after the appsink's own end.
    out, last = interrupted(
        "run = rdpsegment.run('depthtestsrc num-buffers=1 ! appsink fakesrc is-live=true ! fakesink')\n"
        "for _ in run:\n    print('now', flush=True)\n"
    )
    assert last == "KeyboardInterrupt", last


def test_nothing_is_left():
    """At the end of a program that forgot it."""
    result = subprocess.run(
        [sys.executable, "-c", f"import rdpsegment\nrun = rdpsegment.run('depthtestsrc ! {SIZE} ! appsink')\nnext(run)"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert (result.returncode, result.stdout, result.stderr) == (0, "", ""), result


if __name__ == "__main__":
    Gst.init(None)
    sys.exit(run_tests(globals()))
