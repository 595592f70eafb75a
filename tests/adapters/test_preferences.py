"""Prompt sections and skills as the operator's files say, always the newest."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.preferences import FilePreferences, read_skill
from bot.errors import ConfigInvalid
from tests.cases import each_row

SHIPPED = Path(__file__).parents[2] / "preferences"
GOOD = "---\nname: devops\ndescription: Deploys with Docker.\n---\nBe careful."


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_what_ships_is_readable() -> None:
    """The sections and the skill that come with Mneme have nothing to report."""
    preferences = FilePreferences(SHIPPED)

    assert [section.name for section in preferences.sections()] == ["IDENTITY", "RULES"]
    assert [skill.name for skill in preferences.skills()] == ["meeting-notes"]
    assert preferences.problems() == ()


def test_identity_and_rules_come_first_the_others_by_name(tmp_path: Path) -> None:
    """Blank files and other endings do not count."""
    for name in ("ZEBRA.md", "RULES.md", "APPLE.md", "IDENTITY.md", "notes.txt"):
        write(tmp_path / "prompts" / name, f"\ufeffI am {name}.\r\n")
    write(tmp_path / "prompts" / "BLANK.md", " \n")

    sections = FilePreferences(tmp_path).sections()

    assert [section.name for section in sections] == ["IDENTITY", "RULES", "APPLE", "ZEBRA"]
    assert sections[0].text == "I am IDENTITY.md."


def test_no_folder_means_no_sections_and_no_skills(tmp_path: Path) -> None:
    """A fresh data directory works."""
    preferences = FilePreferences(tmp_path / "nowhere")

    assert preferences.sections() == ()
    assert preferences.skills() == ()


def test_edits_additions_and_removals_are_seen_at_once(tmp_path: Path) -> None:
    """No restart, no watcher: the next turn has the new text."""
    preferences = FilePreferences(tmp_path)
    rules = tmp_path / "prompts" / "RULES.md"
    write(rules, "one")
    first = preferences.sections()
    write(rules, "three")
    write(tmp_path / "skills" / "devops" / "SKILL.md", GOOD)
    second, skills = preferences.sections(), preferences.skills()
    rules.unlink()

    assert [s.text for s in first] == ["one"]
    assert [s.text for s in second] == ["three"]
    assert [s.name for s in skills] == ["devops"]
    assert preferences.sections() == ()


def test_a_broken_file_is_left_out_and_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others stay; looking again reports nothing new until the file changes; repaired, it is back."""
    preferences = FilePreferences(tmp_path)
    broken = tmp_path / "skills" / "broken" / "SKILL.md"
    write(tmp_path / "skills" / "devops" / "SKILL.md", GOOD)
    write(broken, "---\nname: [\n---\nx")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "BAD.md").write_bytes(b"line\n\xff")
    for _ in range(3):
        names = [skill.name for skill in preferences.skills()]
        preferences.sections()
    told = capsys.readouterr().out
    problems = preferences.problems()
    write(broken, GOOD.replace("devops", "mended"))

    assert names == ["devops"]
    assert told.count("skills/broken/SKILL.md") == 1
    assert told.count("prompts/BAD.md") == 1
    assert [problem.split(":")[0:2] for problem in problems] == [
        ["prompts/BAD.md", "2"],
        ["skills/broken/SKILL.md", "3"],
    ]
    assert [skill.name for skill in preferences.skills()] == ["devops", "mended"]
    assert len(preferences.problems()) == 1


def test_two_skills_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """The first folder's counts, the other is reported."""
    write(tmp_path / "skills" / "a" / "SKILL.md", GOOD)
    write(tmp_path / "skills" / "b" / "SKILL.md", GOOD.replace("devops", "DevOps").replace("careful", "bold"))
    preferences = FilePreferences(tmp_path)

    assert [skill.body for skill in preferences.skills()] == ["Be careful."]
    assert "two skills are called DevOps" in preferences.problems()[0]


def test_an_oversized_file_is_left_out(tmp_path: Path) -> None:
    """It would fill any model's context."""
    write(tmp_path / "prompts" / "HUGE.md", "x" * 300_000)
    preferences = FilePreferences(tmp_path)

    assert preferences.sections() == ()
    assert "too large" in preferences.problems()[0]


def test_a_skill_may_carry_further_keys_and_windows_line_ends() -> None:
    """Skills written for other assistants work here; a description over several lines becomes one."""
    text = (
        "\ufeff---\r\nname: devops\r\nlicense: MIT\r\ndescription: >-\r\n  Deploys\r\n  things.\r\n---\r\n\r\nGo.\r\n"
    )

    skill = read_skill(text)

    assert (skill.name, skill.description, skill.body) == ("devops", "Deploys things.", "Go.")


@each_row(
    ("text", "problem"),
    [
        ("", "no front matter"),
        ("name: x\n", "no front matter"),
        ("---\nname: x\ndescription: y\n", "no front matter"),
        ("---\n- a\n---\nb", "expected keys and values"),
        ("---\nname: x\nname: y\ndescription: z\n---\nb", "3: front matter is not YAML: duplicate key 'name'"),
        ("---\nname: x\n\tdescription: y\n---\nb", "front matter is not YAML"),
        ("---\nname: 7\ndescription: y\n---\nb", "name: expected"),
        ("---\nname: two words\ndescription: y\n---\nb", "name: expected"),
        ("---\nname: off\ndescription: y\n---\nb", "name: expected"),
        ("---\nname: x\n---\nb", "description: expected"),
        ("---\nname: x\ndescription: ''\n---\nb", "description: expected"),
        ("---\nname: x\ndescription: " + "y" * 1025 + "\n---\nb", "description: expected"),
        ("---\nname: x\ndescription: y\n---\n  \n", "no instructions"),
        ("---\nname: !!python/object/apply:os.system ['true']\ndescription: y\n---\nb", "front matter is not YAML"),
        ("---\nname: 2020-99-99\ndescription: y\n---\nb", "front matter is not YAML"),
        ("---\n? [a]\n: 1\nname: x\ndescription: y\n---\nb", "front matter is not YAML"),
        ("---\na: " + "[" * 5000 + "\n---\nb", "front matter is not YAML"),
    ],
)
def test_every_fault_of_a_skill_file_is_named(text: str, problem: str) -> None:
    """Missing parts, wrong types, duplicate keys, code and bombs are refused with a reason."""
    with pytest.raises(ConfigInvalid) as caught:
        read_skill(text)

    assert problem in str(caught.value)
