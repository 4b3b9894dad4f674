"""Sends requests by the stated retry rules, with the standard library only."""

from __future__ import annotations

import json
import random
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union

from .errors import ApiError, ConnectionFailed, InputError

Body = Union[bytes, str, Iterable[Mapping[str, Any]]]
"""Bytes or text as they are, or rows: one JSON object a line."""

ATTEMPTS_MAX = 3
WAITS_S = (1.0, 2.0, 4.0)
JITTER = 0.25
RATE_LIMIT_WAIT_MAX_S = 60.0
RESPONSE_BYTES_MAX = 512 * 1024 * 1024
_RETRIABLE = frozenset((500, 502, 503, 504))
_LOCAL = re.compile(r"http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/|\Z)")


def quote(value: str) -> str:
    """A value as one part of a path."""
    return urllib.parse.quote(value, safe="")


def check_base(address: Optional[str], name: str) -> str:
    """The address without a slash at its end; HTTP is allowed for this machine only."""
    if address is None:
        return ""
    if not address.startswith("https://") and not _LOCAL.match(address):
        raise InputError(f"{name} must be an https:// address.")
    return address.rstrip("/")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another server."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Reply(NamedTuple):
    """A response with its whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Requests of one client."""

    def __init__(
        self,
        *,
        network: str,
        bases: Mapping[str, str],
        headers: Callable[[], Mapping[str, str]],
        timeout: float,
        ssl_context: Optional[ssl.SSLContext] = None,
        wait: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ):
        self._network = network
        self._bases = bases
        self._headers = headers
        self._timeout = timeout
        self._wait = wait
        self._now = now
        handlers: Iterable[urllib.request.BaseHandler] = [_NoRedirects()]
        if ssl_context is not None:
            handlers = [*handlers, urllib.request.HTTPSHandler(context=ssl_context)]
        self._opener = urllib.request.build_opener(*handlers)

    def call(
        self,
        method: str,
        server: str,
        path: str,
        *,
        body: Any = None,
        media_type: str = "application/json",
        query: Optional[Mapping[str, Any]] = None,
        accept: str = "application/json",
        secured: bool = True,
        repeatable: bool = True,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """The response's JSON, its bytes for another media type, None for 204."""
        base = self._bases.get(server, "")
        if base == "":
            raise InputError(f"{server}_url was not given when the client was made.")
        given = {name: value for name, value in (query or {}).items() if value is not None}
        suffix = f"?{urllib.parse.urlencode(given)}" if given else ""
        url = f"{base}{path.replace('<network>', quote(self._network))}{suffix}"
        sent: Dict[str, str] = {"accept": accept, **(self._headers() if secured else {}), **(headers or {})}
        data = _encode(body, media_type)
        if data is not None:
            sent["content-type"] = media_type
        reply = self._send(urllib.request.Request(url, data, sent, method=method), repeatable, timeout)
        if reply.status == 204:
            return None
        return json.loads(reply.body) if accept == "application/json" else reply.body

    def _send(self, request: urllib.request.Request, repeatable: bool, timeout: Optional[float]) -> Reply:
        attempts = 0
        while True:
            attempts += 1
            reply, failure = self._attempt(request, self._timeout if timeout is None else timeout)
            if reply is not None and reply.status < 300:
                return reply
            status = None if reply is None else reply.status
            # A 429 was refused before anything was done.
            wait = self._next_wait(attempts, reply) if repeatable or status == 429 else None
            if wait is None:
                raise self._failure(request, reply, failure, attempts)
            self._wait(wait)

    def _attempt(self, request: urllib.request.Request, timeout: float) -> "tuple[Optional[Reply], Optional[Exception]]":
        deadline = time.monotonic() + timeout
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                return Reply(response.status, response.headers, _read(response, deadline)), None
        except (OSError, HTTPException) as error:
            return None, error

    def _next_wait(self, attempts: int, reply: Optional[Reply]) -> Optional[float]:
        if attempts >= ATTEMPTS_MAX:
            return None
        waited = WAITS_S[min(attempts, len(WAITS_S)) - 1]
        spread = waited * (1 + JITTER * random.random())
        if reply is None:
            return spread
        retry_after = _number(reply.headers.get("retry-after"))
        if reply.status == 429:
            reset = _reset_of(reply)
            until = max(0.0, reset - self._now()) if reset is not None else retry_after
            until = spread if until is None else until
            return None if until > RATE_LIMIT_WAIT_MAX_S else until
        if reply.status not in _RETRIABLE:
            return None
        return max(spread, retry_after or 0.0)

    def _failure(
        self, request: urllib.request.Request, reply: Optional[Reply], failure: Optional[Exception], attempts: int
    ) -> Exception:
        if reply is not None:
            request_id = reply.headers.get("x-request-id") or ""
            return ApiError(reply.status, _object(reply.body), request_id, _reset_of(reply), attempts)
        reason = failure.reason if isinstance(failure, urllib.error.URLError) else failure
        timed_out = isinstance(reason, TimeoutError)
        text = "no response in time" if timed_out else "no connection"
        address = request.full_url.split("?")[0]
        error = ConnectionFailed(f"{text}: {address} ({reason})", attempts, timed_out)
        error.__cause__ = failure
        return error


def _encode(body: Any, media_type: str) -> Optional[bytes]:
    if body is None:
        return None
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    if media_type == "application/json":
        return json.dumps(body).encode()
    if isinstance(body, str):
        return body.encode()
    return "".join(f"{json.dumps(row)}\n" for row in body).encode()


def _read(response: Any, deadline: float) -> bytes:
    """The whole body; a body that drips past the deadline counts as no response."""
    chunks: List[bytes] = []
    size = 0
    while True:
        chunk = response.read1(65536) if hasattr(response, "read1") else response.read(65536)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
        if size > RESPONSE_BYTES_MAX:
            raise OSError("the response is longer than 512 MiB")
        if time.monotonic() > deadline:
            raise TimeoutError("the body did not come in time")


def _number(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and re.fullmatch(r"\d{1,12}", text) else None


def _reset_of(reply: Reply) -> Optional[float]:
    if reply.status != 429:
        return None
    stated = _object(reply.body).get("reset")
    if isinstance(stated, (int, float)) and not isinstance(stated, bool):
        return float(stated)
    return _number(reply.headers.get("x-ratelimit-reset"))


def _object(body: bytes) -> Mapping[str, Any]:
    """The body as an object; empty when it is none (a proxy's page)."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
