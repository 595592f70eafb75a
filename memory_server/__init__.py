"""LightRAG behind its own REST API, for many isolated workspaces."""

import sys
from pathlib import Path

_BUNDLED = Path(__file__).with_name("bundled")
if _BUNDLED.is_dir():  # an installed wheel brings LightRAG along
    sys.path.insert(0, str(_BUNDLED))
