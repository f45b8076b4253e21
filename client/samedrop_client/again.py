"""Playing a deal again that was played before: live, alone, or days later."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from samedrop_protocol import model
from samedrop_protocol.model import Settings


def settings_on(deal: model.Deal, settings: Settings | None = None) -> Settings:
    """Settings that deal exactly that; all else (limits, rivals, …) is as in `settings`.

    Raises:
        ValueError: neither seed nor tape of the deal is disclosed, as on the day of a daily deal.
    """
    if deal.seed is UNSET and deal.tape is UNSET:
        raise ValueError("the deal is not disclosed yet")
    return replace(
        settings or Settings(),
        game=deal.game,
        version=deal.version,
        options=deal.options,
        seed=None if deal.seed is UNSET else deal.seed,
        tape=None if deal.tape is UNSET else deal.tape,
        daily=False,
    )
