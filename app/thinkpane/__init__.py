"""Thinkpane: a desktop playground for chat templates and reasoning models."""

__version__ = "0.1.0"
