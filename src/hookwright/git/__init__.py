"""What we ask git: `directory` from its files alone (hot), `query` by running the program."""
