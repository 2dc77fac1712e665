# SPDX-License-Identifier: LGPL-2.1-or-later
"""Errors, and the modules that may be missing."""

from __future__ import annotations

import contextlib
import functools
import importlib
from typing import Any, Iterator


class Error(Exception):
    """The parent of all errors that this module raises."""


class FormatError(Error, ValueError):
    """A file or bytes that hold no valid metadata. Says where, what was expected and what came."""


class SegmentsLost(Error):
    """The segments were on a GPU that failed before they were read."""


class TracksLost(Error):
    """The tracks were on a GPU that failed before they were read."""


class LabelsLost(Error):
    """The labels of planes were on a GPU that failed before they were read."""


class MissingModule(Error, ImportError):
    """Something has to be installed for what was asked."""


@functools.lru_cache(maxsize=None)
def numpy() -> Any:
    """The module numpy."""
    try:
        return importlib.import_module("numpy")
    except ImportError as error:
        raise MissingModule(
            "the arrays of segments and planes need numpy, which this Python does not find: install it "
            "(Debian: python3-numpy, else: pip install numpy), or run a Python that has it, such as "
            f"/usr/bin/python3. {error}"
        ) from error


@contextlib.contextmanager
def library_errors(kind: type[Error] = Error) -> Iterator[None]:
    """What functions of the library raise, as an error of this module."""
    from gi.repository import GLib

    try:
        yield
    except GLib.Error as error:
        raise kind(error.message) from error


@functools.lru_cache(maxsize=None)
def gst() -> Any:
    """GStreamer, initialised."""
    result = repository("Gst", "install it (Debian: gir1.2-gstreamer-1.0)")
    if not result.is_initialized():
        result.init(None)
    return result


@functools.lru_cache(maxsize=None)
def gir() -> Any:
    """The library libgstrdpsegment-1.0 through GObject introspection, GStreamer initialised."""
    gst()
    return repository(
        "GstRdpSegment",
        "install rdpsegment, run inside `meson devenv -C build`, or set GI_TYPELIB_PATH to the "
        "folder of GstRdpSegment-1.0.typelib",
    )


@functools.lru_cache(maxsize=None)
def repository(name: str, remedy: str = "install it (Debian: gir1.2-gst-plugins-base-1.0)") -> Any:
    """The module of a typelib."""
    try:
        gi = importlib.import_module("gi")
    except ImportError as error:
        raise MissingModule(
            "pipelines, buffers, points, and the classes of the binary form need PyGObject (the "
            "module gi), which this Python does not find: install it (Debian: python3-gi), or run a "
            f"Python that has it, such as /usr/bin/python3. {error}"
        ) from error
    try:
        gi.require_version(name, "1.0")
    except ValueError as error:
        raise MissingModule(f"the typelib {name}-1.0 is not found: {remedy}. {error}") from error
    try:
        return importlib.import_module(f"gi.repository.{name}")
    except ImportError as error:
        raise MissingModule(f"the typelib {name}-1.0 does not load: {error}") from error
