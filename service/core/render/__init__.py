"""Notations: each renders a ranked tree at one price."""
