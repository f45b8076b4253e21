"""Benchmarks. Ratios are taken in one run; absolute figures belong to the machine."""
