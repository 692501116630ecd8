"""The documentation as a site: `make docs` (mkdocs.yml)."""
