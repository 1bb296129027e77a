"""What crosses the process boundary: msgspec Structs and nothing else."""
