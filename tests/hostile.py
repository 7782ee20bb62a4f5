"""Files that are made to break their reader: a few kilobytes each, most of them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import polars

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def sheet_xml(inside: str, after: str = "") -> str:
    """A worksheet with these rows."""
    return f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{inside}</sheetData>{after}</worksheet>'


def text_cell(place: str, text: str) -> str:
    """A cell with a text of its own."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


HEADER = f'<row r="1">{text_cell("A1", "source")}{text_cell("B1", "rewrite")}</row>'
PAIR = f'<row r="2">{text_cell("A2", "one")}{text_cell("B2", "two")}</row>'


def parts(sheet: str, **more: str) -> dict[str, str]:
    """The parts of a workbook with one sheet."""
    return {
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
        f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Items" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": sheet,
        **more,
    }


def workbook(path: Path, sheet: str, **more: str) -> Path:
    """A workbook with one sheet, packed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheet, **more).items():
            archive.writestr(name, text)
    return path


def corners(path: Path) -> Path:
    """Two cells, in the first and the last corner of the sheet: a grid of 17 billion cells."""
    far = f'<row r="1048576">{text_cell("XFD1048576", "x")}</row>'
    return workbook(path, sheet_xml(HEADER + PAIR + far))


def counted_corner(path: Path) -> Path:
    """The same without addresses: rows and cells are counted, and the row says where it is."""
    far = '<row r="1048576"><c r="XFC1048576"/><c t="inlineStr"><is><t>x</t></is></c></row>'
    return workbook(path, sheet_xml(HEADER + PAIR + far))


def misplaced_corner(path: Path) -> Path:
    """Cells that name the first rows, in the last row; the one after them has no address and is in the last corner."""
    last = '<row r="1048576"><c r="XFC1"/><c t="inlineStr"><is><t>x</t></is></c></row>'
    return workbook(path, sheet_xml(HEADER + PAIR + last))


def nested_rows(path: Path, depth: int = 400_000) -> Path:
    """First rows within each other: who counts their ends is in the row 400,000 after them."""
    rows = '<row r="1">' * depth + "</row>" * depth
    far = f'{rows}<row><c r="XFC1"/><c t="inlineStr"><is><t>x</t></is></c></row>'
    return workbook(path, sheet_xml(HEADER + PAIR + far))


def cell_outside(path: Path) -> Path:
    """A cell that is in no row."""
    return workbook(path, sheet_xml(HEADER + PAIR + '<c t="inlineStr"><is><t>x</t></is></c>'))


def shared_text(path: Path, cells: int = 100_000, length: int = 30_000) -> Path:
    """One long text to which many cells refer: three gigabytes."""
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c><c r="B{row}" t="s"><v>0</v></c></row>'
        for row in range(2, cells // 2 + 2)
    )
    strings = f'{HEAD}<sst xmlns="{MAIN}"><si><t>{"x" * length}</t></si></sst>'
    return workbook(path, sheet_xml(HEADER + rows), **{"xl/sharedStrings.xml": strings})


def missing_text(path: Path) -> Path:
    """A cell that refers to a text that is not there."""
    return workbook(path, sheet_xml(HEADER + '<row r="2"><c r="A2" t="s"><v>7</v></c></row>'))


def zip_bomb(path: Path, megabytes: int = 300) -> Path:
    """A sheet that unpacks to hundreds of megabytes of nothing."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheet_xml(HEADER + PAIR)).items():
            archive.writestr(name, text)
        with archive.open("xl/media/nothing.bin", "w") as part:
            for _ in range(megabytes):
                part.write(bytes(1_000_000))
    return path


def lying_zip(path: Path, megabytes: int = 300) -> Path:
    """The same, but the archive says that the part has ten bytes."""
    data = bytearray(zip_bomb(path, megabytes).read_bytes())
    said, lie = (megabytes * 1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    path.write_bytes(bytes(data).replace(said, lie))
    return path


def overlapping_zip(path: Path, times: int = 400) -> Path:
    """Many entries of the directory that all mean the same packed bytes."""
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheet_xml(HEADER + PAIR)).items():
            archive.writestr(name, text)
        archive.writestr("xl/media/part-0000.bin", bytes(400_000))
        whole = archive.getinfo("xl/media/part-0000.bin")
        for number in range(1, times):
            copy = zipfile.ZipInfo(f"xl/media/part-{number:04}.bin")
            for name in ("header_offset", "compress_size", "file_size", "CRC", "compress_type", "external_attr"):
                setattr(copy, name, getattr(whole, name))
            archive.filelist.append(copy)
            archive.NameToInfo[copy.filename] = copy
    path.write_bytes(bomb.getvalue())
    return path


def doubled_part(path: Path) -> Path:
    """Two sheets under one name, of which one reader takes the first and another the last."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheet_xml(HEADER + PAIR)).items():
            archive.writestr(name, text)
        archive.writestr("XL/worksheets/SHEET1.xml", sheet_xml('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'))
    return path


def laughing_xml(path: Path) -> Path:
    """A billion laughs: entities that grow."""
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    sheet = sheet_xml(HEADER + f'<row r="2">{text_cell("A2", "&l9;")}</row>').removeprefix(HEAD)
    return workbook(path, f"{HEAD}<!DOCTYPE worksheet [{entities}]>{sheet}")


def merged_ranges(path: Path, ranges: int = 50_000) -> Path:
    """Thousands of merged ranges, each as large as the sheet."""
    merged = '<mergeCell ref="A1:XFD1048576"/>' * ranges
    return workbook(path, sheet_xml(HEADER + PAIR, f'<mergeCells count="{ranges}">{merged}</mergeCells>'))


def open_tags(path: Path, size: int = 2_000_000) -> Path:
    """Cells that never end: what regular expressions take quadratic time over."""
    return workbook(path, sheet_xml('<c r="A1" ' * (size // 10)))


def endless_tag(path: Path, megabytes: int = 30) -> Path:
    """One tag that does not end for megabytes, which old versions of expat read again with every piece."""
    return workbook(path, sheet_xml(HEADER + f'<c r="{"A" * (megabytes * 1_000_000)}"/>'))


def utf_16_sheet(path: Path) -> Path:
    """A sheet in another encoding, in which the fast reader would see other cells than the parser."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheet_xml(HEADER + PAIR)).items():
            archive.writestr(name, text.encode("utf-16") if "sheet1" in name else text)
    return path


def other_alphabet(path: Path) -> Path:
    """A sheet that declares an encoding in which its bytes mean other cells."""
    sheet = sheet_xml(HEADER + PAIR).replace('encoding="UTF-8"', 'encoding="IBM037"')
    return workbook(path, sheet)


def date_before_time(path: Path) -> Path:
    """A date so long ago that the library that reads dates gives up."""
    formats = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    styles = f'{HEAD}<styleSheet xmlns="{MAIN}">{formats}</styleSheet>'
    cell = '<row r="2"><c r="A2" s="1"><v>-1e308</v></c></row>'
    return workbook(path, sheet_xml(HEADER + cell), **{"xl/styles.xml": styles})


def no_cell(path: Path) -> Path:
    """An address beyond any sheet."""
    return workbook(path, sheet_xml('<row r="1"><c r="ZZZ9999999"><v>1</v></c></row>'))


def without_parts(path: Path) -> Path:
    """A workbook whose sheet is not there."""
    found = parts("")
    del found["xl/worksheets/sheet1.xml"]
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in found.items():
            archive.writestr(name, text)
    return path


def many_rows(path: Path, rows: int = 1_000_000) -> Path:
    """A Parquet file of a few kilobytes with a million rows."""
    polars.DataFrame({"source": ["one"], "rewrite": ["two"]}).select(
        polars.all().repeat_by(rows).explode()
    ).write_parquet(path)
    return path


def long_text_in_every_row(path: Path, rows: int = 50_000, length: int = 6_000) -> Path:
    """A Parquet file whose one long text stands in every row: three hundred megabytes."""
    polars.DataFrame({"source": ["x" * length], "rewrite": ["two"]}).select(
        polars.all().repeat_by(rows).explode()
    ).write_parquet(path)
    return path


def wide(path: Path, columns: int = 20_000) -> Path:
    """A Parquet file with thousands of columns."""
    polars.DataFrame({f"c{number}": [1] for number in range(columns)}).write_parquet(path)
    return path


def long_lists(path: Path, values: int = 30_000_000) -> Path:
    """A Parquet file with a list of thirty million equal numbers in a cell."""
    frame = polars.DataFrame({"source": ["one"], "rewrite": ["two"]})
    frame.with_columns(polars.lit(1).repeat_by(values).alias("many")).write_parquet(path)
    return path


def footer_only(path: Path) -> Path:
    """A Parquet file whose footer is noise."""
    path.write_bytes(b"PAR1" + b"\x15\xff" * 500 + (1000).to_bytes(4, "little") + b"PAR1")
    return path


def one_line(path: Path, megabytes: int = 50) -> Path:
    """A line without end."""
    path.write_bytes(b"source,rewrite\n" + b"x" * (megabytes * 1_000_000))
    return path


def many_columns(path: Path, columns: int = 1_000_000) -> Path:
    """A header of a million columns."""
    path.write_text("source,rewrite," + ",".join(map(str, range(columns))) + "\none,two\n", encoding="utf-8")
    return path


def open_quote(path: Path, megabytes: int = 30) -> Path:
    """A quote that opens at the top and never closes."""
    path.write_bytes(b'source,rewrite\n"one,two\n' + b"three,four\n" * (megabytes * 90_000))
    return path


def row_of_many_lines(path: Path, megabytes: int = 30) -> Path:
    """One row whose fields hold line breaks, for megabytes."""
    path.write_bytes(b"source,rewrite\n" + b'"a\n",' * (megabytes * 200_000))
    return path


def deep_json(path: Path, depth: int = 200_000) -> Path:
    """Lists inside lists inside lists."""
    path.write_text('{"source": ' + "[" * depth + "]" * depth + ', "rewrite": "two"}\n', encoding="utf-8")
    return path


def rather_deep_json(path: Path) -> Path:
    """Nesting that a reader survives and a writer may not."""
    return deep_json(path, 900)


def other_keys(path: Path, rows: int = 30_000) -> Path:
    """JSON lines each with a key of its own: rows times columns are a billion cells."""
    path.write_text("".join(f'{{"k{number}": "x"}}\n' for number in range(rows)), encoding="utf-8")
    return path


def doubled_key(path: Path, keys: int = 200_000) -> Path:
    """An object of many keys of which the last stands twice."""
    inside = ", ".join(f'"k{number}": 1' for number in [*range(keys), keys - 1])
    path.write_text(f"{{{inside}}}\n", encoding="utf-8")
    return path


def long_number(path: Path) -> Path:
    """A number of a million digits."""
    path.write_text('{"source": ' + "1" * 1_000_000 + ', "rewrite": "two"}\n', encoding="utf-8")
    return path


TABLES: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "cells in both corners": (".xlsx", corners),
    "a corner that is counted": (".xlsx", counted_corner),
    "a corner in a row of another number": (".xlsx", misplaced_corner),
    "rows within rows": (".xlsx", nested_rows),
    "a cell outside of the rows": (".xlsx", cell_outside),
    "one text in every cell": (".xlsx", shared_text),
    "a text that is not there": (".xlsx", missing_text),
    "a zip bomb": (".xlsx", zip_bomb),
    "a part that lies about its size": (".xlsx", lying_zip),
    "parts that share their bytes": (".xlsx", overlapping_zip),
    "two parts of one name": (".xlsx", doubled_part),
    "a billion laughs": (".xlsx", laughing_xml),
    "tags that never end": (".xlsx", open_tags),
    "a tag of megabytes": (".xlsx", endless_tag),
    "another encoding": (".xlsx", utf_16_sheet),
    "another alphabet": (".xlsx", other_alphabet),
    "a date before time": (".xlsx", date_before_time),
    "an address beyond the sheet": (".xlsx", no_cell),
    "a sheet that is not there": (".xlsx", without_parts),
    "a million rows": (".parquet", many_rows),
    "one text in every row": (".parquet", long_text_in_every_row),
    "thousands of columns": (".parquet", wide),
    "millions of values in a cell": (".parquet", long_lists),
    "a broken footer": (".parquet", footer_only),
    "a line without end": (".csv", one_line),
    "a million columns": (".csv", many_columns),
    "a quote that never closes": (".csv", open_quote),
    "a row of many lines": (".csv", row_of_many_lines),
    "endless nesting": (".jsonl", deep_json),
    "deep nesting": (".jsonl", rather_deep_json),
    "a key of its own in each line": (".jsonl", other_keys),
    "a doubled key": (".jsonl", doubled_key),
    "a number without end": (".jsonl", long_number),
}
"""Tables that are to be refused, with the ending of their names."""


def unknown_keys(keys: int = 60_000) -> str:
    """A protocol with keys that mean nothing."""
    return "id: mine\n" + "".join(f"key{number}: 1\n" for number in range(keys))


def empty_keys(keys: int = 60_000) -> str:
    """A protocol with keys that have no value."""
    return "id: mine\n" + "".join(f"key{number}:\n" for number in range(keys))


def laughing_yaml() -> str:
    """Aliases that grow."""
    lines = ["a0: &a0 [lol, lol]"]
    lines += [f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 10)}]" for number in range(1, 10)]
    return "\n".join(lines) + "\n"


def deep_yaml(depth: int = 100_000) -> str:
    """Lists inside lists."""
    return "id: " + "[" * depth + "]" * depth + "\n"


def unknown_names(questions: int = 12_000) -> str:
    """A protocol whose questions all name a scale that there is not, among as many scales."""
    scales = "".join(f"  scale_{number}: {{type: yes_no}}\n" for number in range(questions))
    asked = "".join(f"  - {{id: q{number}, scale: missing_{number}, prompt: a}}\n" for number in range(questions))
    return f"id: mine\nscales:\n{scales}questions:\n{asked}"


def repeated_words(words: int = 60_000) -> str:
    """A list in which one word stands many times, and others once."""
    return "id: mine\nlanguages: [" + ", ".join(["en"] * (words // 2) + [f"w{n}" for n in range(words // 2)]) + "]\n"


def broken_at_the_end(lines: int = 20_000) -> str:
    """Much that is right, then something that is no YAML."""
    return "".join(f"key{number}: [one, {{two: three}}]\n" for number in range(lines)) + "last: [\n"


def long_line(megabytes: float = 0.9) -> str:
    """One text of nearly a megabyte."""
    return f"id: {'x' * int(megabytes * 1_000_000)}\n"


PROTOCOLS: dict[str, Callable[[], str]] = {
    "unknown keys": unknown_keys,
    "empty keys": empty_keys,
    "a billion laughs": laughing_yaml,
    "endless nesting": deep_yaml,
    "unknown names": unknown_names,
    "repeated words": repeated_words,
    "broken at the end": broken_at_the_end,
    "a long line": long_line,
}
"""Protocols that are to be refused."""


def json_items(items: Iterable[dict[str, object]]) -> str:
    """A body for the API."""
    return json.dumps({"items": list(items)})
