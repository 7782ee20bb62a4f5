"""What inflected and derived forms of a word have in common: endings are taken off, irregular forms are listed.

A stem is only compared with other stems, so it need not be a word. English and Spanish have rules; in other
languages the comparison of spelling has to do (:mod:`rubrica.edits.suggesting.similarity`).
"""

from __future__ import annotations

from functools import lru_cache

_IRREGULAR = {
    "en": """
        be is are was were been being am; have has had having; do does did done doing; go goes went gone going;
        arise arose arisen; bear bore born borne birth; beat beaten; become became becomes; begin began begun;
        bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred;
        bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen choice; cling clung;
        come came comes; creep crept; deal dealt; die died dead death dies dying; dig dug; draw drew drawn;
        dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
        fight fought; find found; flee fled; fly flew flown flight; forbid forbade forbidden; forget forgot forgotten;
        forgive forgave forgiven; freeze froze frozen; get got gotten gets getting; give gave given; grind ground;
        grow grew grown growth; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt;
        know knew known; lay laid; lead led; leap leapt; leave left leaves; lend lent; light lit; lose lost loss;
        make made; mean meant; meet met; pay paid; prove proven; ride rode ridden; ring rang rung; rise rose risen;
        run ran; say said; see saw seen; seek sought; sell sold sale; send sent; shake shook shaken; shine shone;
        shoot shot; show shown; shrink shrank shrunk; sing sang sung song; sink sank sunk; sit sat; sleep slept;
        slide slid; speak spoke spoken speech; spend spent; spin spun; spring sprang sprung; stand stood;
        steal stole stolen; stick stuck; sting stung; strike struck stricken; strive strove striven; swear swore sworn;
        sweep swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
        think thought; throw threw thrown; understand understood; undergo underwent undergone; wake woke woken;
        wear wore worn; weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn;
        write wrote written; man men; woman women; child children; person people; foot feet; tooth teeth; mouse mice;
        life lives live; good better best; bad worse worst; high height; long length; strong strength; wide width;
        deep depth
        """,
    "es": """
        ser es son era eran fue fueron sido siendo será serán; haber ha han había habían hay hubo; ir va van iba iban;
        hacer hace hacen hizo hicieron hecho; decir dice dicen dijo dijeron dicho; poner pone puso puesto;
        ver ve vio visto; tener tiene tienen tuvo tuvieron tenido; estar está están estaba estaban estuvo;
        poder puede pueden pudo podría; venir viene vino; querer quiere quiso; saber sabe supo; dar da dio dieron dado;
        traer trae trajo; morir muere murió muerto muerte
        """,
}
_FAMILIES = {
    language: {word: group.split()[0] for group in groups.split(";") for word in group.split()}
    for language, groups in _IRREGULAR.items()
}
_LISTED = {
    "en": """izations ization isations isation ational fulness ousness iveness ations ation ements ement ments ment
        nesses ness ities ity ically ical ables able ibles ible ances ance ences ence ively ives ive ions ion isms ism
        ists ist izing ising ized ised izes ises izers izer ize ise ually ally ful edly ingly ings ing ers ors eed ied
        ies ily ely ed es er or ly al ic y s e""",
    "es": """amientos imientos amiento imiento aciones iciones ación ición adoras adores adora ador idades idad mente
        ieron iendo aron ando aban aba ados adas idos idas ado ada ido ida ará arán erá erán irá irán aría ería iría
        ían ía ar er ir an en ó es as os a o e s""",
}
_ENDINGS = {language: tuple(endings.split()) for language, endings in _LISTED.items()}
_SHORTEST = 3
"""Letters that are left at least when an ending is taken off."""


def family(key: str, language: str) -> str:
    """The word that an irregular form belongs to; any other word is its own."""
    return _FAMILIES.get(language, {}).get(key, key)


@lru_cache(maxsize=50_000)
def stem(key: str, language: str) -> str:
    """The stem of a word, given as it is compared; a possessive ending belongs to no stem."""
    word = key[:-2] if key.endswith("'s") else key.rstrip("'")
    if not word.isalpha() or language not in _ENDINGS:
        return word
    word = family(word, language)
    for ending in _ENDINGS[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    if language == "en" and len(word) > _SHORTEST:
        if word[-1] == word[-2] and word[-1] not in "aeiou":
            word = word[:-1]
        elif word[-1] == "y":
            word = word[:-1] + "i"
    return family(word, language)
