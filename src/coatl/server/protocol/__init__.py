"""Every message of the server: what clients may send, what they get, and the error codes.

The documentation (docs/protocol.md), the OpenAPI description and the page's TypeScript types are
made from these modules (`make protocol`). The docstrings, and the comments behind or above the
fields, are part of them.
"""

# Whatever is public in these modules is public here.
# ruff: noqa: F403
from coatl.server.protocol.analyses import *
from coatl.server.protocol.catalogue import *
from coatl.server.protocol.client import *
from coatl.server.protocol.errors import *
from coatl.server.protocol.fields import *
from coatl.server.protocol.lessons import *
from coatl.server.protocol.puzzles import *
from coatl.server.protocol.replays import *
from coatl.server.protocol.rules import *
from coatl.server.protocol.server import *
from coatl.server.protocol.state import *
from coatl.server.protocol.tables import *

PROTOCOL = 2  # the version; it changes when clients have to
