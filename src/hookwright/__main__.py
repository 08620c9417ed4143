"""Run the command line: python -m hookwright."""

from hookwright.cli.main import main

main()
