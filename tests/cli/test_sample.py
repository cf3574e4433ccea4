from pathlib import Path

from click.testing import CliRunner

from wildtrace.cli.main import main
from wildtrace.release.formats import load_items


def test_copy_writes_a_release_that_loads(tmp_path: Path) -> None:
    """The copied tasks are a data file, and every path written is printed."""
    result = CliRunner().invoke(main, ["sample", "copy", str(tmp_path / "sample")])
    assert 0 == result.exit_code
    assert 21 == len(load_items(tmp_path / "sample" / "tasks.json"))
    assert [str(path) for path in sorted((tmp_path / "sample").rglob("*.*"))] == sorted(result.output.splitlines())


def test_table_prints_a_line_a_task() -> None:
    """Heading and 21 tasks, with the clue that carries furthest alone."""
    result = CliRunner().invoke(main, ["sample", "table"])
    assert 0 == result.exit_code
    lines = result.output.splitlines()
    assert 22 == len(lines)
    assert ["task", "best", "single", "window", "all", "windows", "nothing", "reference", "answer"] == lines[0].split()
