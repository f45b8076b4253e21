"""All benchmarks: ``make bench``."""

from bench import history, journal, memory, race, rules, slow

if __name__ == "__main__":
    rules.main()
    race.main()
    slow.main()
    journal.main()
    memory.main()
    history.main()
