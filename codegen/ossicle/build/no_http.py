"""A preload of Dask: closes the HTTP server that each scheduler and worker opens, with or without a dashboard.

The server does not check certificates, so it would answer other local users."""
from __future__ import annotations

from typing import Any


def dask_setup(node: Any) -> None:
    """Closes the server. Dask calls this once the server listens, before the node joins the build."""
    node.http_server.stop()
