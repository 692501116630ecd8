"""Types of the plain arrays that compiled functions share with NumPy and PyTorch."""

from __future__ import annotations

import numpy as np

Int8Row = np.ndarray[tuple[int], np.dtype[np.int8]]
Int16Row = np.ndarray[tuple[int], np.dtype[np.int16]]
FloatRow = np.ndarray[tuple[int], np.dtype[np.float32]]
Int8Grid = np.ndarray[tuple[int, int], np.dtype[np.int8]]
Int16Grid = np.ndarray[tuple[int, int], np.dtype[np.int16]]
FloatGrid = np.ndarray[tuple[int, int], np.dtype[np.float32]]
DoubleRow = np.ndarray[tuple[int], np.dtype[np.float64]]
