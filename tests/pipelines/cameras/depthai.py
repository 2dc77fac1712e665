# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for depthai, with what examples/python/depthai_camera.py uses of it, and no more.

Names, arguments, types and units are those of DepthAI 3.4 (depthai-core/bindings/python): what is not in it is
not here either. RDP_DEPTH_UNIT=0 in the environment: no camera. It is unplugged after scene.FRAMES frames.
"""

import datetime
import enum
import os
import types

import scene

FX, FY, CX, CY = 450.25, 449.75, 321.5, 165.0  # at 640x400
SIZE = 640, 400


class CameraBoardSocket(enum.Enum):
    AUTO, CAM_A, CAM_B, CAM_C = -1, 0, 1, 2


class DepthUnit(enum.Enum):
    METER, CENTIMETER, MILLIMETER, INCH, FOOT, CUSTOM = range(6)


LengthUnit = DepthUnit
METRES = {DepthUnit.METER: 1.0, DepthUnit.CENTIMETER: 0.01, DepthUnit.MILLIMETER: 0.001}


class StereoDepthConfig:
    class AlgorithmControl:
        DepthUnit = DepthUnit

    def __init__(self):
        self._unit = DepthUnit.MILLIMETER

    def setDepthUnit(self, unit):
        scene.check((unit,), DepthUnit)
        self._unit = unit
        return self

    def getDepthUnit(self):
        return self._unit


class ImgTransformation:
    def __init__(self, width, height):
        self._width, self._height = width, height

    def getIntrinsicMatrix(self):
        scale = self._width / SIZE[0]
        return [[FX * scale, 0.0, CX * scale], [0.0, FY * scale, CY * scale], [0.0, 0.0, 1.0]]

    def getSize(self):
        return self._width, self._height


class ImgFrame:
    def __init__(self, number, size, rate, unit):
        self._number, self._size, self._rate, self._unit = number, size, rate, unit

    def getWidth(self):
        return self._size[0]

    def getHeight(self):
        return self._size[1]

    def getTimestamp(self):
        return datetime.timedelta(seconds=5000 + self._number / self._rate)

    def getTransformation(self):
        return ImgTransformation(*self._size)

    def getFrame(self):
        (fx, _, cx), (_, fy, cy), _ = self.getTransformation().getIntrinsicMatrix()
        return scene.depth(self._number, *self._size, fx, fy, cx, cy, METRES[self._unit])


class MessageQueue:
    class QueueException(Exception):
        pass

    def __init__(self, stereo, pipeline):
        self._stereo, self._pipeline, self._number = stereo, pipeline, -1

    def get(self):
        if not self._pipeline._running:
            raise RuntimeError("the stand-in waits forever: the pipeline does not run")
        self._number += 1
        if self._number == scene.FRAMES:
            raise MessageQueue.QueueException("MessageQueue was closed")
        left = self._stereo._left
        return ImgFrame(self._number, left._size, left._rate, self._stereo.initialConfig._unit)


class Output:
    def __init__(self, pipeline, socket=None, size=None, rate=None):
        self._pipeline, self._socket, self._size, self._rate = pipeline, socket, size, rate

    def createOutputQueue(self, maxSize=16, blocking=False):
        scene.check((maxSize, blocking), int, bool)
        if self._pipeline._running:
            raise RuntimeError("the pipeline has been built: queues come before start ()")
        return MessageQueue(self._stereo, self._pipeline)


class Camera:
    def __init__(self, pipeline):
        self._pipeline = pipeline

    def build(self, boardSocket=CameraBoardSocket.AUTO, sensorResolution=None, sensorFps=None):
        scene.check((boardSocket,), CameraBoardSocket)
        self._socket = boardSocket
        return self

    def requestOutput(self, size, type=None, resizeMode=None, fps=None, enableUndistortion=None):
        scene.check((size, *size), tuple, int, int)
        scene.check((fps,), (int, float))
        return Output(self._pipeline, self._socket, size, fps)


class StereoDepth:
    def __init__(self, pipeline):
        self._pipeline = pipeline
        self.initialConfig = StereoDepthConfig()
        self.depth = Output(pipeline)
        self.depth._stereo = self

    def build(self, left, right, presetMode=None):
        scene.check((left, right), Output, Output)
        if (left._socket, right._socket) != (CameraBoardSocket.CAM_B, CameraBoardSocket.CAM_C):
            raise RuntimeError("the stereo pair of an OAK-D is CAM_B and CAM_C")
        self._left = left
        return self


node = types.SimpleNamespace(Camera=Camera, StereoDepth=StereoDepth)


class Pipeline:
    def __init__(self, createImplicitDevice=True):
        scene.check((createImplicitDevice,), bool)
        if os.environ.get("RDP_DEPTH_UNIT") == "0":
            raise RuntimeError("No available devices")
        self._running = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._running = False
        print("stopped")

    def create(self, class_):
        return class_(self)

    def start(self):
        self._running = True

    def stop(self):
        self._running = False

    def isRunning(self):
        return self._running
