"""Run the command line: python -m hookwright."""

from hookwright.cli.start import main

main()
