"""Backups that the server makes by itself every few hours, of which the newest are kept."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from coatl.server.backup import PARTIAL, BackupStopped, back_up
from coatl.server.database import StorageError
from coatl.server.settings import ServerSettings

logger = logging.getLogger("coatl.server.backup")

FOLDER = "backups"  # in the data folder, unless another is set
FORMAT = "coatl-%Y%m%dT%H%M%SZ.sqlite3"
NAME = re.compile(r"coatl-\d{8}T\d{6}Z\.sqlite3")
HOUR = 3_600.0
RETRY_SECONDS = 600.0  # after one that failed
FIRST_SECONDS = 60.0  # at least, after the start: it is busy enough


class BackupSchedule:
    """When the next one is due is told by the names of those that are there."""

    def __init__(self, file: Path, settings: ServerSettings) -> None:
        self._file = file
        self._folder = settings.backup_folder or file.parent / FOLDER
        self._seconds = settings.backup_hours * HOUR
        self._kept = settings.backups_kept
        self._stopped = threading.Event()

    async def run(self) -> None:
        """Until cancelled."""
        if not self._seconds:
            return
        pause = FIRST_SECONDS
        while True:
            await asyncio.sleep(max(pause, self.seconds_left(time.time())))
            is_made = await asyncio.to_thread(self.make, time.time())
            pause = 0.0 if is_made else RETRY_SECONDS

    def stop(self) -> None:
        """Give up the one that is being made."""
        self._stopped.set()

    def seconds_left(self, now: float) -> float:
        """Until the next one is due."""
        made = [_time_of(file) for file in self._backups()]
        return max(max(made) + self._seconds - now, 0.0) if made else 0.0

    def make(self, now: float) -> bool:
        """Make one now and delete those that are too old; was it made?"""
        began = time.monotonic()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._delete_partial()
            target = self._folder / datetime.fromtimestamp(now, UTC).strftime(FORMAT)
            size = back_up(self._file, target, lambda: not self._stopped.is_set())
            self._delete_old()
        except BackupStopped:
            return False
        except (StorageError, OSError) as error:
            logger.error("backup failed", extra={"fields": {"reason": str(error)[:200]}})
            return False
        seconds = round(time.monotonic() - began, 3)
        fields = {"file": target.name, "bytes": size, "seconds": seconds}
        logger.info("backup made", extra={"fields": fields})
        return True

    def _backups(self) -> list[Path]:
        """Those of the schedule, the oldest first; other files in the folder are left alone."""
        if not self._folder.is_dir():
            return []
        return sorted(file for file in self._folder.iterdir() if NAME.fullmatch(file.name))

    def _delete_old(self) -> None:
        if self._kept:
            for file in self._backups()[: -self._kept]:
                file.unlink()

    def _delete_partial(self) -> None:
        """Left behind by a server that was killed."""
        for file in self._folder.glob(f"coatl-*{PARTIAL}"):
            file.unlink()


def _time_of(file: Path) -> float:
    made = datetime.strptime(file.name, FORMAT)
    return made.replace(tzinfo=UTC).timestamp()
