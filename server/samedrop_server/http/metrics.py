"""What the operator may want to watch, in the form that Prometheus reads.

Nothing is counted here: numbers that others keep anyway are read when somebody asks. No label names a player, a room or
an address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from samedrop_protocol.model import Phase
from samedrop_server.gateway.gateway import Gateway
from samedrop_server.histogram import Histogram
from samedrop_server.journal import Journal
from samedrop_server.version import SERVER_NAME

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics(Collector):
    """All numbers of one server."""

    def __init__(self, gateway: Gateway, journal: Journal) -> None:
        self._gateway = gateway
        self._journal = journal
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """The answer to ``/metrics``."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """The numbers as they are now."""
        yield from self._gateway_metrics()
        yield from self._game_metrics()
        yield from self._journal_metrics()

    def _gateway_metrics(self) -> Iterable[Metric]:
        gateway = self._gateway
        tally = gateway.tally
        yield _by("samedrop_info", "The program, always 1.", "server", [(SERVER_NAME, 1)], GaugeMetricFamily)
        yield GaugeMetricFamily("samedrop_connections", "Open connections.", len(gateway))
        yield CounterMetricFamily("samedrop_connections_opened", "Connections since the start.", tally.opened)
        yield CounterMetricFamily("samedrop_slow_peers_dropped", "Connections whose reader was too slow.", tally.slow)
        yield _by(
            "samedrop_refused", "Refused by a rate limit.", "limit", gateway.limits.refused.items(), CounterMetricFamily
        )
        yield _by("samedrop_errors", "Errors told to clients.", "code", tally.errors.items(), CounterMetricFamily)

    def _game_metrics(self) -> Iterable[Metric]:
        gateway = self._gateway
        phases = Counter(dict.fromkeys(Phase, 0))
        phases.update(room.series.phase for room in gateway.hall.rooms.values())
        running = sum(not match.over for match in gateway.hall.matches.values())
        suspended = sum(match.suspended for match in gateway.hall.matches.values())
        yield GaugeMetricFamily("samedrop_players", "Players who are connected or in a room.", len(gateway.players))
        yield _by("samedrop_rooms", "Rooms.", "phase", phases.items(), GaugeMetricFamily)
        yield GaugeMetricFamily("samedrop_matches_running", "Matches that are not over.", running)
        yield GaugeMetricFamily("samedrop_matches_suspended", "Matches that wait for storage.", suspended)
        yield CounterMetricFamily("samedrop_moves", "Accepted moves, repeats among them.", gateway.tally.moves)

    def _journal_metrics(self) -> Iterable[Metric]:
        journal = self._journal
        yield GaugeMetricFamily("samedrop_journal_waiting", "Records that are not stored yet.", journal.waiting)
        yield CounterMetricFamily("samedrop_commits_failed", "Commits that storage refused.", journal.failures)
        yield _histogram("samedrop_commit_records", "Records in one commit.", journal.commit_sizes)
        yield _histogram("samedrop_commit_seconds", "Time of one commit, in seconds.", journal.commit_seconds)


def _by(
    name: str,
    text: str,
    label: str,
    values: Iterable[tuple[str, float]],
    kind: type[GaugeMetricFamily] | type[CounterMetricFamily],
) -> Metric:
    family = kind(name, text, labels=[label])
    for key, value in values:
        family.add_metric([str(key)], value)
    return family


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    bounds = [*map(str, histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, histogram.cumulative(), strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.total)
