"""Annotated tags over a rewrite: each stays as it was, but for what it names and what goes.

git-filter-repo would name each as its ref, flatten tags of tags, and invent a tagger. Must not know
what is taken out.
"""

from __future__ import annotations

import os
import re

from memtools.git.everything import commit_refs, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.git.rewrite import Filter
    from memtools.git.run import Git

_SIGNATURE = re.compile(rb"^-----BEGIN (?:PGP|SSH|SIGNED) (?:SIGNATURE|MESSAGE)-----$", re.M)


def tags_of_commits(git: Git) -> dict[str, str]:
    """Every ref that names a tag of a commit, or a tag of such a tag -> the tag."""
    found = refs(git)
    return {ref: found[ref] for ref, one in commit_refs(git).items() if found[ref] != one}


def chain(git: Git, one: str) -> list[str]:
    """An object; when it is a tag, then what it tags, and so on to the end."""
    found = [one]
    while git.line("cat-file", "-t", found[-1]) == "tag":
        raw = git.run("cat-file", "tag", found[-1])
        found.append(raw.partition(b"\n")[0].removeprefix(b"object ").decode())
    return found


def write_tags(git: Git, tags: Mapping[str, str], moved: Mapping[str, str], wanted: Filter) -> None:
    """Write these tags anew, their commits being `moved`, and let their refs name them."""
    done: dict[str, str] = {}
    rows = [f"update {ref} {_anew(git, tag, moved, wanted, done)}\n" for ref, tag in tags.items()]
    if rows:
        git.run("update-ref", "--no-deref", "--stdin", stdin=os.fsencode("".join(rows)))


def _anew(
    git: Git, tag: str, moved: Mapping[str, str], wanted: Filter, done: dict[str, str]
) -> str:
    """The tag with another object; without its signature, if it is not the same any more."""
    if tag in done:
        return done[tag]
    head, _, message = git.run("cat-file", "tag", tag).partition(b"\n\n")
    first, kind, *told = head.split(b"\n")
    named = first.removeprefix(b"object ").decode()
    is_tag = kind == b"type tag"
    new = _anew(git, named, moved, wanted, done) if is_tag else moved.get(named, named)
    rest = [re.sub(wanted.people, wanted.mark, line) if wanted.people else line for line in told]
    text = re.sub(wanted.messages, wanted.mark, message) if wanted.messages else message
    if (new, text, rest) == (named, message, told):
        done[tag] = tag
        return tag
    signature = _SIGNATURE.search(text)
    text = text[: signature.start()] if signature else text
    lines = [b"object " + new.encode(), kind, *rest, b"", text]
    written = git.run("hash-object", "-t", "tag", "-w", "--stdin", stdin=b"\n".join(lines))
    done[tag] = written.decode().strip()
    return done[tag]
