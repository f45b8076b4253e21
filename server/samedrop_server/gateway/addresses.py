"""Whose connection it is: the address of the client behind any number of proxies.

A proxy says in ``X-Forwarded-For`` for whom it asks, and anybody can write that header. So it is believed only from
proxies that the operator named, hop by hop from the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

NEIGHBOURHOOD = 64
"""Leading bits of an IPv6 address that one customer usually has to himself."""


def read_networks(text: str) -> tuple[Network, ...]:
    """The networks of a list such as ``127.0.0.1, 10.0.0.0/8, ::1``.

    Raises:
        ValueError: one of them is neither an address nor a network.
    """
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def read_address(text: str) -> Address | None:
    """An address as headers and sockets have it: with or without port, brackets and zone. None if it is none.

    IPv4 addresses that are mapped into IPv6 come as IPv4, and zones are dropped.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


class Proxies:
    """The proxies that are trusted to tell the truth."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = tuple(trusted)

    def trusts(self, text: str) -> bool:
        """Whether the host at that address is one of them."""
        address = read_address(text)
        return address is not None and self._trusts(address)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)

    def client(self, peer: str, forwarded: Sequence[str]) -> str:
        """The client's address.

        Args:
            peer: who is at the other end of the TCP connection.
            forwarded: the values of all X-Forwarded-For headers, in order.

        The right-most address that is not a trusted proxy's; an entry that is no address ends the search at the proxy
        that passed it on.
        """
        address = read_address(peer)
        if address is None:
            return peer
        for entry in reversed(",".join(forwarded).split(",")):
            if not self._trusts(address):
                break
            further = read_address(entry)
            if further is None:
                break
            address = further
        return str(address)


@lru_cache(4096)
def neighbourhood(address: str) -> str:
    """What limits for each address count by: the address, or for IPv6 its network of 64 bits."""
    read = read_address(address)
    if isinstance(read, IPv6Address):
        return str(ip_network((read, NEIGHBOURHOOD), strict=False))
    return address
