"""A file that only grows: checked chunks of bytes, one behind the other.

    head     MAGIC, 8 bytes | length of the payload, 8 | CRC-32 of the payload, 4 | CRC-32 of these 20 bytes, 4
    payload  length bytes

Numbers are little-endian. What a kill or a full disk leaves half written is the end of the file, which the next writer
finds and drops; damage before a whole chunk is never dropped, only passed over on request.
"""

from __future__ import annotations

import logging
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from training.closing import Closing
from training.errors import RecordError, StorageError

MAGIC = b"MKGAMES\n"
_FIELDS = struct.Struct("<8sQI")
_CHECK = struct.Struct("<I")
HEAD_SIZE = _FIELDS.size + _CHECK.size
_BLOCK = 1 << 20

_log = logging.getLogger(__name__)


def _head(payload: bytes) -> bytes:
    fields = _FIELDS.pack(MAGIC, len(payload), zlib.crc32(payload))
    return fields + _CHECK.pack(zlib.crc32(fields))


def _read_head(file: BinaryIO, at: int) -> tuple[int, int] | None:
    """Return the length and the CRC of the payload whose head stands at `at`, None where no head stands."""
    file.seek(at)
    head = file.read(HEAD_SIZE)
    if len(head) < HEAD_SIZE or _CHECK.unpack_from(head, _FIELDS.size)[0] != zlib.crc32(head[: _FIELDS.size]):
        return None
    magic, length, check = _FIELDS.unpack_from(head)
    return (length, check) if magic == MAGIC else None


def _read_chunk(file: BinaryIO, at: int) -> bytes | None:
    """Return the payload of the chunk at `at`, None where no whole one stands."""
    head = _read_head(file, at)
    if head is None or at + HEAD_SIZE + head[0] > os.fstat(file.fileno()).st_size:
        return None
    payload = file.read(head[0])
    return payload if zlib.crc32(payload) == head[1] else None


def _next_chunk(file: BinaryIO, at: int) -> int | None:
    """Return where the first whole chunk at or behind `at` begins, None if there is none."""
    kept, begin = b"", at
    while True:
        file.seek(begin + len(kept))
        block = kept + file.read(_BLOCK)
        if len(block) < len(MAGIC):
            return None
        found = block.find(MAGIC)
        while found >= 0:
            if _read_chunk(file, begin + found) is not None:
                return begin + found
            found = block.find(MAGIC, found + 1)
        kept = block[1 - len(MAGIC) :]  # the magic may lie across two blocks
        if len(block) < _BLOCK:
            return None
        begin += len(block) - len(kept)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise RecordError(f"game records: expected a file, got {str(path)!r}: {error.strerror}") from error


def read_chunks(path: Path, skip_damage: bool = False) -> Iterator[bytes]:
    """Yield the payloads of a file, one at a time; see `chunks_from`."""
    for _, payload in chunks_from(path, 0, skip_damage):
        yield payload


def chunks_from(path: Path, begin: int, skip_damage: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield of each chunk from a byte on where it begins, and its payload.

    skip_damage: pass over what is damaged, saying so in the log. Raises `RecordError` for a missing file, and else for
    damage, after the chunks before it.
    """
    with _open(path) as file:
        at, size = begin, os.fstat(file.fileno()).st_size
        while at < size:
            payload = _read_chunk(file, at)
            if payload is None:
                behind = _next_chunk(file, at + 1)
                end = size if behind is None else behind
                told = f"game records {str(path)!r}: expected a whole chunk at byte {at}, got damage up to byte {end}"
                if not skip_damage:
                    raise RecordError(f"{told} of {size}")
                _log.warning("%s, passed over", told)
                at = end
                continue
            yield at, payload
            at += HEAD_SIZE + len(payload)


def _whole_length(path: Path) -> int:
    """Return how many bytes of a file are whole chunks; the last one is read, of the others only the heads.

    Raises `RecordError` for a damaged head with whole chunks behind it.
    """
    with _open(path) as file:
        at, last, size = 0, 0, os.fstat(file.fileno()).st_size
        while at < size:
            head = _read_head(file, at)
            if head is None or at + HEAD_SIZE + head[0] > size:
                behind = _next_chunk(file, at + 1)
                if behind is not None:
                    raise RecordError(
                        f"game records {str(path)!r}: expected a whole chunk at byte {at} to write behind, "
                        f"got damage up to byte {behind} of {size}"
                    )
                return at
            last = at
            at += HEAD_SIZE + head[0]
        return at if at == 0 or _read_chunk(file, last) is not None else last


class ChunkWriter(Closing):
    """Writes behind the whole chunks of a file, which is made if it is missing; use it as a context, or `close` it.

    length: of the file, in bytes; given, what it was at an earlier time, and all behind it is dropped. Else what is
    half written at the end is dropped, saying so in the log. Raises `RecordError` for a file that is shorter than that,
    or else damaged in the middle, and `StorageError` wherever the disk refuses; then the file keeps what it had.
    """

    def __init__(self, path: Path, length: int | None = None) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise self._refused(error) from error
        try:
            size = path.stat().st_size
            self.length = _whole_length(path) if length is None else length
            if size < self.length:
                raise RecordError(f"game records {str(path)!r}: expected {self.length} bytes or more, got {size}")
            if length is None and size > self.length:
                _log.warning("game records %r: dropped a half-written end, %d bytes", str(path), size - self.length)
            self._file.truncate(self.length)
        except BaseException as error:
            self._file.close()
            if isinstance(error, OSError):
                raise self._refused(error) from error
            raise

    def _refused(self, error: OSError) -> StorageError:
        return StorageError(f"game records: expected to write to {str(self.path)!r}, got {error}")

    def append(self, payload: bytes) -> None:
        """Add a chunk, or nothing where the disk refuses."""
        data = memoryview(_head(payload) + payload)
        length = self.length + len(data)
        try:
            while data:
                data = data[self._file.write(data) :]
        except BaseException as error:  # also an interrupt: the next chunk must follow the last whole one
            self._file.truncate(self.length)
            if isinstance(error, OSError):
                raise self._refused(error) from error
            raise
        self.length = length

    def flush(self) -> None:
        """Have all chunks on the disk."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._refused(error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()
