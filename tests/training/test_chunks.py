"""The file of checked chunks: what a kill, a full disk or a flipped byte leaves, and what of it is read again."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from training.chunks import HEAD_SIZE, MAGIC, ChunkWriter, read_chunks
from training.errors import RecordError, StorageError

CHUNKS = [b"one", MAGIC + b"a payload that looks like a head", b"", b"four" * 300_000, b"five"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with ChunkWriter(tmp_path / "file.bin") as writer:
        for chunk in CHUNKS:
            writer.append(chunk)
        writer.flush()
    return tmp_path / "file.bin"


def starts() -> list[int]:
    """Return where each chunk begins, and where the file ends."""
    at = [0]
    for chunk in CHUNKS:
        at.append(at[-1] + HEAD_SIZE + len(chunk))
    return at


def test_chunks_come_back(path: Path) -> None:
    assert list(read_chunks(path)) == CHUNKS
    assert path.stat().st_size == starts()[-1]


def test_a_half_written_end_is_dropped_and_nothing_else(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data, (fourth, fifth, end) = path.read_bytes(), starts()[-3:]
    for size in (fourth + 1, fourth + HEAD_SIZE, fifth - 1, fifth + 5, fifth + HEAD_SIZE + 2, end - 1):
        path.write_bytes(data[:size])
        whole = CHUNKS[:3] if size < fifth else CHUNKS[:4]
        caplog.clear()
        with ChunkWriter(path) as writer:
            assert writer.length == path.stat().st_size == (fourth if size < fifth else fifth)
            assert f"dropped a half-written end, {size - writer.length} bytes" in caplog.text
            writer.append(b"new")
        assert list(read_chunks(path)) == [*whole, b"new"]


def test_zeros_at_the_end_are_dropped(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(5000))
    with ChunkWriter(path) as writer:
        assert writer.length == starts()[-1]


def test_a_last_chunk_that_is_damaged_is_dropped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with ChunkWriter(path) as writer:
        assert writer.length == starts()[-2]
    assert list(read_chunks(path)) == CHUNKS[:-1]


@pytest.mark.parametrize("chunk", range(len(CHUNKS)))
def test_any_flipped_byte_costs_its_own_chunk_alone(path: Path, chunk: int, caplog: pytest.LogCaptureFixture) -> None:
    data, first, end = path.read_bytes(), starts()[chunk], starts()[chunk + 1]
    for at in {first, first + 9, first + 17, first + 21, (first + end) // 2, end - 1}:
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
        chunks = read_chunks(path)
        assert [next(chunks) for _ in range(chunk)] == CHUNKS[:chunk]
        with pytest.raises(RecordError, match=f"at byte {first}, got damage up to byte {end}"):
            next(chunks)
        caplog.clear()
        assert list(read_chunks(path, skip_damage=True)) == CHUNKS[:chunk] + CHUNKS[chunk + 1 :]
        assert f"damage up to byte {end}, passed over" in caplog.text


def test_behind_a_damaged_head_nothing_is_written(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[starts()[1]] ^= 1
    path.write_bytes(data)
    with pytest.raises(RecordError, match="to write behind"):
        ChunkWriter(path)
    assert path.read_bytes() == data


def test_it_is_cut_back_to_an_earlier_length(path: Path) -> None:
    with ChunkWriter(path, starts()[2]) as writer:
        writer.append(b"again")
    assert list(read_chunks(path)) == [*CHUNKS[:2], b"again"]
    size = path.stat().st_size
    with pytest.raises(RecordError, match=f"expected {size + 1} bytes or more, got {size}"):
        ChunkWriter(path, size + 1)
    assert path.stat().st_size == size


def test_a_full_disk_leaves_the_whole_chunks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        """A file on a disk with room for ten bytes more."""

        def __init__(self, file: object) -> None:
            self._file, self._room = file, 10

        def write(self, data: memoryview) -> int:
            if not self._room:
                raise OSError(errno.ENOSPC, "No space left on device")
            room, self._room = self._room, 0
            return self._file.write(data[:room])

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

    with ChunkWriter(path) as writer:
        file = writer._file
        writer._file = Full(file)
        with pytest.raises(StorageError, match=r"file\.bin.*No space left"):
            writer.append(b"more than there is room for")
        writer._file = file
        writer.append(b"after")
    assert list(read_chunks(path)) == [*CHUNKS, b"after"]


_LIMITED = """
import resource, sys
from pathlib import Path
from training.chunks import ChunkWriter
from training.errors import StorageError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with ChunkWriter(Path(sys.argv[1])) as writer:
    writer.append(b"x" * 900)
    try:
        writer.append(b"x" * 900)
    except StorageError as error:
        print(error)
"""


def test_a_limit_of_the_system_leaves_the_whole_chunks(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    done = subprocess.run([sys.executable, "-c", _LIMITED, str(path)], capture_output=True, text=True, check=True)
    assert "File too large" in done.stdout
    assert path.stat().st_size == HEAD_SIZE + 900
    assert list(read_chunks(path)) == [b"x" * 900]


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="expected to write"):
        ChunkWriter(tmp_path / "file" / "file.bin")
    with pytest.raises(RecordError, match="expected a file"):
        next(read_chunks(tmp_path / "none.bin"))
