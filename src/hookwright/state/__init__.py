"""What hookwright remembers between two events: paths, cache, locks, limits, journal, store, durations."""
