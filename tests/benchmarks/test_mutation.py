"""The changes that the mutation run makes."""

from __future__ import annotations

import ast

from harness.mutation.mutants import ROOT, TARGETS, WAIVED, Target, mutants_of
from tests.cases import each_row

SOURCE = '''"""Docstring with 1 in it."""
LIMIT: int = 3


async def allowed(user: int, known: set[int]) -> bool:
    """Whether."""
    if user < LIMIT and user in known:
        raise ValueError
    await forget(user)
    log.info("said", number=user)
    return not known
'''


def test_every_kind_of_change_is_made_once() -> None:
    """Conditions, comparisons, and/or, not, numbers, calls, raises and returns; docstrings and log lines are left."""
    made = [(mutant.line, mutant.kind, mutant.after) for mutant in mutants_of("x.py", SOURCE)]

    assert sorted(made) == sorted(
        [
            (2, "off by one", "(4)"),
            (7, "negate", "(not (user < LIMIT and user in known))"),
            (7, "and/or", "(user < LIMIT or user in known)"),
            (7, "compare", "(user <= LIMIT)"),
            (7, "compare", "(user not in known)"),
            (8, "drop raise", "pass"),
            (9, "drop call", "pass"),
            (11, "return", "return True"),
            (11, "return", "return False"),
            (11, "drop not", "(known)"),
        ]
    )


@each_row("target", TARGETS)
def test_the_modules_and_their_tests_are_where_they_are_said_to_be(target: Target) -> None:
    """A renamed file would leave a mechanism unguarded in silence; what is changed is a program still."""
    for file in target.files:
        source = (ROOT / file).read_text(encoding="utf-8")
        changed = mutants_of(file, source)

        assert len(changed) > 3
        same = ast.dump(ast.parse(source))
        assert all(ast.dump(ast.parse(mutant.source)) != same for mutant in changed[::100])
    assert all((ROOT / test).exists() for test in target.tests)


def test_waivers_name_lines_that_exist_and_give_a_reason() -> None:
    """A line that was changed has to be looked at again."""
    for (file, waived), reason in WAIVED.items():
        line = waived.partition(" → ")[0]

        assert any(line == one.strip() for one in (ROOT / file).read_text(encoding="utf-8").splitlines()), waived
        assert len(reason) > 20
