"""Records of cut points say what was cut, and every one stands where its number says."""

from service.core import tape
from service.core.chunk import Cut
from service.core.find import Hit

CUTS = [Cut(0, 10, 1, 2, "heading", "A > B"), Cut(10, 25, 3, 3, "line", "A > B"), Cut(25, 30, 3, 4, "end", "")]


def test_chunk_records_come_back_with_their_labels() -> None:
    records, labels = tape.pack_chunks(CUTS)
    for index, cut in enumerate(CUTS):
        found, start, end = tape.unpack_chunk(records[index * tape.CHUNK.size : (index + 1) * tape.CHUNK.size])
        assert tape.labelled(found, labels[start:end]) == cut


def test_moved_records_count_from_the_tape() -> None:
    records, _ = tape.pack_chunks(CUTS)
    found, _, _ = tape.unpack_chunk(tape.moved(records, 100, 7)[: tape.CHUNK.size])
    assert (found.start, found.end, found.start_line, found.end_line) == (100, 110, 8, 9)
    assert tape.moved(records, 0, 0) is records


def test_hit_records_come_back() -> None:
    hits = [Hit(5, 10, 20, 3, (4, 6)), Hit(9, 30, 44, 8, (9, 9))]
    assert tape.unpack_hits(tape.pack_hits(hits)) == hits
