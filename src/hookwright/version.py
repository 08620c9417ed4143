"""The one place that knows our version."""

__version__ = "0.1.0"
