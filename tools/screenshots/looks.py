"""The sizes, themes and languages in which every scene is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from tests.browser.windows import PHONE, Json

THEMES = ("light", "dark")
PHONE_WIDTH = 390


@dataclass(frozen=True)
class Window:
    """A browser window; its pictures in several themes are taken one after the other."""

    width: int
    height: int
    language: str = "en"
    themes: tuple[str, ...] = THEMES

    @property
    def is_phone(self) -> bool:
        return self.width == PHONE_WIDTH

    @property
    def options(self) -> Json:
        size: Json = {"viewport": {"width": self.width, "height": self.height}}
        return {**PHONE, **size} if self.is_phone else size

    def file_name(self, scene: str, theme: str) -> str:
        suffix = "" if self.language == "en" else f"-{self.language}"
        return f"{scene}-{self.width}-{theme}{suffix}.png"

    @property
    def label(self) -> str:
        size = f"{self.width}x{self.height}"
        return size if self.language == "en" else f"{size} {self.language}"


WINDOWS = (
    Window(PHONE_WIDTH, 844),
    Window(PHONE_WIDTH, 844, "fr", THEMES[:1]),
    Window(PHONE_WIDTH, 844, "de", THEMES[:1]),
    Window(820, 1180),
    Window(1440, 900),
    Window(1920, 1080),
)
