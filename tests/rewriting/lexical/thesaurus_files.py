"""Small thesauri of our own in the forms of WordNet and MyThes."""

from __future__ import annotations

from pathlib import Path

SYNSETS = {
    "noun": [("fissure crack cleft", "@opening"), ("opening gap", "")],
    "verb": [("postpone delay put_off", ""), ("crack break", "")],
    "adj": [("vast huge big", "")],
    "adv": [],
}


def write_wordnet(folder: Path) -> Path:
    """Four data files with synsets at their byte places, and the indexes that name these places."""
    folder.mkdir()
    for part, synsets in SYNSETS.items():
        kind = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[part]
        head = "  1 A licence stands here.\n"
        places: dict[str, int] = {}
        # Every line has the same length whatever place it names, so that places are known before lines are.
        lengths = [len(_line(words, kind, 0, 0 if wider else None)) for words, wider in synsets]
        for number, (words, _) in enumerate(synsets):
            places.setdefault(words.split()[0], len(head) + sum(lengths[:number]))
        lines = [
            _line(words, kind, places[words.split()[0]], places[wider[1:]] if wider else None)
            for words, wider in synsets
        ]
        (folder / f"data.{part}").write_text(head + "".join(lines), encoding="utf-8")
        index: dict[str, list[int]] = {}
        for words, _ in synsets:
            for word in words.split():
                index.setdefault(word, []).append(places[words.split()[0]])
        rows = [
            f"{word} {kind} {len(own)} 0 {len(own)} 0 {' '.join(f'{place:08}' for place in own)}  \n"
            for word, own in sorted(index.items())
        ]
        (folder / f"index.{part}").write_text(head + "".join(rows), encoding="utf-8")
    return folder


def _line(words: str, kind: str, place: int, wider: int | None) -> str:
    own = words.split()
    cells = " ".join(f"{word} 0" for word in own)
    pointers = f"001 @ {wider:08} {kind} 0000" if wider is not None else "000"
    return f"{place:08} 03 {kind} {len(own):02x} {cells} {pointers} | what it means  \n"


def write_mythes(folder: Path, name: str = "th_es_ES_v2", encoding: str = "ISO8859-1") -> Path:
    """A text of three entries and its index."""
    folder.mkdir(exist_ok=True)
    entries = {
        "anciano": ["-|viejo|mayor|persona mayor", "-|veterano"],
        "célebre": ["-|famoso|conocido|desconocido (antonym)"],
        "vivienda": ["(noun)|casa|hogar|edificio (generic term)"],
    }
    codec = encoding.replace("ISO8859", "ISO-8859")
    data = f"{encoding}\n".encode("ascii")
    rows = []
    for word, senses in entries.items():
        rows.append(f"{word}|{len(data)}")
        data += "".join([f"{word}|{len(senses)}\n", *(f"{sense}\n" for sense in senses)]).encode(codec)
    path = folder / f"{name}.dat"
    path.write_bytes(data)
    path.with_suffix(".idx").write_bytes("\n".join([encoding, str(len(rows)), *rows, ""]).encode(codec))
    return path
