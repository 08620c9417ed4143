"""Notify the user on the desktop, in the terminal or through a messaging service."""
