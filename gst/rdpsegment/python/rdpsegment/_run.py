# SPDX-License-Identifier: LGPL-2.1-or-later
"""The frames of a pipeline, one after the other, and its errors as exceptions."""

from __future__ import annotations

import collections
import ctypes
import os
import re
import sys
import warnings
import weakref
from typing import Any, Iterator, Sequence, TypeVar

from . import _errors

# The duration of one wait in C, in ns. Only there does Python look for Ctrl+C, and this module at the
# bus. A frame ends the wait at once.
_SLICE = 50_000_000
# The number of frames that an appsink keeps if the pipeline does not set it.
_MAX_BUFFERS = 4
# The frames that wait for one of another sink before that one counts as dropped.
_MAX_WAITING = 64
_LIMITS = ("max-buffers", "max-bytes", "max-time")
# The parts of a description as gst-launch-1.0 reads it: words, in which quotes and backslashes hide
# anything, and signs.
_PARTS = re.compile(r"""(?:\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s"'\\!()=;,{}])+|[!()=;,{}]""", re.DOTALL)

# The processes in which pipelines have started: this one, and those that it was forked from.
_processes: set[int] = set()


def warn(text: str) -> None:
    """A RuntimeWarning at the line that has called this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RuntimeWarning, stacklevel=level)


class PipelineOwner:
    """An owner of a pipeline, which stops when its last owner is gone."""

    pipeline: Any
    """The Gst.Pipeline. It starts when the first frame is asked for."""

    def __init__(self, gst: Any, pipeline: Any) -> None:
        if _processes - {os.getpid()}:
            warn(
                "this process was forked from one that had started a pipeline, whose threads it has not: "
                "GStreamer may hang here. Start it with multiprocessing.get_context('spawn')"
            )
        self.pipeline = pipeline
        self._bus = pipeline.get_bus()
        self._started = False
        self._process = os.getpid()
        # It holds no reference to this object: whoever lets go of the last one stops the pipeline.
        self._stop = weakref.finalize(self, _stop, gst, pipeline, self._process)

    def __repr__(self) -> str:
        state = "closed" if not self._stop.alive else "running" if self._started else "not started"
        state = state if os.getpid() == self._process else f"of process {self._process}"
        return f"<rdpsegment.{type(self).__name__} of {self.pipeline.get_name()}, {state}>"

    def __enter__(self: O) -> O:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Sets the pipeline to NULL. A loop or a call in another thread ends."""
        self._stop()

    def _start(self) -> bool:
        gst = _errors.gst()
        self._started = True
        _processes.add(os.getpid())
        result = self.pipeline.set_state(gst.State.PLAYING)
        return bool(result != gst.StateChangeReturn.FAILURE)


O = TypeVar("O", bound=PipelineOwner)


class Run(PipelineOwner, Iterator[Any]):
    """The samples that reach the appsink of a pipeline: see run()."""

    sink: Any
    """The appsink, or the first of several."""

    def __init__(
        self, pipeline: str | Any, sink: str | None = None, sinks: Sequence[str] | None = None
    ) -> None:
        gst = _errors.gst()
        super().__init__(gst, _pipeline_of(gst, pipeline))
        self._sinks = _sinks_of(gst, self.pipeline, sink if sinks is None else tuple(sinks))
        self.sink = self._sinks[0]
        for each_sink in self._sinks:
            if not any(each_sink.get_property(name) for name in _LIMITS if each_sink.find_property(name)):
                each_sink.set_property("max-buffers", _MAX_BUFFERS)
        self._most = [each_sink.get_property("max-buffers") for each_sink in self._sinks]
        if sinks is not None:
            # One thread may serve several, so none waits for the others before it plays. A sink that is full, or
            # that waits at the end, could not begin to play then.
            for each_sink in self._sinks:
                for name, value in (("async", False), ("wait-on-eos", False), ("max-buffers", 0)):
                    each_sink.set_property(name, value)
        # The samples of each of several sinks that wait for those of the others.
        self._waiting = None if sinks is None else [collections.deque[Any]() for _ in self._sinks]
        self._ended = False  # the whole pipeline
        self._error: Exception | None = None
        self._left = 0  # frames that come before the error

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Any:
        """The next Gst.Sample. Raises GLib.Error where an element failed."""
        try:
            sample = self._next()
        except BaseException:  # Ctrl+C as well
            self.close()
            raise
        if sample is None:
            self.close()
            raise StopIteration
        return sample

    def _next(self) -> Any:
        if os.getpid() != self._process:
            raise _errors.Error(
                f"expected the process that made this pipeline, {self._process}, got {os.getpid()}, forked from "
                "it: a fork has none of the threads. Read the frames there, or call run() in a process "
                "that multiprocessing.get_context('spawn') starts"
            )
        if not self._started and self._stop.alive and not self._start():
            self._listen(0)
            raise self._take_error()
        while self._stop.alive:
            self._listen(0)
            if self._error is not None and self._left == 0:
                raise self._take_error()
            if self._waiting is None:
                sample = self.sink.emit("try-pull-sample", _SLICE)
            else:
                sample = self._take_tuple(self._waiting)
            if sample is not None:
                self._left -= self._error is not None
                return sample
            if self._error is not None:
                raise self._take_error()
            if self._ended or self._is_stopped():
                return None
            if all(each_sink.get_property("eos") for each_sink in self._sinks):  # then it does not wait, but other branches may go on
                self._listen(_SLICE)
        return None

    def _start(self) -> bool:
        good = super()._start()
        for sink, most in zip(self._sinks, self._most) if self._waiting is not None else ():
            sink.set_property("max-buffers", most)
        return good

    def _take_tuple(self, waiting: list[collections.deque[Any]]) -> tuple[Any, ...] | None:
        """The earliest frame of all sinks, once each has told whether it has it; None: not yet."""
        lack = not all(waiting)
        for sink, samples in zip(self._sinks, waiting):
            # Sinks that have a sample go on, too, lest they hold up the others.
            if lack and (sample := sink.emit("try-pull-sample", 0 if samples else _SLICE)) is not None:
                samples.append(sample)
        is_known = all(
            samples or self._error is not None or sink.get_property("eos")
            for sink, samples in zip(self._sinks, waiting)
        )
        if not any(waiting) or not (is_known or max(map(len, waiting)) > _MAX_WAITING):
            return None
        earliest = min(samples[0].get_buffer().pts for samples in waiting if samples)
        return tuple(
            samples.popleft() if samples and samples[0].get_buffer().pts == earliest else None for samples in waiting
        )

    def _is_stopped(self) -> bool:
        """Somebody else has set the pipeline, or the appsink, to READY or NULL: no frame comes any more,
        and no message says so."""
        paused = _errors.gst().State.PAUSED
        return any(element.target_state < paused for element in (self.pipeline, *self._sinks))

    def _take_error(self) -> Exception:
        """The error, which is kept no longer: its traceback refers to this object."""
        error, self._error = self._error, None
        return error or start_error()

    def _listen(self, wait: int) -> None:
        """Takes all messages from the bus; waits for the first. Nobody else takes any."""
        gst = _errors.gst()
        kinds = gst.MessageType
        wanted = kinds.ERROR | kinds.WARNING | kinds.EOS | kinds.LATENCY | kinds.CLOCK_LOST
        while (message := self._bus.timed_pop_filtered(wait, wanted)) is not None:
            wait = 0
            if message.type == kinds.ERROR:
                if self._error is None:  # the others follow from the first
                    self._error = error_of(message)
                    self._left = sum(most or _MAX_BUFFERS for most in self._most) + sum(map(len, self._waiting or ()))
            elif message.type == kinds.WARNING:
                warn(text_of(message.src, *message.parse_warning()))
            elif message.type == kinds.EOS:
                self._ended = True
            elif message.type == kinds.LATENCY:
                self.pipeline.recalculate_latency()
            elif message.type == kinds.CLOCK_LOST and self.pipeline.target_state == gst.State.PLAYING:
                # PLAYING finds another one
                self.pipeline.set_state(gst.State.PAUSED)
                self.pipeline.set_state(gst.State.PLAYING)


def _stop(gst: Any, pipeline: Any, process: int) -> None:
    if os.getpid() == process:
        pipeline.set_state(gst.State.NULL)
    else:  # a fork: it may not even let go of the pipeline, whose threads and locks are its parent's
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(pipeline))


def _unhurried(description: str) -> str:
    """The description, in which an appsink that says nothing of `sync` gives frames as fast as they are
    taken. What it says comes later, and counts."""
    parts = list(_PARTS.finditer(description))
    pieces: list[str] = []
    done = 0
    for number, part in enumerate(parts):
        before = parts[number - 1] if number else None
        after = parts[number + 1][0] if number + 1 < len(parts) else ""
        is_value = before is not None and (
            before[0] in "={," or (before[0] == ")" and before.end() == part.start())
        )
        if part[0] == "appsink" and after != "=" and not is_value:
            pieces += [description[done : part.end()], " sync=false"]
            done = part.end()
    return "".join([*pieces, description[done:]])


def _pipeline_of(gst: Any, given: Any) -> Any:
    if isinstance(given, str):
        given = gst.parse_launch_full(_unhurried(given), None, gst.ParseFlags.FATAL_ERRORS)
    if isinstance(given, gst.Pipeline):
        return given
    if not isinstance(given, gst.Element):
        raise TypeError(f"expected a pipeline as gst-launch-1.0 takes it, or a Gst.Pipeline, got {given!r}")
    pipeline = gst.Pipeline()  # a launch line of one element makes no pipeline
    pipeline.add(given)
    return pipeline


def each(iterator: Any) -> list[Any]:
    """All items of a Gst.Iterator."""
    results = _errors.gst().IteratorResult
    found: list[Any] = []
    while True:
        result, item = iterator.next()
        if result == results.OK:
            found.append(item)
        elif result == results.RESYNC:
            iterator.resync()
            found.clear()
        else:
            return found


def _sinks_of(gst: Any, pipeline: Any, wanted: str | tuple[str, ...] | None) -> list[Any]:
    """The appsinks of these names, or the only one. Others do not hold up the end of the pipeline."""
    found = reversed(each(pipeline.iterate_all_by_element_factory_name("appsink")))  # bins have the first one last
    sinks = {sink.get_name(): sink for sink in found}
    names = ", ".join(sinks)
    if not wanted and len(sinks) != 1:
        raise ValueError(
            f"expected one appsink in the pipeline, got {len(sinks)} ({names}): say which, "
            f"sink={next(iter(sinks))!r}, or sinks=({', '.join(map(repr, sinks))})"
            if sinks
            else "expected an appsink in the pipeline, got none: end it with ! appsink"
        )
    chosen = []
    for name in [wanted] if isinstance(wanted, str) else wanted or [names]:
        if name not in sinks:
            raise ValueError(
                f"expected the name of an appsink in the pipeline ({names or 'it has none'}), got sink={name!r}: "
                f"write appsink name={name}"
            )
        chosen.append(sinks.pop(name))
    for other in sinks.values():
        other.set_property("wait-on-eos", False)
    return chosen


def start_error() -> Exception:
    """The error where no element has one."""
    return _error(
        "the pipeline does not start, and no element says why: GST_DEBUG=3 shows more", "gst-core-error-quark", 4
    )


def error_of(message: Any) -> Exception:
    error, details = message.parse_error()
    return _error(text_of(message.src, error, details), error.domain, error.code)


def _error(text: str, domain: str, code: int) -> Exception:
    from gi.repository import GLib

    result: Exception = GLib.Error(text, domain, code)
    return result


def text_of(element: Any, error: Any, details: str | None) -> str:
    """As gst-launch-1.0 prints it, without the place in the element's source code."""
    more = [line for line in (details or "").splitlines()[1:] if line.strip()]
    name = f"{element.get_name()}: " if element is not None else ""
    return "\n  ".join([f"{name}{error.message}", *more])


def run(pipeline: str | Any, sink: str | None = None, sinks: Sequence[str] | None = None) -> Run:
    """The frames of a pipeline that ends in an appsink, one Gst.Sample after the other.

        for sample in rdpsegment.run("depthtestsrc num-buffers=3 ! rdpsegment ! appsink"):
            print(rdpsegment.segments(sample))

    `pipeline` is what gst-launch-1.0 takes, or a Gst.Pipeline. `sink` is the name of the appsink
    where there are several. With several `sinks` each frame is a tuple of their samples of one time
    (PTS), with None for a sink that dropped it. A sink keeps 4 frames, unless the pipeline says `max-buffers`, and the
    pipeline waits for the loop; `appsink drop=true` keeps the latest instead. The frames of a file
    come as fast as the loop takes them; `appsink sync=true` gives them in real time. A Gst.Pipeline
    stays as it is.

    The pipeline starts with the first frame that is asked for and ends where all of it has ended,
    files of other branches included. What an element reports as an error is raised as GLib.Error,
    with the element's text, after the frames that were there before it; warnings go to `warnings`.
    It is set to NULL at the end, after an error, after Ctrl+C, when close() is called, a `with` is
    left, or nobody holds the result any more. The loop ends where somebody else sets the pipeline or
    the appsink to NULL or READY. A forked process leaves the pipeline alone, and gets an Error where
    it asks for a frame.

    Raises GLib.Error where the text is no pipeline, ValueError where there is no such appsink.
    """
    return Run(pipeline, sink, sinks)
