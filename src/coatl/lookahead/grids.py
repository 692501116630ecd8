"""Types of the plain arrays that are shared with NumPy."""

from __future__ import annotations

import numpy as np

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
