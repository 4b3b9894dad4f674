"""A client of Placard's APIs."""

from .client import Placard
from .errors import ApiError, ConnectionFailed, GraphqlError, InputError, PlacardError

__all__ = ["ApiError", "ConnectionFailed", "GraphqlError", "InputError", "Placard", "PlacardError"]
__version__ = "0.1.0"
