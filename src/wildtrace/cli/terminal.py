"""What commands share: paths as options, and lines for the terminal that cannot drive it."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.text.printable import printable

# Whether a file may be read is found out where it is read: that is no usage error (decisions.md, rule 29).
FILE = click.Path(dir_okay=False, readable=False, path_type=Path)
FOLDER = click.Path(file_okay=False, readable=False, path_type=Path)


def tell(line: str, *, err: bool = False) -> None:
    """Print one line; what a file or a server put into it cannot move the cursor or colour the screen."""
    click.echo(printable(line), err=err)
