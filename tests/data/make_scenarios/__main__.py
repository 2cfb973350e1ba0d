"""Write scenarios.jsonl."""

from __future__ import annotations

from . import SCENARIOS_FILE, text

SCENARIOS_FILE.write_text(text(), encoding="utf-8")
