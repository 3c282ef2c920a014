"""What readers may believe: the ledger of HEAD or of the approved ref, less what takes from it.

Effective status is decided at read time (rule 15): a skipped hook hides nothing from this room. The
files themselves are looked at by whoever shows their text (`shown`).
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.usecases.reading.unapproved import Unapproved, Withheld, read_unapproved
from memtools.usecases.readref import bound
from memtools.usecases.repository import require_top
from memtools.usecases.standing import standing_at
from memtools.usecases.state import read_standing
from memtools.usecases.tree import empty_tree, plan_of, settings_at, settings_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings


class View(NamedTuple):
    """`tree` is HEAD's, or that of the approved ref `repository` is bound to (`read_ref`).

    `ledger` is the tree's; `hidden`: victims of its open markers, path -> path:line of the marker.
    `unapproved`: what staging, and a HEAD that is not the approved ref, takes away here.
    """

    repository: Repository
    tree: str
    settings: Settings
    ledger: Ledger
    hidden: dict[str, str]
    unapproved: Unapproved

    @property
    def is_bound(self) -> bool:
        """Do readers see an approved ref in place of this work tree?"""
        return self.repository.approved is not None

    @property
    def withheld(self) -> tuple[Withheld, ...]:
        """What a retraction nobody approved yet hides here."""
        return self.unapproved.withheld

    @property
    def excluded(self) -> frozenset[str]:
        """All paths no reader may see, whatever their own header says."""
        return frozenset(self.hidden) | {held.path for held in self.withheld}

    def by(self, path: str) -> str:
        """Who hides a path (path:line of a marker or of a header); "" when nobody does."""
        return self.hidden.get(path) or next((h.by for h in self.withheld if h.path == path), "")

    def contested_by(self, path: str) -> str:
        """What retracts a path without being followed (path:line); "" when nothing does."""
        return next((h.by for h in self.unapproved.contested if h.path == path), "")


def read_view(repository: Repository) -> View:
    """The view of this work tree, or of the approved ref that readers are bound to.

    Cost: nothing but a stat of git's index when neither tree nor staging moved since the last look;
    else one diff of the index.

    Raises:
        GitError: there is no such ref.
    """
    return view_of(bound(repository))


def view_of(source: Repository) -> View:
    """The view of a work tree as it is, or of the approved ref that `source` is bound to."""
    tree = source.head_tree or empty_tree(source.git)
    kept = read_standing(source.state_dir)
    if kept is not None and kept.tree == tree:
        settings = settings_of(source.git, kept.config_blob)
    else:
        settings = settings_at(source.git, tree)
        kept = standing_at(source, tree, settings)
    plan = plan_of(kept.ledger, settings)
    hidden = {t.path: f"{t.declared_in}:{t.declared_line}" for t in plan.targets}
    unapproved = read_unapproved(source, settings, kept, frozenset(hidden))
    return View(source, tree, settings, kept.ledger, hidden, unapproved)


def require_view(repository: Repository) -> View:
    """The view for who shows texts: they come from files of a work tree, or from an approved ref.

    Raises:
        GitError: there is neither.
    """
    view = read_view(repository)
    if not view.is_bound:
        require_top(repository)
    return view


def withheld_sentence(held: Withheld) -> str:
    """What a person or an agent is told about one withheld memory."""
    return say(
        "1 memory is withheld by an unapproved retraction: {path} (by {by})",
        path=held.path,
        by=held.by,
    )


def settings_notices(view: View) -> tuple[str, ...]:
    """Why nothing is found when the settings let no folder hold memories; none else."""
    if view.settings.config.roots:
        return ()
    return (
        say(".memtools.toml cannot be read, so no file counts as a memory; why: memtools config"),
    )
