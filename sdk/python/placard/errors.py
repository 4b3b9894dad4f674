"""What calls raise."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional


class PlacardError(Exception):
    """Any failure of a call."""


class InputError(PlacardError):
    """The caller's input is wrong; nothing was sent."""


class ApiError(PlacardError):
    """An error response."""

    def __init__(self, status: int, body: Mapping[str, Any], request_id: str, reset_at: Optional[float], attempts: int):
        code = body.get("code", body.get("error"))
        self.status = status
        self.code = code if isinstance(code, str) else f"http_{status}"
        """Stable code of the service; "http_<status>" when the response had none (a proxy's page)."""
        self.body = body
        self.request_id = request_id
        """Quote it when you ask the operator."""
        self.reset_at = reset_at
        """Unix seconds at which a limit opens again; None unless the status is 429."""
        self.attempts = attempts
        super().__init__(f"{self.code}: {body.get('message', 'no message')} (HTTP {status})")


class ConnectionFailed(PlacardError):
    """No response came: the connection failed, or every attempt took longer than the time limit."""

    def __init__(self, message: str, attempts: int, timed_out: bool):
        super().__init__(message)
        self.attempts = attempts
        self.timed_out = timed_out


class GraphqlError(PlacardError):
    """A GraphQL response with errors; `data` holds its data."""

    def __init__(self, errors: List[Mapping[str, Any]], data: Any):
        super().__init__("; ".join(str(one.get("message")) for one in errors))
        self.errors = errors
        self.data = data
