"""`memtools erase`: a memory taken out of history, with a proof and what is out of reach."""

from __future__ import annotations

import datetime
import time

from memtools.core.erasure import FORMS
from memtools.core.wording import Said, say, shell_word
from memtools.entrypoints import text
from memtools.entrypoints.plans import note_new_plan
from memtools.entrypoints.verb import APPLY, DRY_RUN, FLAG, JSON, Argument, Option, Verb
from memtools.errors import DONE, FINDINGS
from memtools.usecases.erasing.erase import erase, refuse_agent, unfinished
from memtools.usecases.erasing.plan import Erasure, plan_erasure, watch_erasure
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.backup import backup as back_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.erasing.proof import Proof

_SHOWN = 20  # names of one kind


def run(
    address: str,
    texts: tuple[str, ...],
    backup: str,
    discard: bool,
    apply: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Say what erasing a memory does and loses; with `apply` do it and prove it."""
    repository, acts = open_repository(), apply and not dry_run
    if acts:
        refuse_agent()
    watch = watch_erasure(repository, address, texts, apply=acts, now=time.time())
    begun = unfinished(repository)
    plan = begun or plan_erasure(repository, address, texts)
    is_new = begun is None and watch.is_new(plan.rows)
    acts = acts and not is_new and (begun is not None or not plan.is_empty)
    if not as_json:
        if begun is not None:
            text.note(say("an erasure was interrupted here; --apply ends it before any other"))
        text.results(_plan_lines(plan, acts=acts))
    proof = None
    if acts:
        if backup:
            now = datetime.datetime.now(datetime.UTC)
            made = back_up(repository, now=now, to=backup, apply=True)
            text.note(
                say("the old history, with what is erased, is kept in {path}", path=made.path)
            )
        proof = erase(repository, plan, discard=discard)
    watch.close(plan.rows, has_acted=acts)
    if as_json:
        text.show_json(_values(plan, proof))
    elif proof is not None:
        text.results(_proof_lines(plan, proof))
    if is_new:
        note_new_plan()
    return FINDINGS if is_new or (proof is not None and proof.left) else DONE


def _values(plan: Erasure, proof: Proof | None) -> dict[str, object]:
    targets, rewritten = plan.targets, plan.rewritten
    return {
        "applied": proof is not None,
        "paths": targets.paths,
        "versions": len(targets.blobs),
        "texts": len(targets.texts),
        "copies": plan.copies,
        "changed": plan.changed_paths,
        "quoted": plan.quoted,
        "commits": rewritten._asdict(),
        "losses": plan.losses._asdict(),
        "proof": None if proof is None else {**proof._asdict(), "forms": FORMS},
        "unreachable": [str(line).strip() for line in _unreachable(plan)],
    }


def _plan_lines(plan: Erasure, *, acts: bool) -> Iterator[Said]:
    targets, losses = plan.targets, plan.losses
    if plan.is_empty:
        yield say("nothing here holds it")
        return
    for path in targets.paths:
        yield say("goes, at every commit: {path}", path=path)
    yield say(
        "versions: {versions}, texts: {texts}",
        versions=len(targets.blobs),
        texts=len(targets.texts),
    )
    yield from _named(say("goes too, the same bytes"), plan.copies)
    yield from _named(say("the words are taken out of"), plan.changed_paths)
    yield from _named(say('keeps lines of it (--text "words" takes them out)'), plan.quoted)
    yield from _named(say("written anew, a file git does not know"), losses.rendered)
    yield from _named(say("keeps lines of it, a file git does not know"), losses.quoting)
    counts = plan.rewritten
    yield say(
        "commits: {total}, with new ids: {rewritten}, on no remote: {unpushed}, "
        "losing a signature: {signed}",
        **{key: value for key, value in counts._asdict().items() if key != "refs"},
    )
    yield from _named(say("moves"), counts.refs)
    yield from _named(say("LOST, not committed"), losses.uncommitted)
    yield from _named(say("LOST, a file git does not know"), losses.untracked)
    yield from _named(say("LOST, a bundle of memtools"), losses.backups)
    yield say(
        "LOST: all reflogs; approvals of these bytes; stashes are kept, written anew: {count}",
        count=losses.stashes,
    )
    if not acts:
        yield say("(no changes; --apply writes the history anew and lets the old one go)")


def _named(what: Said, paths: tuple[str, ...]) -> Iterator[Said]:
    for path in paths[:_SHOWN]:
        yield say("{what}: {path}", what=what, path=path)
    if len(paths) > _SHOWN:
        yield say("  and {count} more", count=len(paths) - _SHOWN)


def _proof_lines(plan: Erasure, proof: Proof) -> Iterator[Said]:
    yield say(
        "looked through: {objects} objects of git (decompressed), {files} files, for {texts} texts "
        "as {forms}, and {lines} lines of {versions} versions as UTF-8",
        objects=proof.objects,
        files=proof.files,
        texts=len(plan.targets.texts),
        forms=FORMS,
        lines=len(plan.targets.lines),
        versions=len(plan.targets.blobs),
    )
    yield from _named(say("STILL HERE"), proof.left)
    yield from _named(say("keeps lines of it, as announced"), proof.quoted)
    yield say(
        "places where it still stands: {count}; files that keep lines of it: {quoted}",
        count=len(proof.left),
        quoted=len(proof.quoted),
    )
    yield say("out of reach from here:")
    yield from _unreachable(plan)


def _unreachable(plan: Erasure) -> Iterator[Said]:
    for remote in plan.losses.remotes:
        yield say(
            "  the remote {remote}, until you type: git push --force {word} 'refs/heads/*' "
            "'refs/tags/*' (a fetch before that brings the old history back)",
            remote=remote,
            word=shell_word(remote),
        )
    yield say("  other clones and forks: let them be cloned anew; a push from one brings it back")
    yield say("  caches of a forge and its refs of pull requests: ask its support to remove them")
    yield say("  repositories inside of this one (submodules, nested clones): type it in each")
    yield say("  backups elsewhere: bundles outside, git-annex, snapshots, copies of the disk")
    yield say("  swap and undo files of editors, and free blocks of the disk")
    yield say("  what agents were told: sessions, transcripts, logs of who runs the model")
    yield say("  search systems fed by export: delete its rows there")


ERASE = Verb(
    run,
    summary="Take the bytes of a memory out of the whole history; shows first what that loses.",
    example="memtools erase notes/private.md",
    parameters=(
        Argument("ADDRESS", required=False),
        Option(
            ("--text",),
            "Words to take out of all other files and messages, too; may be repeated.",
            many=True,
            metavar="WORDS",
            name="texts",
        ),
        Option(("--backup",), "First keep the old history in a folder outside.", metavar="DIR"),
        Option(("--discard",), "Lose what is not committed, as it was listed.", FLAG),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="Needs git-filter-repo: pip install 'memtools[erase]'. Every commit from the first one "
    "that holds the memory on gets a new id. An agent's session is refused.",
)
