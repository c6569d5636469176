"""One request over HTTP. A module of its own, because urllib takes long to import."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any

_LONGEST = 64 << 20  # bytes of an answer
_TIMEOUT = 60  # seconds; a request that waits for the other player is answered after 25


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A secret is sent to one server only."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def ask(url: str, secret: str | None, data: bytes | None) -> tuple[int, str, str]:
    """The status, the header Retry-After or nothing, and the text of an answer.

    Raises OSError or ValueError if there is no answer, or none that can be read.
    """
    headers = {"Accept": "application/json, text/plain", "Content-Type": "application/json"}
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    try:
        answer = _OPENER.open(urllib.request.Request(url, data, headers), timeout=_TIMEOUT)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        read: bytes = answer.read(_LONGEST + 1)
    if len(read) > _LONGEST:
        raise ValueError("the answer is too long")
    return answer.status, answer.headers.get("Retry-After", ""), read.decode()
