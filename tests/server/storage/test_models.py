from __future__ import annotations

from sqlalchemy import BigInteger, Constraint
from sqlalchemy.schema import PrimaryKeyConstraint, UniqueConstraint

from samedrop_server.storage.models import Base

TIMES = {"created", "started", "finished"}


def test_every_constraint_and_index_has_a_name_by_the_convention() -> None:
    for table in Base.metadata.tables.values():
        kinds: dict[type[Constraint], str] = {PrimaryKeyConstraint: "pk", UniqueConstraint: "uq"}
        for constraint in table.constraints:
            prefix = kinds.get(type(constraint), "fk")
            assert str(constraint.name).startswith(f"{prefix}_{table.name}")
        for index in table.indexes:
            assert str(index.name).startswith(f"ix_{table.name}_")


def test_every_foreign_key_leads_to_a_key() -> None:
    for table in Base.metadata.tables.values():
        for constraint in table.foreign_key_constraints:
            targets = {element.column for element in constraint.elements}
            assert targets == set(constraint.referred_table.primary_key.columns)


def test_times_and_scores_hold_whole_numbers_of_53_bits() -> None:
    for table in Base.metadata.tables.values():
        for column in table.columns:
            if column.name in TIMES | {"score"}:
                assert isinstance(column.type, BigInteger)
