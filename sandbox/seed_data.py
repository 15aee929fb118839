"""The default world: three friends who speak Russian, one who speaks English, and their group."""

from sandbox import groups
from sandbox.state import Sandbox

PEOPLE = (("Аня", "anya", "ru"), ("Борис", "boris", "ru"), ("Вера", "vera", "ru"), ("Grace", "grace", "en"))
TITLE = "Книжный клуб"


def populate(sandbox: Sandbox) -> int:
    """Add the default people and their group; return the group's id."""
    people = [
        sandbox.world.add_user(name, None, username, language).id for name, username, language in PEOPLE
    ]
    group = groups.create(
        sandbox, "supergroup", TITLE, people, admins=[], creator=people[0], is_forum=False, bot="member"
    )
    return group.id
