"""Cut points as fixed-width records, so that any window of a walk is two small reads.

A tape is one byte string. A walk over it is a list of records beside it: items by their start, chunks by their bytes
and lines. Record i stands at byte i * size: nothing has to be read to find it.
"""

from collections.abc import Sequence
from dataclasses import replace
from struct import Struct

from service.core.chunk import Cut
from service.core.find import Hit

ITEM = Struct("<I")  # start; one more record says where the last item ends
CHUNK = Struct("<IIIIII")  # start, end, first line, last line; where its labels start and end
HIT = Struct("<IIIIII")  # line, its window's start and end, the window's first line, first and last line of its entry


def pack_hits(hits: Sequence[Hit]) -> bytes:
    """Hit records."""
    return b"".join(HIT.pack(hit.line, hit.start, hit.end, hit.first, *hit.entry) for hit in hits)


def unpack_hits(records: bytes) -> list[Hit]:
    """Hits of records."""
    return [
        Hit(line, start, end, first, (low, high)) for line, start, end, first, low, high in HIT.iter_unpack(records)
    ]


def pack_chunks(cuts: Sequence[Cut]) -> tuple[bytes, bytes]:
    """Chunk records, and the labels (boundary and heading) they point to."""
    labels, records = bytearray(), bytearray()
    at: dict[bytes, tuple[int, int]] = {}
    for cut in cuts:
        label = f"{cut.boundary}\n{cut.heading}".encode()
        if label not in at:
            at[label] = (len(labels), len(labels) + len(label))
            labels += label
        records += CHUNK.pack(cut.start, cut.end, cut.start_line, cut.end_line, *at[label])
    return bytes(records), bytes(labels)


def moved(records: bytes, offset: int, lines: int) -> bytes:
    """The same chunk records of a text that stands `offset` bytes and `lines` lines into its tape."""
    if not offset and not lines:
        return records
    return b"".join(
        CHUNK.pack(start + offset, end + offset, first + lines, last + lines, *rest)
        for start, end, first, last, *rest in CHUNK.iter_unpack(records)
    )


def unpack_chunk(record: bytes) -> tuple[Cut, int, int]:
    """One chunk record without its labels, and where those stand."""
    start, end, first, last, begin, stop = CHUNK.unpack(record)
    return Cut(start, end, first, last, ""), begin, stop


def labelled(cut: Cut, label: bytes) -> Cut:
    """The same cut with its boundary and heading."""
    boundary, _, heading = label.decode().partition("\n")
    return replace(cut, boundary=boundary, heading=heading)
