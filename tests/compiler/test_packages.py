"""What the compiled code of a package is made from."""

from __future__ import annotations

from pathlib import Path

from coatl.compiler.packages import _imports
from coatl.rules import limits, turns


def test_a_module_imported_by_its_name_is_a_source(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("from coatl.rules import limits\nfrom coatl.rules import (\n    turns,\n)\n")
    found = _imports(file)
    assert Path(limits.__file__) in found
    assert Path(turns.__file__) in found
