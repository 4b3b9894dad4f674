"""The client of a network's APIs."""

from __future__ import annotations

import ssl
import time
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, cast

from ._transport import Transport, check_base
from .errors import ApiError, GraphqlError, InputError
from .rest import ActivityAnswer, ActivityEvent, AdsAnswer, AdsRequest, Operations
from .schema import API_VERSION, Mutation, Query
from .selection import Selection, ask_for_user_errors, build_operation, remove_user_errors


class Placard(Operations):
    """A network's APIs. Keys and credentials belong on servers: never ship them to people.

    `core_url` is for management and reports, `delivery_url` for ads, bids and events; `api_key`, or `login` and `token`, say who calls.
    """

    def __init__(
        self,
        network: str,
        *,
        core_url: Optional[str] = None,
        delivery_url: Optional[str] = None,
        environment: str = "production",
        api_key: Optional[str] = None,
        login: Optional[str] = None,
        token: Optional[str] = None,
        timeout: float = 10.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        wait: Callable[[float], None] = time.sleep,
    ):
        if not (network.isascii() and network.isdigit()):
            raise InputError("network must be the numeric network id as a string.")
        if environment not in ("production", "staging"):
            raise InputError("environment must be production or staging.")
        prefix = "/staging" if environment == "staging" else ""
        bases = {"core": check_base(core_url, "core_url"), "delivery": check_base(delivery_url, "delivery_url")}
        self._network = network
        self._api_key = api_key
        self._credentials = (login, token)
        self._transport = Transport(
            network=network,
            bases={name: base and f"{base}{prefix}" for name, base in bases.items()},
            headers=self._headers,
            timeout=timeout,
            ssl_context=ssl_context,
            wait=wait,
        )

    def query(self, selection: Selection, *, timeout: Optional[float] = None) -> Query:
        """The selected fields. Raises GraphqlError when the response has errors."""
        document, variables = build_operation("query", selection)
        return cast(Query, self.graphql(document, variables, timeout=timeout))

    def mutate(
        self, selection: Selection, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Mutation:
        """As `query`, for mutations. Each call has an idempotency key, so that it is safe to send again after a failure.

        Mistakes in an input are in `userErrors` where they are selected, and raised as GraphqlError where they are not.
        """
        asked, added = ask_for_user_errors(selection)
        document, variables = build_operation("mutation", asked)
        key = idempotency_key or str(uuid.uuid4())
        data = self.graphql(document, variables, idempotency_key=key, timeout=timeout)
        problems = [problem for name in added for problem in remove_user_errors(data, name)]
        if problems:
            raise GraphqlError(problems, data)
        return cast(Mutation, data)

    def graphql(
        self,
        document: str,
        variables: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Dict[str, Any]:
        """Runs a document. A mutation is sent once unless it has an idempotency key."""
        headers = {"x-placard-version": API_VERSION}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        is_query = document.lstrip().startswith(("query", "{"))
        try:
            answer = self._transport.call(
                "POST",
                "core",
                "/graphql",
                body={"query": document, "variables": variables or {}},
                headers=headers,
                repeatable=is_query or idempotency_key is not None,
                timeout=timeout,
            )
        except ApiError as error:
            errors = error.body.get("errors")
            if error.status in (401, 403, 429) or error.status >= 500 or not isinstance(errors, list) or not errors:
                raise
            raise GraphqlError(errors, error.body.get("data")) from error
        if answer.get("errors"):
            raise GraphqlError(answer["errors"], answer.get("data"))
        return cast(Dict[str, Any], answer["data"])

    def ads(self, request: AdsRequest, *, timeout: Optional[float] = None) -> AdsAnswer:
        """Ads of a named ad unit of this network."""
        body = cast(AdsRequest, {"count": 1, **request, "network": self._network})
        return self.request_ads(body, timeout=timeout)

    def record_event(self, body: ActivityEvent, *, timeout: Optional[float] = None) -> ActivityAnswer:
        """Records an activity event of this network. Without `ord` the call makes one, so that a retry counts once."""
        event: Dict[str, Any] = {"ord": str(uuid.uuid4()), **cast(Dict[str, Any], body), "network": self._network}
        return super().record_event(cast(ActivityEvent, event), timeout=timeout)

    def _headers(self) -> Mapping[str, str]:
        if self._api_key is not None:
            return {"authorization": f"Bearer {self._api_key}"}
        login, token = self._credentials
        if login is None or token is None:
            raise InputError("api_key, or login and token, were not given when the client was made.")
        return {"x-internal-auth-login": login, "x-internal-auth-token": token}
