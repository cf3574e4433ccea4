"""WildTrace: does a language model really reason over long documents?

The names below are what a notebook needs (docs/python.md). They are loaded when they are first used, so that importing
the package, and every `--help`, stays cheap.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wildtrace.api import (
        Endpoint,
        Evaluation,
        Item,
        Judging,
        Response,
        Rows,
        RunConfig,
        Score,
        Span,
        Table,
        WildtraceError,
        compare,
        estimate,
        evaluate,
        ground,
        induce,
        ingest,
        judge,
        load_config,
        load_release,
        report,
        sample_release,
        serve_offline,
    )

__version__ = "0.1.0"

__all__ = [
    "Endpoint",
    "Evaluation",
    "Item",
    "Judging",
    "Response",
    "Rows",
    "RunConfig",
    "Score",
    "Span",
    "Table",
    "WildtraceError",
    "__version__",
    "compare",
    "estimate",
    "evaluate",
    "ground",
    "induce",
    "ingest",
    "judge",
    "load_config",
    "load_release",
    "report",
    "sample_release",
    "serve_offline",
]


class _Package(ModuleType):
    """The package as a module in which `evaluate` and the like stay functions.

    Importing the folder wildtrace/evaluate would otherwise replace the function of that name by the folder's module.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        from wildtrace import api  # noqa: PLC0415 - loaded on first use

        value = getattr(api, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
