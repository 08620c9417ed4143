"""What the guard knows of the session: what it made itself, what its user let pass, which scripts it wrote."""
