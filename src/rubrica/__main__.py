"""`python -m rubrica`: the same as the command `rubrica`."""

from rubrica.cli.main import run

if __name__ == "__main__":
    run()
