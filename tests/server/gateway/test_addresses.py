from __future__ import annotations

import pytest

from samedrop_server.gateway.addresses import Proxies, neighbourhood, read_address, read_networks

TRUSTED = Proxies(read_networks("127.0.0.1, 10.0.0.0/8, fe80::/10"))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1:4711 ", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ('"[2001:db8::1]"', "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("[fe80::1%eth0]:80", "fe80::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ],
)
def test_addresses_are_read_in_all_their_forms(text: str, address: str) -> None:
    assert str(read_address(text)) == address


@pytest.mark.parametrize("text", ["", "unknown", "_hidden", "192.0.2.256", "192.0.2.1, 192.0.2.2", "localhost", "::g"])
def test_what_is_no_address_is_none(text: str) -> None:
    assert read_address(text) is None


@pytest.mark.parametrize("text", ["10.0.0.1/8", "proxy.example", "10.0.0.0/33"])
def test_networks_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("/")[0]):
        read_networks(text)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        # Nobody forwards.
        ("192.0.2.1", [], "192.0.2.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        # Anybody can write the header; only a proxy of ours is believed.
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        # A proxy adds on the right: what stands to the left of an untrusted address is a client's invention.
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["127.0.0.1, 198.51.100.7"], "198.51.100.7"),
        # Two proxies of ours, the outer one first.
        ("127.0.0.1", ["198.51.100.7, 10.1.2.3"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7", "10.1.2.3"], "198.51.100.7"),
        # IPv6, with zones, ports and mapped addresses.
        ("fe80::2%eth0", ["2001:db8::5"], "2001:db8::5"),
        ("::ffff:127.0.0.1", ["[2001:db8::5]:4711"], "2001:db8::5"),
        ("::ffff:192.0.2.1", ["2001:db8::5"], "192.0.2.1"),
        ("127.0.0.1", ["fe80::9%eth1, fe80::2%eth0"], "fe80::9"),
        # All of them are proxies: the outermost one asks for itself.
        ("127.0.0.1", ["10.1.2.3, 10.1.2.4"], "10.1.2.3"),
        # An entry that is no address: the proxy that passed it on.
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7, unknown, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7,"], "127.0.0.1"),
    ],
)
def test_the_client_is_the_right_most_address_that_is_no_proxy_of_ours(
    peer: str, forwarded: list[str], client: str
) -> None:
    assert TRUSTED.client(peer, forwarded) == client


def test_without_trusted_proxies_nobody_is_believed() -> None:
    assert Proxies(()).client("127.0.0.1", ["198.51.100.7"]) == "127.0.0.1"
    assert not Proxies(()).trusts("127.0.0.1")


def test_a_neighbourhood_is_an_address_or_an_ipv6_network() -> None:
    assert neighbourhood("192.0.2.1") == "192.0.2.1"
    assert neighbourhood("2001:db8:1:2:3::4") == neighbourhood("2001:db8:1:2:ffff::")
    assert neighbourhood("2001:db8:1:2::") != neighbourhood("2001:db8:1:3::")
    assert neighbourhood("local") == "local"
