"""A Dask preload that closes the HTTP server of each scheduler and worker, which Dask opens even without a dashboard.

The server does not check certificates, so it would answer other local users."""
from __future__ import annotations

from typing import Any


def dask_setup(node: Any) -> None:
    """Closes the server. Dask calls this once the server listens, before the node joins the build."""
    node.http_server.stop()
