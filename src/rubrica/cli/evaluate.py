"""`rubrica evaluate lcp` and `rubrica evaluate ls`: submissions to the lexical shared tasks, scored and ranked."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from rubrica.cli.options import Bootstrap, Home, Json, choose, listed, now, sharing
from rubrica.cli.output import count, print_json, say
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.report.leaderboard import Choices
    from rubrica.report.lexical_contest import Contest, Scored
    from rubrica.report.sections.section import Part

app = typer.Typer(no_args_is_help=True, help="Score submissions to the lexical shared tasks.")

TargetInGold = Annotated[
    bool,
    typer.Option("--complex-word-in-gold", help="A gold answer that is the target counts (MLSP 2024; TSAR: not)."),
]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """A shared task: its gold, the submissions, and how they are read."""

    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The file with labels, or a folder with one a language.")]
    submissions: Annotated[
        list[Path],
        typer.Argument(metavar="SUBMISSION", help="Files, or folders with files of systems (or of languages)."),
    ]
    layout: Annotated[
        str,
        typer.Option("--layout", metavar="NAME", help="Of submissions, if it is not told right: ls, combined, lcp, …"),
    ] = ""
    gold_layout: Annotated[str, typer.Option("--gold-layout", metavar="NAME", help="The same of the gold.")] = ""
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Say what is wrong with broken submissions and go on with the others.")
    ] = False
    home: Home = None
    json: Json = False

    def assembled(self, *, scores: bool, official: bool = False) -> Contest:
        """Everything read, and said what each file was taken for. Raises InputError with every problem."""
        from rubrica.exchange.lexical_files import LAYOUTS
        from rubrica.report.lexical_contest import assemble, described, not_read

        for layout in filter(None, (self.layout, self.gold_layout)):
            choose(layout, LAYOUTS, "layout")
        for line in not_read([self.gold, *self.submissions]):
            say(line)
        contest = assemble(
            self.gold,
            self.submissions,
            scores=scores,
            official=official,
            gold_layout=self.gold_layout,
            layout=self.layout,
            skip_broken=self.skip_broken,
        )
        for problem in contest.broken:
            say(f"left out: {problem}")
        read = [*contest.files, *(file for one in contest.submissions for file in one.files)]
        for line in described(read[:20]):
            say(line)
        if len(read) > 20:
            say(f"and {count(len(read) - 20, 'file')} more")
        return contest


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ranking(Task):
    """How a leaderboard is made of it, and in which form it is told."""

    bootstrap: Bootstrap = 1000
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the resamples.")] = 0
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FOLDER", help="Write the leaderboard as a page with its tables.")
    ] = None
    charts: Annotated[
        bool | None, typer.Option("--charts/--no-charts", help="Draw charts on the page (default: if installed).")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Replace a folder that has other things in it.")] = False
    form: Format = "text"

    def choices(self, by: str) -> Choices:
        """What orders systems, and how much is drawn."""
        from rubrica.report.leaderboard import Choices

        return Choices(by=by, replicates=self.bootstrap, seed=self.seed)


def takes(kind: type[Task]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the arguments and options of a task to a command, which gets them as its first argument."""
    hints = get_type_hints(kind, include_extras=True)
    fields = sorted(dataclasses.fields(kind), key=lambda field: field.default is not dataclasses.MISSING)
    shared = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields
    ]
    return lambda command: sharing(command, shared, kind)


@app.command("lcp")
@takes(Ranking)
def lcp(
    given: Ranking,
    by: Annotated[str, typer.Option("--by", metavar="FIGURE", help="What systems are ordered by.")] = "pearson",
) -> None:
    """Score predictions of lexical complexity: Pearson, Spearman, MAE, MSE and R2, with intervals and clusters."""
    from rubrica.metrics.lexical_scores import FIGURES
    from rubrica.report.lexical_contest import score_complexity

    choose(by, list(FIGURES), "figure")
    check_form(given.form)
    contest = given.assembled(scores=True)
    scored = score_complexity(contest, given.choices(by))
    signed = signed_contest(contest, {"task": "lcp", "by": by, "bootstrap": given.bootstrap, "seed": given.seed})
    _Told("Lexical complexity", contest, scored, signed).tell(given)


@app.command("ls")
@takes(Ranking)
def ls(
    given: Ranking,
    official: Annotated[
        bool, typer.Option("--official", help="Every digit of the official script, its traps included.")
    ] = False,
    complex_word_in_gold: TargetInGold = False,
    at: Annotated[str, typer.Option("--at", metavar="K,K", help="So many first answers are looked at.")] = "1,2,3,5,10",
    by: Annotated[str, typer.Option("--by", metavar="FIGURE", help="What systems are ordered by.")] = "ACC@1@Top1",
    judged: Annotated[
        str, typer.Option("--judged", metavar="FILE|STUDY", help="What people said of the best, to stand beside.")
    ] = "",
) -> None:
    """Score substitutes: ACC, ACC@Top1, Potential, MAP, precision, recall and F1, with intervals and clusters."""
    from rubrica.metrics.lexical_scores import Rules
    from rubrica.report.lexical_contest import score_substitutes

    check_form(given.form)
    rules = Rules(official, complex_word_in_gold, _numbers(at))
    choose(by, rules.names(), "figure")
    by_hand = _judged(judged, given) if judged else None
    contest = given.assembled(scores=False, official=official)
    scored = score_substitutes(contest, rules, given.choices(by))
    drawn = {} if official else {"bootstrap": given.bootstrap, "seed": given.seed}
    how = {"task": "ls", "by": by, "rules": "official" if official else "careful", "at": at.replace(" ", ""), **drawn}
    signed = signed_contest(contest, {**how, "target_in_gold": "yes" if complex_word_in_gold else "no"})
    _Told("Lexical simplification", contest, scored, signed, by_hand).tell(given)


def _judged(source: str, given: Ranking) -> ByHand:
    """What people said of systems: a study of `prepare posthoc`, or its export."""
    from rubrica.cli.ratings.given import given_by
    from rubrica.report.comparison_json import comparison_json
    from rubrica.report.figures import Figures
    from rubrica.report.leaderboard import judged_parts
    from rubrica.report.sections.section import Choices, Subject

    choices = Choices(replicates=given.bootstrap, seed=given.seed)
    figures = Figures(Subject(ratings=given_by(source, given.home).read(), choices=choices))
    parts = judged_parts(figures)
    assert figures.comparison is not None, "they are of it"
    return ByHand(parts, comparison_json(figures.comparison))


def _numbers(at: str) -> tuple[int, ...]:
    from rubrica.core.typed import whole

    found = [whole(part, 1, 100) or 0 for part in listed(at)]
    if not found or min(found) < 1:
        raise wrong(f"--at {at!r}", "option", "Write numbers from 1 to 100, as in --at 1,3,5.", value=at)
    return tuple(sorted(set(found)))


def signed_contest(contest: Contest, parts: dict[str, object]) -> str:
    """The signature of whatever is made of a contest: with the digests of its files."""
    import hashlib

    from rubrica.core.signature import signature

    digests = "".join(file.digest for one in contest.submissions for file in one.files)
    golds = ",".join(file.digest for file in contest.files)
    submitted = hashlib.sha256(digests.encode()).hexdigest()[:12]
    return signature({**parts, "gold": golds, "submissions": submitted})


class ByHand(NamedTuple):
    """What people said of systems: for the page, and for scripts."""

    parts: tuple[Part, ...]
    as_json: dict[str, Any]


class _Told:
    """What was found, printed in the form that was asked for."""

    def __init__(
        self, title: str, contest: Contest, scored: Scored, signed: str, by_hand: ByHand | None = None
    ) -> None:
        self.by_hand = by_hand
        self.title, self.contest, self.scored, self.signed = title, contest, scored, signed
        self.notes = [f"{one.system}: {one.text}" if one.system else one.text for one in scored.differences]

    def tell(self, given: Ranking) -> None:
        """Print, and write the page if there is to be one."""
        from rubrica.report.leaderboard import board_table, board_title
        from rubrica.report.tables import Table

        files = self._write(given.report, given.charts, given.force) if given.report else []
        if given.json:
            print_json({**self._as_json(), **({"files": files} if given.report else {})})
            return
        beside = [part for part in self.by_hand.parts if isinstance(part, Table)] if self.by_hand else []
        boards = [board_table(one, board_title(one), self.signed) for one in self.scored.boards]
        print_tables([*boards, *beside], given.form)
        for note in self.notes:
            say(note)
        if given.report:
            say(str(given.report / "report.html"))

    def _as_json(self) -> dict[str, Any]:
        whole = self.scored.boards[0].as_json()
        only = list(whole["systems"].values())
        return {
            **({"results": only[0]} if len(self.contest.submissions) == 1 and only else {}),
            **whole,
            "languages": {one.language: one.as_json() for one in self.scored.boards[1:]},
            "differences": [one.as_json() for one in self.scored.differences],
            "official": {
                name: {key: value.as_json() for key, value in own.items()} for name, own in self.scored.official.items()
            },
            **({"judged": self.by_hand.as_json} if self.by_hand else {}),
            "left_out": [problem.as_json() for problem in self.contest.broken],
            "signature": self.signed,
        }

    def _write(self, folder: Path, charts: bool | None, force: bool) -> list[str]:
        from importlib.util import find_spec

        from rubrica.report.folder import write
        from rubrica.report.leaderboard import board_report, page

        gold = ", ".join(file.path.name for file in self.contest.files[:3])
        about = {"title": self.title, "gold": gold, "signed": self.signed}
        judged = self.by_hand.parts if self.by_hand else ()
        made = board_report(self.scored.boards, self.notes, **about, now=now(), judged=judged)
        draw = find_spec("vl_convert") is not None if charts is None else charts
        return write(made, folder, charts=draw, force=force, page=page)
