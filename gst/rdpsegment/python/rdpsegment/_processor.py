# SPDX-License-Identifier: LGPL-2.1-or-later
"""Arrays in, arrays out: a pipeline that is called like a function."""

from __future__ import annotations

import difflib
import fractions
import functools
import math
import os
import re
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

from . import _arrays, _errors, _heights, _library, _motion, _obstacles, _planes, _run, _tracks
from ._fields import NO_TIME
from ._frame import Frame

if TYPE_CHECKING:
    import numpy.typing as npt

# The duration of one wait in C, in ns: Ctrl+C works after it.
_SLICE = 50_000_000
# The silent slices after which a marker is not waited for any more: where the frames are there, and else.
_SILENT_WITH_FRAMES, _SILENT = 5, 200
# The markers that take turns: one pad does not send one twice.
_MARKERS = 4
# The members of a result that elements find.
_KINDS = ("segments", "planes", "tracks", "motion", "heights", "obstacles", "camera")
_SOURCE = "appsrc name=rdp-in-{} format=time"
_SINK = "appsink name=rdp-out-{} sync=false qos=false wait-on-eos=false enable-last-sample=false"


def _member(read: Callable[[Any], Any]) -> Any:
    return functools.cached_property(lambda self: read(self.buffer))


class Processed:
    """The result of a call of a Processor: a frame that came out, and what elements found in it.

    Each member is read when it is first asked for, and is None where no element made such a thing.
    `Processed(sample)` reads a Gst.Sample of run() alike.
    """

    def __init__(self, sample: Any, layout: Any = _arrays, buffer: Any = None) -> None:
        self.buffer = sample.get_buffer() if buffer is None else buffer
        """The Gst.Buffer."""
        self._layout = _arrays.layout_of_caps(sample.get_caps()) if layout is _arrays else layout

    def __repr__(self) -> str:
        found = [name for name in _KINDS if getattr(self, name) is not None]
        return f"<rdpsegment.Processed at {self.time} s: {', '.join(['frame', *found])}>"

    @functools.cached_property
    def frame(self) -> npt.NDArray[Any]:
        """The frame, read-only, never the array that went in. What is neither video nor points is bytes."""
        return _arrays.array_of_buffer(self.buffer, self._layout)

    @property
    def time(self) -> float | None:
        """The time of the frame in seconds: that of the call, unless an element changes it."""
        return None if self.buffer.pts == NO_TIME else self.buffer.pts / 1e9

    # As the functions of these names read them.
    segments: Frame | None = _member(_library.segments)
    planes: _planes.Planes | None = _member(_planes.planes)
    tracks: _tracks.Tracks | None = _member(_tracks.tracks)
    motion: _motion.Motion | None = _member(_motion.motion)
    heights: _heights.Heights | None = _member(_heights.heights)
    obstacles: _obstacles.Obstacles | None = _member(_obstacles.obstacles)
    camera: dict[str, Any] | None = _member(_library.camera)


class Processor(_run.PipelineOwner):
    """A pipeline without sources and sinks that is called like a function: arrays in, a result out.

        stereo = rdpsegment.Processor("depthstereo name=d disparities=128 ! rdpsegment epsilon=2 "
                                      "sample-scale=0.00390625", inputs=("d.left", "d.right"))
        result = stereo(left, right)  # or left=..., right=..., and time=... in seconds
        print(result.frame, result.segments)

    `inputs` are the pads that take arrays, by default the beginning of the description; `outputs` the
    pads that give results, by default its end. With a tuple of outputs a call returns a dictionary.

    Arrays of uint8 and uint16 with two dimensions are gray images or depth. `format` names the colours
    of those with three, such as "BGR". With `cloud` arrays of float32, N x 3 or H x W x 3, and
    structured ones with x, y and z are points in metres. Any strides will do.

    `rate` is the number of calls in a second where they say no `time`. A time before the last one
    flushes the pipeline: trackers begin anew. No call waits for a clock.

    A call raises TypeError or ValueError for arrays that are no frames, GLib.Error where an element
    fails, and RuntimeError in a forked process or while another thread is in a call. After an element's
    error it is closed. Where an element drops the frame, the call returns None, and `dropped` says more.
    """

    _gray = False
    """True: uint8 of two dimensions is all that it takes."""
    dropped: tuple[str, str] | None
    """The element that dropped a frame of the last call, and what it says; None where none did."""

    def __init__(
        self, pipeline: str, inputs: str | Sequence[str] | None = None, outputs: str | Sequence[str] | None = None,
        *, rate: float = 30, format: str | None = None, cloud: bool = False,
    ) -> None:  # fmt: skip
        gst = _errors.gst()
        if not isinstance(pipeline, str) or not pipeline.strip():
            raise TypeError(f"expected elements as gst-launch-1.0 takes them, without source and sink, got {pipeline!r}")
        if format is not None and format not in _arrays.CHANNELS:
            raise ValueError(f"expected a format of {', '.join(_arrays.CHANNELS)}, got {format!r}")
        if not (isinstance(rate, (int, float)) and math.isfinite(rate) and rate > 0):
            raise ValueError(f"expected a rate of frames in a second, above 0, got {rate!r}")
        self._format, self._cloud = format, cloud
        fraction = fractions.Fraction(rate).limit_denominator(10000) or fractions.Fraction(1, 10000)
        self._rate = fraction.numerator, fraction.denominator
        self._inputs = (inputs,) if isinstance(inputs, str) else tuple(inputs or ("input",))
        self._outputs = (outputs,) if isinstance(outputs, str) else tuple(outputs or ("output",))
        self._many = outputs is not None and not isinstance(outputs, str)
        self.dropped = None
        super().__init__(gst, self._parsed(gst, pipeline, inputs is not None, outputs is not None))
        self._sources = [self.pipeline.get_by_name(f"rdp-in-{i}") for i in range(len(self._inputs))]
        self._sinks = [self.pipeline.get_by_name(f"rdp-out-{i}") for i in range(len(self._outputs))]
        self._markers = [[_marker(gst, i) for _ in self._inputs] for i in range(_MARKERS)]
        self._duration = 1_000_000_000 * self._rate[1] // self._rate[0]
        kinds = gst.MessageType
        self._wanted = kinds.APPLICATION | kinds.ERROR | kinds.WARNING | kinds.QOS | kinds.EOS
        self._layouts: list[Any] = [(None, None)] * len(self._inputs)  # the last kind of array, and its layout
        self._caps_in: list[str] = [""] * len(self._inputs)
        self._of_caps: list[Any] = [(None, None)] * len(self._outputs)  # the last ones, and their layout
        self._of_pool: list[Any] = [(None, False)] * len(self._outputs)  # the last one, and whether it has a limit
        self._calls = 0
        self._last = -1  # ns
        self._since = (0, 0)  # time that was said, and calls since
        self._stale = False
        self._expected, self._is_exact = 0, True
        self._passed: set[int] | None = None  # source pads
        self._lock = threading.Lock()

    def _parsed(self, gst: Any, text: str, has_inputs: bool, has_outputs: bool) -> Any:
        """The pipeline, with an appsrc for each input and an appsink for each output."""
        sources = [f"{_SOURCE.format(i)} ! {pad}" for i, pad in enumerate(self._inputs if has_inputs else [text])]
        sinks = [f"{pad} ! {_SINK.format(i)}" for i, pad in enumerate(self._outputs if has_outputs else [""])]
        parts = [text, *sinks, *sources] if has_inputs else [*sources, *sinks]
        from gi.repository import GLib

        try:
            pipeline = gst.parse_launch_full(" ".join(parts), None, gst.ParseFlags.FATAL_ERRORS)
        except GLib.Error as error:
            error.message += _hint(gst, error.message)
            raise
        pipeline.use_clock(None)
        pad = pipeline.find_unlinked_pad(gst.PadDirection.SINK)
        if pad is not None:
            name = f"{pad.get_parent_element().get_name()}.{pad.get_name()}"
            raise ValueError(f"expected an input for each pad, got none for {name}: inputs=(..., {name!r})")
        while (pad := pipeline.find_unlinked_pad(gst.PadDirection.SRC)) is not None:
            sink = gst.ElementFactory.make("fakesink")
            pipeline.add(sink)
            pad.link(sink.get_static_pad("sink"))
        for sink in filter(_is_sink, _run.each(pipeline.iterate_sinks())):
            sink.set_property("async", False)  # each of them plays, whatever comes to the others
        for i in range(len(self._outputs)):
            peer = pipeline.get_by_name(f"rdp-out-{i}").get_static_pad("sink").get_peer()
            if peer is not None and peer.find_property("drop") is not None:  # of pictures
                gst.util_set_object_arg(peer, "drop", "never")
        return pipeline

    def __call__(self, *arrays: Any, time: float | None = None, **named: Any) -> Any:
        """A Processed, or None where the frame was dropped; with several outputs a dictionary of them."""
        return self.process(arrays, named, time)

    def process(
        self, arrays: Sequence[Any], named: Mapping[str, Any] = {}, time: float | None = None,
        prepare: Callable[[Any], None] | None = None, anew: bool = False,
    ) -> Any:  # fmt: skip
        """The same as a call. `prepare` gets the Gst.Buffer of the first input, to put metadata on it.
        `anew`: flush the pipeline before."""
        if os.getpid() != self._process:
            raise RuntimeError(
                f"expected the process that made this processor, {self._process}, got {os.getpid()}, forked from it: "
                "make one here, in a process that multiprocessing.get_context('spawn') starts"
            )
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("expected one call at a time, got one during another: make a processor for each thread")
        try:
            self._check_open()
            frames = self._given(arrays, named)
            layouts = [self._layout_of(i, frame) for i, frame in enumerate(frames)]
            pts = self._time_of(time)
            buffers = [_arrays.buffer_of_array(frame, layout) for frame, layout in zip(frames, layouts)]
            if prepare is not None:
                prepare(buffers[0])
            self._stale |= anew
            return self._pass(buffers, layouts, pts)
        finally:
            self._lock.release()

    def _check_open(self) -> None:
        if not self._stop.alive:
            raise ValueError("this processor is closed: make another one")

    def _given(self, arrays: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arrays in the order of the inputs."""
        expected = f"expected {len(self._inputs)} array{'s'[: len(self._inputs) - 1]}: {', '.join(self._inputs)}"
        if len(arrays) > len(self._inputs):
            raise TypeError(f"{expected}, got {len(arrays)}")
        given = dict(zip(self._inputs, arrays))
        short = {name.rpartition(".")[2]: name for name in self._inputs}
        for name, array in named.items():
            full = name if name in self._inputs else short.get(name)
            if full is None or full in given:
                raise TypeError(f"{expected}, got {name}={' twice' if full else ''}")
            given[full] = array
        if missing := [name for name in self._inputs if name not in given]:
            raise TypeError(f"{expected}, got none for {', '.join(missing)}")
        return [_errors.numpy().asanyarray(given[name]) for name in self._inputs]

    def _layout_of(self, i: int, array: Any) -> _arrays.Layout:
        kind = type(array), array.dtype, array.shape
        if kind != self._layouts[i][0]:
            self._layouts[i] = kind, _arrays.layout_of(array, self._inputs[i], self._format, self._cloud, self._gray)
        layout: _arrays.Layout = self._layouts[i][1]
        return layout

    def _time_of(self, time: float | None) -> int:
        """The time of the frame in ns."""
        if time is None:
            start, calls = self._since
            return start + calls * 1_000_000_000 * self._rate[1] // self._rate[0]
        if not (isinstance(time, (int, float)) or hasattr(time, "__float__")) or not 0 <= float(time) < 9e9:
            raise ValueError(f"expected a time in seconds, 0 or more, got {time!r}")
        return round(float(time) * 1e9)

    def _pass(self, buffers: list[Any], layouts: list[_arrays.Layout], pts: int) -> Any:
        """The results of the frames."""
        try:
            if not self._started:
                self._begin()
            elif self._stale or pts < self._last:
                self._flush()
            self._stale = True  # until all of it is there
            self._calls += 1
            markers = self._markers[self._calls % _MARKERS]
            if self._passed is not None:
                self._passed.clear()
            for i, (buffer, layout) in enumerate(zip(buffers, layouts)):
                if layout.caps != self._caps_in[i]:
                    caps = layout.caps + ",framerate={}/{}".format(*self._rate)
                    self._sources[i].set_property("caps", _errors.gst().Caps.from_string(caps))
                    self._caps_in[i] = layout.caps
                buffer.pts, buffer.duration = pts, self._duration
                self._sources[i].emit("push-buffer", buffer)
                self._sources[i].send_event(markers[i])
            buffers.clear()
            del buffer  # where nobody else holds it, elements write to it without a copy
            samples, said = self._wait(f"rdp-marker-{self._calls % _MARKERS}")
        except _errors.Error:
            self.close()
            raise
        start = self._since if pts == self._time_of(None) else (pts, 0)
        self._since, self._last, self._stale = (start[0], start[1] + 1), pts, False
        results = [None if sample is None else self._result(i, sample) for i, sample in enumerate(samples)]
        self.dropped = None if None not in results else said or self._silent_drop()
        return dict(zip(self._outputs, results)) if self._many else results[0]

    def _begin(self) -> None:
        if not self._start():
            self._fail(self._bus.pop_filtered(_errors.gst().MessageType.ERROR))
        self._expected = max(1, sum(_paths(source.get_static_pad("src")) for source in self._sources))

    def _flush(self) -> None:
        gst = _errors.gst()
        for event in (gst.Event.new_flush_start, lambda: gst.Event.new_flush_stop(True)):
            for source in self._sources:
                source.send_event(event())

    def _fail(self, message: Any) -> None:
        error = _run.start_error() if message is None else _run.error_of(message)
        self.close()
        raise error

    def _wait(self, name: str) -> tuple[list[Any], tuple[str, str] | None]:
        """The last samples of the outputs behind all markers of that name, and what elements said."""
        kinds = _errors.gst().MessageType
        samples: list[Any] = [None] * len(self._sinks)
        seen, silent, said = 0, 0, None
        while seen < self._expected or not (self._is_exact or silent >= _SILENT_WITH_FRAMES or None not in samples):
            message = self._bus.timed_pop_filtered(_SLICE, self._wanted)
            if message is None:
                self._check_open()
                silent += 1
                self._pull(samples)
                if silent == _SILENT and not seen:
                    _run.warn(
                        "the call has waited for 10 s: an element computes for long, or keeps what it gets, as a closed "
                        "valve does; Ctrl+C ends the call"
                    )
                if seen and silent >= (_SILENT if None in samples else _SILENT_WITH_FRAMES):
                    self._expected, self._is_exact = seen, False  # an element keeps such events for itself
                elif any(sink.get_property("eos") for sink in self._sinks):
                    break
                continue
            silent = 0
            if message.type == kinds.APPLICATION:
                seen += message.get_structure().get_name() == name
                if not self._is_exact:
                    self._pull(samples)
            elif message.type == kinds.ERROR:
                self._fail(message)
            elif message.type == kinds.EOS:
                break
            elif message.type == kinds.QOS:
                said = message.src.get_name(), "the frame is late (QoS)"
            else:
                text = _run.text_of(message.src, *message.parse_warning())
                said = message.src.get_name(), text
                _run.warn(text)
        self._pull(samples)
        if seen < self._expected and None in samples:
            raise _errors.Error("an element has ended the stream, and no frame comes any more: make another processor")
        return samples, said

    def _pull(self, samples: list[Any]) -> None:
        for i, sink in enumerate(self._sinks):
            while (sample := sink.emit("try-pull-sample", 0)) is not None:
                samples[i] = sample

    def _result(self, i: int, sample: Any) -> Processed:
        buffer, caps = sample.get_buffer(), sample.get_caps()
        known, layout = self._of_caps[i]
        if known is None or not caps.is_equal(known):
            layout = _arrays.layout_of_caps(caps)
            self._of_caps[i] = caps, layout
        pool = buffer.pool
        if pool is not None:
            if pool is not self._of_pool[i][0]:
                limit = _errors.gst().BufferPool.config_get_params(pool.get_config())[-1]
                self._of_pool[i] = pool, limit > 0
            if self._of_pool[i][1]:  # whoever keeps results would use it up
                buffer = buffer.copy_deep()
        return Processed(sample, layout, buffer)

    def _silent_drop(self) -> tuple[str, str]:
        """The element that let no frame pass. From the first such frame on, all of them are looked after."""
        pads = [source.get_static_pad("src") for source in self._sources]
        if self._passed is not None:
            name = next(filter(None, (_dropper(pad, self._passed) for pad in pads)), "")
            return name, "it dropped the frame without a message"
        self._passed = passed = set[int]()
        ok, buffers = _errors.gst().PadProbeReturn.OK, _errors.gst().PadProbeType.BUFFER
        while pads:
            for pad in _next_pads(pads.pop())[1]:
                pad.add_probe(buffers, lambda pad, _: passed.add(hash(pad)) or ok)
                pads.append(pad)
        return "", "an element dropped the frame without a message; of the next one, its name will be known"


def near(name: str, elements: Iterable[Any]) -> str:
    """The property of elements whose name is most like this one; empty: none is."""
    names = [spec.name for element in elements for spec in element.list_properties()]
    return next(iter(difflib.get_close_matches(name, names, 1)), "")


def _hint(gst: Any, text: str) -> str:
    """What helps against an error of the parser, which names a property and its element."""
    words = re.findall('"([^"]*)"', text)[:2]
    element = gst.ElementFactory.make(words[1].rstrip("0123456789")) if len(words) == 2 else None
    if element is None:
        return ""
    spec = element.find_property(words[0])
    if spec is None:
        other = near(words[0], [element])
        return f": did you mean {other}?" if other else ""
    return f': write {spec.name}="<1.0,0.0,...>"' if spec.value_type.name == "GstValueArray" else ""


def _marker(gst: Any, number: int) -> Any:
    """An event that is sent behind a frame, of which each sink posts a message."""
    message = gst.Message.new_application(None, gst.Structure.new_empty(f"rdp-marker-{number}"))
    return gst.Event.new_sink_message("rdp-marker", message)


def _next_pads(pad: Any) -> tuple[Any, list[Any]]:
    """The element behind a source pad, and its source pads that get what this one sends."""
    peer = pad.get_peer()
    return (None, []) if peer is None else (peer.get_parent_element(), _run.each(peer.iterate_internal_links()))


def _paths(pad: Any) -> int:
    """The number of ways from a source pad to sinks: as many copies of an event arrive."""
    element, pads = _next_pads(pad)
    return 1 if element is not None and _is_sink(element) else sum(map(_paths, pads))


def _is_sink(element: Any) -> bool:
    return not element.srcpads and element.find_property("async") is not None


def _dropper(pad: Any, passed: set[int]) -> str:
    """The first element behind a source pad that let no frame pass; empty: there is none."""
    element, pads = _next_pads(pad)
    if element is not None and pads and not passed.intersection(map(hash, pads)):
        return str(element.get_name())
    return next(filter(None, (_dropper(next_pad, passed) for next_pad in pads)), "")
