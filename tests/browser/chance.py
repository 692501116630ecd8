"""Nothing is left to chance: the same clicks give the same game, every time.

Drawn are the secrets of tables and what bots draw from, both in the server, and the nonces of
people, in the page.
"""

from __future__ import annotations

DRAW_IN_SERVER = "import secrets; secrets.token_hex = lambda count: '5' * 2 * count"
DRAW_IN_PAGE = """
(() => {
  const NONCE = 32; // bytes; shorter ones are ids, which have to differ
  const draw = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (bytes) => (bytes.length === NONCE ? bytes.fill(5) : draw(bytes));
})();
"""
