"""Settings from options, variables and a file: which one counts, and one line for a wrong one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from coatl.server.config import SettingsError, load_config
from coatl.server.settings import Expired


def load(text: str, folder: Path, given: Any = None, **variables: str) -> Any:
    file = folder / "coatl.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(given, file, variables)


def test_options_count_more_than_variables_and_these_more_than_the_file(tmp_path: Path) -> None:
    text = 'port = 1\nhost = "a"\nidle_seconds = 1\n'
    config = load(text, tmp_path, {"port": 3}, COATL_PORT="2", COATL_HOST="b")
    assert (config.options.port, config.options.host) == (3, "b")
    assert config.settings.idle_seconds == 1
    assert config.settings.connections == 4_000


def test_every_kind_of_value(tmp_path: Path) -> None:
    text = (
        'names = ["a.example", "b.example"]\nmetrics = true\nexpired = "keep"\n'
        'connections = 7\nhello_seconds = 2\ndata = "tables"\nmetrics_token = "x"\n'
    )
    config = load(text, tmp_path)
    assert config.options.names == ("a.example", "b.example")
    assert config.options.folder == tmp_path / "tables"  # beside the file
    assert config.settings.metrics is True
    assert config.settings.expired is Expired.KEEP
    assert (config.settings.connections, config.settings.hello_seconds) == (7, 2.0)
    assert config.settings.metrics_token == "x"
    assert "x'" not in repr(config.settings)  # a secret is not printed
    variables = {
        "COATL_NAMES": "a.example, b.example",
        "COATL_METRICS": "true",
        "COATL_DATA": "tables",
    }
    same = load_config(environment=variables)
    assert same.options.names == config.options.names
    assert same.settings.metrics
    assert same.options.folder == Path("tables")


def test_the_variable_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("port = 5\n")
    assert load_config(environment={"COATL_CONFIG": f"{tmp_path}/other.toml"}).options.port == 5


WRONG = [
    ("prot = 1", "prot is not a setting"),
    ("[limits]\nport = 1", "limits is not a setting"),
    ("port_file = 'x'", "port_file is not a setting"),
    ('port = "8642"', "port is a number, not '8642'"),
    ("port = true", "port is a number, not True"),
    ("connections = 1.5", "connections is a whole number, not 1.5"),
    ("connections = -1", "connections is 0 or more, not -1"),
    ("hello_seconds = inf", "hello_seconds is 0 or more, not inf"),
    ("hello_seconds = nan", "hello_seconds is 0 or more, not nan"),
    ("connections = inf", "connections is a number, not inf"),
    ("metrics = 1", "metrics is true or false, not 1"),
    ('names = "a"', "names is a list of texts, not 'a'"),
    ("names = [1]", "names is a list of texts, not [1]"),
    ("host = 1", "host is a text, not 1"),
    ('data = ""', "data is the name of a folder, not ''"),
    ('expired = "burn"', "expired is archive, delete, keep, not 'burn'"),
    ("expired = []", "expired is archive, delete, keep, not []"),
    ("metrics_token_file = 1", "metrics_token_file is the name of a file, not 1"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_a_wrong_value_is_named(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(text, tmp_path)
    assert str(error.value) == f"{tmp_path}/coatl.toml: {reason}"


@pytest.mark.parametrize("content", [b"port = \n", b"port = 1\nport = 2\n", b"\xff"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "coatl.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=f"^{file}: "):
        load_config(file=file, environment={})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"coatl.toml: No such file"):
        load_config(file=tmp_path / "coatl.toml", environment={})


@pytest.mark.parametrize("page", ["docs/cli.md", "docs/hosting.md"])
def test_the_files_in_the_documentation_are_right(tmp_path: Path, page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    (tmp_path / "metrics-token").write_text("secret")
    files = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert files
    for file in files:
        assert load(file, tmp_path).settings.metrics


# ---------------------------------------------------------------- secrets


def test_a_secret_can_have_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    assert load('metrics_token_file = "token"', tmp_path).settings.metrics_token == "secret"
    variables = {"COATL_METRICS_TOKEN_FILE": f"{tmp_path}/token"}
    assert load("", tmp_path, None, **variables).settings.metrics_token == "secret"
    config = load('metrics_token = "x"', tmp_path, None, **variables)
    assert config.settings.metrics_token == "secret"


def test_a_secret_is_given_once(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    with pytest.raises(SettingsError, match="and so is metrics_token; leave one of them out"):
        load('metrics_token_file = "token"\nmetrics_token = "x"', tmp_path)
    both = {"COATL_METRICS_TOKEN_FILE": f"{tmp_path}/token", "COATL_METRICS_TOKEN": "x"}
    with pytest.raises(SettingsError, match=r"^COATL_METRICS_TOKEN_FILE is given, and so is"):
        load("", tmp_path, None, **both)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, ": No such file or directory"), (b" \n", ", which is empty"), (b"\xff", "UTF-8")],
)
def test_a_secret_that_cannot_be_read(tmp_path: Path, content: bytes | None, reason: str) -> None:
    if content is not None:
        (tmp_path / "token").write_bytes(content)
    with pytest.raises(SettingsError, match=f"metrics_token_file is {tmp_path}/token.*{reason}"):
        load('metrics_token_file = "token"', tmp_path)
