"""Temperaments: a kind by place, a degree by seed."""

from rubrica.demo.temperament import TEAM, temperament_of


def test_temperaments_keep_their_kind() -> None:
    """Places of a group have fixed kinds; degrees come from the seed; a larger group begins again."""
    kinds = [temperament_of(place, "a").name for place in range(len(TEAM) + 1)]
    assert kinds == [kind.name for kind in (*TEAM, TEAM[0])]
    assert temperament_of(0, "a") == temperament_of(0, "a")
    assert temperament_of(0, "a") != temperament_of(0, "b")
    assert all(temperament_of(1, str(n)).leniency > 0 > temperament_of(2, str(n)).leniency for n in range(50))
