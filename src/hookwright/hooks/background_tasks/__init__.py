"""Keep track of background commands until they end."""
