"""`make golden`: write the golden transcripts and digests anew, on purpose."""

from __future__ import annotations

from tests.golden.transcript import FOLDER, GAMES, transcript
from tests.rules.digests import write_digests


def main() -> None:
    for name, (mode, seed) in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(transcript(mode, seed), encoding="utf-8")
    write_digests()
    print(f"wrote {len(GAMES)} transcripts and the digests; now read the diff")


main()
