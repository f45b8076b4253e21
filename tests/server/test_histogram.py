from __future__ import annotations

from samedrop_server.histogram import Histogram


def test_values_fall_into_the_class_of_the_first_bound_that_they_do_not_exceed() -> None:
    histogram = Histogram([1, 10])
    assert (histogram.cumulative(), histogram.total) == ([0, 0, 0], 0)
    for value in (0.5, 1, 1.5, 10, 11):
        histogram.observe(value)
    assert histogram.counts == [2, 2, 1]
    assert histogram.cumulative() == [2, 4, 5]
    assert histogram.total == 24
