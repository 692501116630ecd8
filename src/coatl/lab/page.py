"""The report of the lab as one HTML page that fetches nothing."""

from __future__ import annotations

from html import escape

from coatl.lab.findings import Findings
from coatl.lab.sections import LEAST, Section, Table, make_sections, table_name
from coatl.lab.setup import Setup

STYLE = """
:root{color-scheme:light dark;--line:#ccc;--soft:#f4f1ea}
@media (prefers-color-scheme:dark){:root{--line:#3a3f46;--soft:#22262b}}
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem}
nav a{margin-right:.8rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;white-space:nowrap}
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:Canvas}
th{background:var(--soft);vertical-align:bottom}
details{margin:.6rem 0}summary{cursor:pointer}
svg{width:100%;max-width:640px;height:auto}
"""
READING = f"""
<p>A share of a win that several share is their part of it. Every interval is a 95 % interval that
counts games, not seats. Differences are within the same place at the table. Among a hundred
intervals five miss the truth by chance, so a single one that just leaves out 0 says little.
Rows with fewer than {LEAST} seats, cards or Cóatl are in the CSV files only.</p>
<p><strong>Cause or not?</strong> What chance decided (the cards dealt at setup, a first card drawn
by lot) shows what something does. What a player decided (which card to fulfil, when to use a token)
goes along with being ahead or behind, and only shows what goes together. All of it is about this
bot: people play otherwise.</p>
"""


def make_page(setup: Setup, findings: Findings, interrupted: bool) -> str:
    sections = make_sections(findings)
    title = f"Cóatl lab: {sum(findings.sizes.values()):,} games of {setup.bot}"
    links = "".join(f'<a href="#{s.key}">{escape(s.title)}</a> ' for s in sections)
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(describe(setup, findings, interrupted))}</p>",
        READING,
        f"<nav>{links}</nav>",
        *(_section(section) for section in sections),
        "</body>\n</html>\n",
    ]
    return "\n".join(parts)


def describe(setup: Setup, findings: Findings, interrupted: bool) -> str:
    """What was played, in a sentence or two."""
    sizes = [f"{games:,} of {players}" for players, games in findings.sizes.items()]
    with_what = [
        "with Sacrifice tokens" if setup.tokens else "without Sacrifice tokens",
        *(["with the promo pack"] if setup.promo else []),
        *(["with fewer body segments"] if setup.fewer_bodies else []),
        *([f"with the deck {setup.deck}"] if setup.deck else []),
        *(["one first card a game by lot"] if setup.random_first_pick else []),
    ]
    text = f"Games by players: {', '.join(sizes)}; {', '.join(with_what)}; seed {setup.seed}."
    return f"{text} Interrupted: {setup.total:,} games were asked for." if interrupted else text


def _section(section: Section) -> str:
    parts = [f'<section id="{section.key}">\n<h2>{escape(section.title)}</h2>']
    parts.append(f"<p>{escape(section.text)}</p>")
    parts += section.pictures.values()
    for number, (players, table) in enumerate(section.tables.items()):
        if table.rows:
            is_open = ' open="open"' if number == 0 else ""
            parts.append(f"<details{is_open}><summary>{table_name(players)}</summary>")
            parts.append(f'<div class="wide">{_table(table)}</div></details>')
    return "\n".join([*parts, "</section>"])


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.headings)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
