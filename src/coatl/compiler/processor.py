"""Is this processor one that the compiled code is for? Asked without loading the compiler.

An image has code for one of the levels of x86-64 (``NUMBA_CPU_NAME``); a processor without what
that needs would end the process in the middle of a game, with nothing but "illegal instruction".
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

_V2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")
_V3 = (*_V2, "abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave")
LEVELS = {"x86-64-v2": _V2, "x86-64-v3": _V3}  # flags as Linux names them
CPU_INFO = Path("/proc/cpuinfo")


def missing_flags(level: str, cpu_info: str) -> list[str]:
    """What a level needs and the processor lacks; nothing if that is not known."""
    found = re.search(r"^flags\s*:(.*)$", cpu_info, re.MULTILINE)
    if found is None:
        return []
    flags = set(found[1].split())
    return [flag for flag in LEVELS.get(level, ()) if flag not in flags]


def unsuitable(environment: Mapping[str, str] = os.environ) -> str | None:
    """Why compiled code cannot run here, in one line; None if it can."""
    level = environment.get("NUMBA_CPU_NAME", "")
    if level not in LEVELS:
        return None
    try:
        missing = missing_flags(level, CPU_INFO.read_text(encoding="utf-8"))
    except OSError:  # not on Linux
        return None
    if not missing:
        return None
    return f"the rules are compiled for {level}, but this processor lacks {', '.join(missing)}"
