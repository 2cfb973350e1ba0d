"""`python -m training`: the command `makruk`."""

from training.cli import main

main()
