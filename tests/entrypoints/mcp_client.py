"""A real client of the official SDK, talking to `memtools mcp` over stdio."""

import contextlib
import os
import shutil
import sys
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from tests.helpers import CHECKOUT, copied

NEWEST = "2026-07-28"  # a request carries its version
OLD_ERA = "legacy"  # the initialize handshake


class Agent:
    """One connection; every method blocks. `log` is what the server wrote to stderr."""

    def __init__(self, portal, client, log):
        self._portal = portal
        self.client = client
        self._log = log

    def tools(self):
        return {tool.name: tool for tool in self._portal.call(self.client.list_tools).tools}

    def result(self, name, **arguments):
        """The whole result of a call."""
        return self._portal.call(self.client.call_tool, name, arguments)

    def call(self, name, **arguments):
        """The structured content of a call that must succeed."""
        result = self.result(name, **arguments)
        assert not result.is_error, result.content
        return result.structured_content

    def text(self, name, **arguments):
        """The text of a call that must succeed."""
        result = self.result(name, **arguments)
        assert not result.is_error, result.content
        return result.content[0].text

    def refusal(self, name, **arguments):
        """The text of a call that must be refused."""
        result = self.result(name, **arguments)
        assert result.is_error, result.content
        assert result.structured_content is None
        assert "Traceback" not in result.content[0].text
        return result.content[0].text

    def resource(self, uri):
        return self._portal.call(self.client.read_resource, uri).contents[0].text

    def ask(self, method, *args):
        """Any method of the SDK's client."""
        return self._portal.call(getattr(self.client, method), *args)

    def at_once(self, calls):
        """The results of several calls (name, arguments) that are all under way at a time."""
        waiting = [self._portal.start_task_soon(self.client.call_tool, *one) for one in calls]
        return [one.result() for one in waiting]

    @property
    def log(self):
        return Path(self._log).read_text("utf-8")


@contextlib.contextmanager
def connected(repo, log, *args, mode=NEWEST, verb=("mcp",), cwd=None, **client):
    """A client of a server started at the top of `repo`."""
    entry = {
        "command": sys.executable,
        "args": ["-m", "memtools", *verb, *args],
        "env": {"PYTHONPATH": str(CHECKOUT)},
    }
    with started(entry, log, mode=mode, cwd=cwd or repo.top, **client) as ready:
        yield ready


@contextlib.contextmanager
def started(entry, log, *, cwd, mode=NEWEST, **client):
    """A client of a server started as the settings of an agent say (`command`, `args`, `env`)."""
    server = StdioServerParameters(
        command=entry["command"],
        args=entry["args"],
        cwd=cwd,
        env={**os.environ, **entry["env"]},
    )
    with open(log, "w", encoding="utf-8") as errlog, start_blocking_portal() as portal:
        made = Client(stdio_client(server, errlog=errlog), mode=mode, **client)
        with portal.wrap_async_context_manager(made) as ready:
            yield Agent(portal, ready, log)


def moved_in(template, top):
    """A copy of a repository in the place of the one at which a server was started.

    To start a server takes longer than most tests; it keeps nothing of a repository between calls.
    """
    shutil.rmtree(top.parent)
    return copied(template, top)
