"""A circuit breaker that counts commands: once one has failed nobody waits, until a probe has found an answer.

A command has failed when its retry has too. Attempts are not counted: a stall of this very process makes many of them
time out at once, and their retries succeed.
"""

from collections.abc import Callable

FAILURES = 1  # half a second without an answer is enough
REST_SECONDS = 0.5
LONGEST_REST = 4.0


class Breaker:
    """Closed while commands succeed; open for a rest that doubles; then one command at a time may try."""

    def __init__(self, clock: Callable[[], float], failures: int = FAILURES, rest: float = REST_SECONDS) -> None:
        self._clock, self._most, self._shortest = clock, failures, rest
        self._failures, self._rest, self._open_until = 0, rest, 0.0

    @property
    def closed(self) -> bool:
        """Whether commands go through as usual."""
        return self._failures < self._most

    def admits(self) -> bool:
        """Whether a command may go out now; an open breaker lets one through after each rest."""
        if self.closed:
            return True
        if self._clock() < self._open_until:
            return False
        self._open_until = self._clock() + self._rest  # the others go on being refused while this one tries
        return True

    def succeeded(self) -> None:
        """A command was answered, whatever the answer was."""
        self._failures, self._rest = 0, self._shortest

    def failed(self, probe: bool = False) -> None:
        """A command was not answered; only a failed probe lengthens the rest, not the many that failed together."""
        self._failures += 1
        if probe:
            self._rest = min(self._rest * 2, LONGEST_REST)
        if not self.closed:
            self._open_until = self._clock() + self._rest
