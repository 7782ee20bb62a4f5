"""`make bench`: every benchmark in turn; exit code 1 if a limit is missed."""

from __future__ import annotations

import sys

from benchmarks import (
    agreement,
    checks,
    coverage,
    crowd_models,
    edit_suggestions,
    editor,
    export_memory,
    imports,
    lexical,
    long_texts,
    metrics,
    overview,
    page_weight,
    parser,
    potato,
    report_study,
    results_page,
    sheets,
    splitting,
    start,
    studio,
    test_errors,
    uploads,
    validation,
)

ALL = {
    "start": start,
    "sheets": sheets,
    "validation": validation,
    "agreement": agreement,
    "metrics": metrics,
    "checks": checks,
    "coverage": coverage,
    "test_errors": test_errors,
    "crowd_models": crowd_models,
    "edit_suggestions": edit_suggestions,
    "export_memory": export_memory,
    "imports": imports,
    "lexical": lexical,
    "report_study": report_study,
    "long_texts": long_texts,
    "overview": overview,
    "results_page": results_page,
    "parser": parser,
    "splitting": splitting,
    "page_weight": page_weight,
    "editor": editor,
    "studio": studio,
    "uploads": uploads,
    "potato": potato,
}


def main() -> int:
    """Run the benchmarks named on the command line, or all."""
    missed = 0
    unknown = [name for name in sys.argv[1:] if name not in ALL]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(ALL)}", file=sys.stderr)
        return 2
    for name in sys.argv[1:] or ALL:
        print(f"{name}: {ALL[name].__doc__.splitlines()[0]}", flush=True)
        for figure in ALL[name].run():
            print(figure.line(), flush=True)
            missed += not figure.holds
    print(f"{missed} limits missed" if missed else "every limit holds")
    return 1 if missed else 0


sys.exit(main())
