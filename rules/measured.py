"""A number that travels with its standard deviation."""

from __future__ import annotations

from rules.value_type import value_type

K95 = 1.96
"""Standard deviations on each side of a 95 % interval."""


@value_type
class Measured:
    """A measured value and its standard deviation, in the same unit (cm unless said otherwise)."""

    value: float
    sd: float

    @property
    def error95(self) -> float:
        """Half the width of the 95 % interval: what every ± on screen and in a sentence means."""
        return K95 * self.sd

    def interval(self, k: float = K95) -> tuple[float, float]:
        """The value plus and minus k standard deviations (95 % with the default)."""
        return self.value - k * self.sd, self.value + k * self.sd

    def __truediv__(self, unit: Measured) -> Measured:
        """This length in units of another measured length, e.g. centimetres in somebody's palms."""
        ratio = self.value / unit.value
        sd = ((self.sd / unit.value) ** 2 + (ratio * unit.sd / unit.value) ** 2) ** 0.5
        return Measured(ratio, sd)
