"""All benchmarks: ``make bench``."""

from bench import race, rules

if __name__ == "__main__":
    rules.main()
    race.main()
