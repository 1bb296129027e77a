"""Where snapshots live: the Store protocol, in memory and in Redis."""
