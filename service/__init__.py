"""Decant: an HTTP service that makes any tool result fit a model's context window."""
