"""The commands of the command line, one module each: `run(args, context) -> int` with the exit code.

Modules are imported only when their command runs, so that `duizenden --help` starts at once.
"""
