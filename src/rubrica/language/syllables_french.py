"""French syllables as they are spoken with care: vowel groups without mute final *e*, apart where hiatus is spelled.

Rules of our own after Grevisse, Le bon usage: a final *e*, *es* and the *ent* of safe verb endings are mute; *é*, a
diaeresis, and *i* or *u* after a consonant with *l* or *r* stand apart (*ré-el*, *No-ël*, *ou-bli-er*).
"""

from __future__ import annotations

import re

_MUTE = re.compile(r"(?<=ai)ent$|(?<=èr)ent$|(?<=iss)ent$|(?<=[a-zéèêëïôûîâ])es?$")
_VOWEL = "aeiouyàâäéèêëîïôöùûüœæ"
_GROUP = re.compile(rf"[{_VOWEL}]+")

_APART = re.compile(
    "|".join(
        (
            rf"é(?=[{_VOWEL}])|(?<=[aeiou])[ëïöüä](?!u)|(?<=[ay])[éè]",  # ré-el, No-ël, a-é-ro-port
            r"(?<=a)(?=o(?!û)|ê)|(?<=[^e]a)(?=[ae])|o(?=[aéèê])|(?<=c)o(?=o)",  # ca-ca-o, o-a-sis
            r"(?<![qgo])u(?=[aoâéèêe](?!$|s$))",  # nu-age
            r"(?<=o)u(?=[aeéèêio](?!$|ll))",  # jou-er
            r"(?<=[bcdfgptv][lr])i(?=[aeoéèêâu])|(?<=[bcdfgptv][lr])u(?=[aeoéè])",  # ou-bli-er
            r"(?<=pa)y(?=s)",  # pa-ys
        )
    )
)


def french(word: str) -> int:
    """The syllables of a word in small letters; 0 for an elided consonant, at least 1 with a vowel."""
    bare = re.sub(r"q[u]|gu(?=[eiéèêy])", "g", word)
    spoken = _MUTE.sub("", bare)
    if not _GROUP.search(spoken):
        return 1 if _GROUP.search(bare) else 0
    spoken = re.sub(rf"(?<=[{_VOWEL}])y(?=[{_VOWEL}])", "j", spoken)
    return len(_GROUP.findall(spoken)) + len(_APART.findall(spoken))
