"""Imports point down only, from entrypoints to core; heavy packages are loaded where needed."""

import ast

import pytest

from tests.helpers import CHECKOUT

PACKAGE = CHECKOUT / "memtools"
ALLOWED = {
    "entrypoints": {"entrypoints", "usecases", "core", "config", "errors", "values"},
    "usecases": {"usecases", "git", "search", "core", "config", "errors", "values", "files"},
    "search": {"search", "core", "errors", "values", "files"},
    "git": {"git", "errors", "values", "files"},
    "core": {"core", "errors", "values"},
    "config": {"core", "errors", "values"},
    "files": {"errors"},
    "errors": set(),
    "values": set(),
    # the package's front door gives the use cases as functions
    "__init__": {"usecases", "git", "core", "config", "errors"},
}
# Families of use cases -> the others each may name; what stands beside them ("") serves all.
FAMILIES = {
    "": set(),
    "activating": {"reading"},
    "changing": {"committing", "rendering"},
    "checking": {"rendering"},
    "committing": {"rendering"},
    "diagnosing": {"checking", "committing", "installing", "reading"},
    "erasing": {"changing", "committing"},
    "installing": set(),
    "proposing": {"changing", "committing", "reading"},
    "reading": set(),
    "rendering": {"reading"},
    "tending": {"changing", "diagnosing", "proposing", "reading"},
}
# Only these two may name a face: they are how a program reaches one.
DOORS = {"__main__", "start", "starting"}
# Third-party packages; each face may load its own at the top, every other room where it is needed.
HEAVY = {
    "anyio",
    "click",
    "detect_secrets",
    "frontmatter",
    "git",
    "git_filter_repo",
    "jinja2",
    "jsonschema",
    "markdown_it",
    "mcp",
    "mcp_types",
    "phonenumbers",
    "psycopg",
    "pygls",
    "rapidfuzz",
    "rich",
    "stdnum",
    "tantivy",
    "yaml",
}
# Faces that git or an agent starts many times a day.
FAST_FACES = {"hooks", "main", "turn"}


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def room(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imported(path, nodes):
    """(line, dotted name) of each import among `nodes`, relative ones made absolute."""
    package = path.relative_to(CHECKOUT).with_suffix("").parts[:-1]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            if module == "memtools":
                yield from ((node.lineno, f"memtools.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, module


def at_module_level(tree):
    """Statements that run on import: not in functions, not below `if TYPE_CHECKING`."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += [
                child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)
            ]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down_only(path):
    here = room(path)
    wrong = []
    for line, name in imported(path, ast.walk(ast.parse(path.read_text("utf-8")))):
        parts = name.split(".")
        if parts[0] != "memtools" or len(parts) < 2 or here in DOORS:
            continue
        if parts[1] not in ALLOWED[here]:
            wrong.append(f"{path.name}:{line} imports {name}")
    assert not wrong


def family(parts):
    """The family a dotted name or path of `usecases` belongs to."""
    return parts[1] if len(parts) > 1 and parts[1] in FAMILIES else ""


@pytest.mark.parametrize(
    "path",
    sorted((PACKAGE / "usecases").rglob("*.py")),
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_families_of_use_cases_look_down_only(path):
    """What only a type checker reads may name any of them."""
    here = family(path.relative_to(PACKAGE).parts)
    tree = ast.parse(path.read_text("utf-8"))
    typing = [
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    ]
    nodes = [node for node in ast.walk(tree) if node not in typing]
    named = {
        family(name.split(".")[1:])
        for _, name in imported(path, nodes)
        if name.startswith("memtools.usecases.")
    }
    assert named - {"", here} <= FAMILIES[here]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_packages_are_not_loaded_with_a_module(path):
    if room(path) == "entrypoints" and path.stem not in FAST_FACES:
        return
    statements = at_module_level(ast.parse(path.read_text("utf-8")))
    loaded = [(line, name) for line, name in imported(path, statements)]
    assert not [f"line {line}: {name}" for line, name in loaded if name.split(".")[0] in HEAVY]


def test_the_parser_sees_lazy_relative_and_package_imports():
    source = (
        "def f():\n    from memtools.entrypoints import cli\n"
        "from memtools import usecases\nfrom ..search import store\n"
        "if TYPE_CHECKING:\n    import yaml\n"
    )
    tree = ast.parse(source)
    path = PACKAGE / "core" / "x.py"
    assert {name for _, name in imported(path, ast.walk(tree))} == {
        "memtools.entrypoints",
        "memtools.usecases",
        "memtools.search",
        "yaml",
    }
    assert "yaml" not in {name for _, name in imported(path, at_module_level(tree))}


# Calls that start a program; modules that are for that alone.
STARTERS = ("exec", "spawn", "posix_spawn", "system", "popen", "fork", "startfile")
STARTING_MODULES = {"subprocess", "multiprocessing", "pty", "concurrent", "pexpect", "sh"}
# Where a program may be started, and which: git, and four that are named here.
SANCTIONED = {
    "git/run.py": {"os.posix_spawnp", "subprocess"},  # git
    "git/batch.py": {"os.posix_spawnp"},  # git, kept open
    "git/walk.py": {"git.execute"},  # git, by GitPython
    "git/editor.py": {"subprocess"},  # the person's editor
    "git/forge.py": {"subprocess"},  # gh or glab
    "git/rewrite.py": {"subprocess"},  # git-filter-repo, in a clone of our own
    "entrypoints/streams.py": {"os.execv"},  # this program, in UTF-8
}


def programs_started(tree):
    """What a module uses to start programs: modules it imports for that, calls it makes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] in STARTING_MODULES)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if base.split(".")[0] in STARTING_MODULES:
                yield base
            if base in ("os", "posix", "asyncio"):
                yield from (f"{base}.{a.name}" for a in node.names if is_starter(a.name))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in ("os", "posix", "nt", "asyncio", "anyio") and is_starter(node.attr):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "execute":
            yield "git.execute"


def is_starter(name):
    starts = name.startswith(STARTERS) or name in ("open_process", "run_process")
    return starts or name.startswith(("create_subprocess", "subprocess_"))


def test_programs_are_started_in_the_sanctioned_places_only():
    found = {}
    for path in modules():
        used = set(programs_started(ast.parse(path.read_text("utf-8"))))
        if used:
            found[path.relative_to(PACKAGE).as_posix()] = used
    assert found == SANCTIONED


def test_the_ban_sees_every_way_to_start_a_program():
    ways = (
        "import subprocess",
        "import multiprocessing.pool",
        "from concurrent import futures",
        "import pty",
        "import os\nos.system('x')",
        "import os\nos.popen('x')",
        "import os\nos.execvpe('x', [], {})",
        "import os\nos.posix_spawn('x', [], {})",
        "import os\nos.spawnlp(0, 'x')",
        "import os\nos.fork()",
        "from os import system",
        "from posix import fork",
        "import asyncio\nasyncio.create_subprocess_exec('x')",
        "import anyio\nanyio.open_process('x')",
        "from git import Git\nGit('.').execute(['x'])",
    )
    assert [way for way in ways if not [*programs_started(ast.parse(way))]] == []
