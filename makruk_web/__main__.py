"""`python -m makruk_web`: the command `makruk`."""

from makruk_web.main import main

main()
