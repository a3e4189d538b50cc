"""A preload of Dask: closes the HTTP server that each scheduler and worker opens, with or without a dashboard.

It would answer other local users, as it knows no certificates."""
from __future__ import annotations

from typing import Any


def dask_setup(node: Any) -> None:
    """Dask calls this once the server listens, before the node joins the build."""
    node.http_server.stop()
