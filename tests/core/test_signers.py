"""Which lines of a file of signers name persons."""

import pytest

from memtools.core.signers import persons

ANN = b"ann@x ssh-ed25519 AAAAann"


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (ANN, ANN + b"\n"),
        (ANN + b"\r\nagent:bot ssh-ed25519 AAAAbot\r\n", ANN + b"\n"),
        (ANN + b"\n  AGENT:bot ssh-ed25519 AAAAbot\n", ANN + b"\n"),
        (b'"bob@x,agent:bot" ssh-ed25519 AAAAbob\n', b""),
        (b"bob@x,agent:bot ssh-ed25519 AAAAbob\n", b""),
        (ANN + b"\nagent:a ssh-ed25519 AAAAann comment\n", b""),
        (b"# agent: none\n" + ANN + b"\n", b"# agent: none\n" + ANN + b"\n"),
        (b"\xef\xbb\xbfagent:bot ssh-ed25519 AAAAbot\n" + ANN, ANN + b"\n"),
        (b"# who\rbob@x ssh-ed25519 AAAAbob\n", b"# who\rbob@x ssh-ed25519 AAAAbob\n"),
        (b"", b""),
        (b"\xff\xfe\n", b"\xff\xfe\n"),
    ],
)
def test_a_key_that_is_an_agents_is_no_persons(raw, kept):
    assert persons(raw) == kept
