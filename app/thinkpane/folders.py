"""Where settings, state and cache lie: the platform's folders, or all below THINKPANE_HOME."""

import os
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "THINKPANE_HOME"


@dataclass(frozen=True, slots=True)
class Folders:
    """config: settings, endpoints and own templates. state: recent files, autosaves, journals, the log. cache: what can
    be made anew.

    None of them is made here; whoever writes makes what it needs.
    """

    config: Path
    state: Path
    cache: Path

    @property
    def settings_file(self) -> Path:
        """The settings that a person changed."""
        return self.config / "settings.json"

    @property
    def own_templates(self) -> Path:
        """A person's own templates, a folder each."""
        return self.config / "templates"

    @property
    def removed_templates(self) -> Path:
        """Own templates that were removed, a folder each."""
        return self.state / "removed-templates"

    @property
    def endpoints_file(self) -> Path:
        """The endpoints, without any key."""
        return self.config / "endpoints.json"

    @property
    def recent_file(self) -> Path:
        """The documents that were open last."""
        return self.state / "recent.json"

    @property
    def recent_templates_file(self) -> Path:
        """The templates that were open last."""
        return self.state / "recent-templates.json"

    @property
    def tokenizer_choices_file(self) -> Path:
        """The tokenizers that were chosen by hand, by template."""
        return self.state / "tokenizers.json"

    @property
    def autosaves(self) -> Path:
        """Unsaved work."""
        return self.state / "autosaves"

    @property
    def journals(self) -> Path:
        """The raw bytes of replies."""
        return self.state / "journals"

    @property
    def layout_file(self) -> Path:
        """The window's geometry and splitters."""
        return self.state / "window.ini"


def folders() -> Folders:
    """The folders of this process."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        base = Path(home).expanduser().absolute()
        return Folders(base / "config", base / "state", base / "cache")
    from platformdirs import PlatformDirs

    found = PlatformDirs("thinkpane", appauthor=False)
    return Folders(found.user_config_path, found.user_state_path, found.user_cache_path)
