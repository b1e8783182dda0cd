"""How this jevdb was installed, and the command that adds an extra to it.

The command works for whoever reads it: it names the place that jevdb came from, a
checkout, a git URL or a package index, and the tool that put it there.
"""

from __future__ import annotations

import json
import shlex
import sys
from importlib import metadata
from pathlib import Path

from jevdb.base.errors import JevdbError

DISTRIBUTION = "jevdb-warehouse"
PREFIX = Path(sys.prefix)
RECEIPTS = {
    "uv-receipt.toml": "uv tool install --reinstall",
    "pipx_metadata.json": "pipx install --force",
}
"""What a tool leaves in the environments that it makes, and how it makes them anew."""
CHECKOUT = Path(__file__).resolve().parents[2]


def to_install(extra: str | None = None) -> str:
    """Return the command that installs this jevdb again, with an extra."""
    name = f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION
    source = installed_from()
    wanted = shlex.quote(f"{name} @ {source}" if source else name)
    for receipt, command in RECEIPTS.items():
        if (PREFIX / receipt).exists():
            return f"{command} {wanted}"
    return f"pip install {wanted}"


def installed_from() -> str | None:
    """Return the URL that jevdb was installed from; None for a package index.

    Installers note it in ``direct_url.json`` (PEP 610), without passwords.
    """
    try:
        noted = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        is_checkout = (CHECKOUT / "pyproject.toml").exists()
        return CHECKOUT.as_uri() if is_checkout else None
    if noted is None:
        return None
    told = json.loads(noted)
    if "vcs_info" in told:
        return f"{told['vcs_info']['vcs']}+{told['url']}"
    return str(told["url"])


def require_module(name: str, extra: str) -> None:
    """Refuse to go on without a module that an extra brings.

    Raises
    ------
    JevdbError
        It is not installed; the message says how to.
    """
    from importlib.util import find_spec

    if find_spec(name) is None:
        raise JevdbError(f"{name} is not installed: {to_install(extra)}")
