"""English syllables from spelling: groups of vowel letters, without mute *e*, and two where a group is spoken as two.

Rules of our own, tried on a dictionary of pronunciations (figures in docs/researchers/readability.md). EASSE's count,
which FKGL needs, is another: :mod:`rubrica.language.syllables_easse`.
"""

from __future__ import annotations

import re

_GROUP = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüÿœ]+")

_MUTE = re.compile(
    "|".join(
        (
            r"(?<=[^aeiouylr])e$|(?<=[aeiouyrl]l)e$|(?<=[aeiouy]r)e$|(?<=[aio])e$",  # home, while, care
            r"(?<=[a-z][gq])ue(?=s?$)|(?<=[^gq]u)e$",  # league, true
            r"(?<=[^aeiouydtlr])e(?=d$)|(?<=[aeiouylr][lr])e(?=d$)",  # walked, filled, but not wanted
            r"(?<=[^aeiouyscgzxhlrq])e(?=s$)|(?<=[aeiouylr][lr])e(?=s$)|(?<=[tp]h)e(?=s$)",  # homes, but not boxes
            r"(?<=[^aeiouyl])e(?=ments?$)|(?<=[^aeiouy])e(?=(?:ly|ful|fully|less|ness)$)",  # movement, lonely
            r"(?<=[^aeiouylr])e(?=(?:some|where|thing|body|times?|work|land|house|side|lines?)$)",  # homework
            r"(?<=^som)e(?=[^aeiouyr]|on)|(?<=^her)e(?=[abiu])",  # something, hereby
            r"(?<=^ther)e(?=[abfu])|(?<=^wher)e(?=[abu])",  # therefore, whereas
            r"(?<=^ev)e(?=ry)|(?<=^bus)i(?=ness)|(?<=ic)a(?=lly$)",  # every, business, basically
        )
    )
)

_TWO = re.compile(
    "|".join(
        (
            r"(?<![ctsgx])i(?=a(?!ge|rr))|(?<=[ct])i(?=at)",  # me-di-a, so-ci-ate
            r"(?<![ctsgxnh])(?<!ll)i(?=o)|(?<=[aegiu]n)i(?=o[^n]|on[^as])",  # ra-di-o, but not na-tion
            r"(?<![ctsgx])i(?=u)|i(?=i)",  # me-di-um, ski-ing
            r"(?<=[rcltx])i(?=et[yi])|(?<=[dlrpv])i(?=en[ct])|(?<=sc)i(?=en)",  # va-ri-e-ty, cli-ent, sci-ence
            r"(?<=[lvdnbpf])i(?=er$|est$)|(?<=qu)i(?=et)|(?<=^d)i(?=et)|(?<=^g)i(?=an)",  # qui-et
            r"(?<![aeiou])e(?=o(?!us$|ple|ugh|n$|ns$))|(?<=[dnlr])e(?=ous)|(?<=[dns])e(?=um)",  # vi-de-o, mu-se-um
            r"(?<=[rd])e(?=a(?:s|ns?)?$)|(?<=cr)e(?=a(?!m|k|s|tu))|(?<=th)e(?=at)",  # i-de-a, cre-ate
            r"(?<=^r)e(?=a(?:ct|li|ff|pp|rr|ss)|i(?:n|m)|e[nlx]|o|u)",  # re-act
            r"(?<=[^aeiouqg])u(?=a(?!de))|(?<=[nxdg])u(?=ous)|u(?=it[yio])",  # ac-tu-al
            r"(?<=[^aeiouqgbls])u(?=e[lnt])|(?<=fl)u(?=en)",  # flu-ent
            r"(?<=[aeoy])(?=ing)|(?<=[^qg]u)(?=ing)|(?<=[aeou])y(?=[aou]|e[^ds]|e[ds].)|(?<=any)(?=o)",  # roy-al
            r"(?<=[a-z])a(?=o|el)|(?<=her)o(?=i)|(?<=p)o(?=e[mt])|(?<=^c)o(?=op|or|in[ch]|ex|ag|al.|ax)",  # po-et
            r"(?<=[sz])m(?=s?$)|(?<=th)m(?=s?$)|(?<=d)n(?=ts?$)|^mc",  # pris-m, rhyth-m, did-n't
        )
    )
)
"""Where one group is two syllables, or a consonant is one."""


def english(word: str) -> int:
    """The syllables of a word in small letters; 0 if it has no vowel letter."""
    if not _GROUP.search(word):
        return 0
    return max(len(_GROUP.findall(_MUTE.sub("", word))), 1) + len(_TWO.findall(word))
