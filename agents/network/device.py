"""Where a network runs. What differs between a CPU and a CUDA GPU is here and nowhere else.

                 CPU                                CUDA
    precision    auto: bf16 where the CPU has       auto: bf16 where the GPU has units for it
                 matrix units for it, else fp32
    network      as it is                           compiled by torch
    arrays in    seen in place                      through pinned memory, without waiting
    arrays out   seen in place                      through pinned memory, then this thread waits for its own work
    threads      one for each operator inside       a stream for each thread, so that none waits for another's work;
                 work that is spread already        one thread at a time launches

A thread that waits for the GPU gives its core and the interpreter away: of two tables of games on two threads, one
searches while the GPU judges the other's leaves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any, Final, Literal

import numpy as np
import torch
from torch import Tensor, nn

from agents.errors import DeviceError
from makruk_env.core.threads import threads

DeviceName = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "fp32", "bf16"]
Resolved = Literal["fp32", "bf16"]
DEVICES: Final = ("auto", "cpu", "cuda")
TYPES: Final = {"fp32": torch.float32, "bf16": torch.bfloat16}


@cache
def _cpu_units() -> frozenset[str]:
    """Return the names of the instruction sets that this CPU has, as torch calls them."""
    return frozenset(name for name, there in getattr(torch.cpu, "get_capabilities", dict)().items() if there is True)


class Device:
    """The CPU, and what every other device has in common with it."""

    name: str = "cpu"

    def precision(self, name: Precision) -> Resolved:
        """Return a precision with "auto" resolved. Raises `ValueError` for another name."""
        if name == "auto":
            return self._usual_precision()
        if name not in TYPES:
            raise ValueError(f"precision: expected one of {('auto', *TYPES)}, got {name!r}")
        return name

    def _usual_precision(self) -> Resolved:
        # Without units for it bfloat16 is emulated: on an AVX2 CPU self-play fell to 5 positions/s.
        return "bf16" if "amx_bf16" in _cpu_units() or "avx512_bf16" in _cpu_units() else "fp32"

    def place(self, module: nn.Module) -> None:
        """Move a module's weights here, in the layout that convolutions read: channels together."""
        module.to(self.name)
        module.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stub

    def compiled(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return what to call in the place of a module, or of a method of one; the weights stay the module's."""
        return call

    def launching(self) -> AbstractContextManager[object]:
        """Return the block in which something compiled may be called, or gone back through for gradients."""
        return nullcontext()

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Mark a block that runs a network without gradients, on one of several threads perhaps."""
        if threads() == 1:  # others evaluate beside us: torch's own threads would wait for each other's time slices
            torch.set_num_threads(1)
        with torch.inference_mode():
            yield

    def send(self, array: np.ndarray) -> Tensor:
        """Return an array as a tensor here; it must not change before what is computed from it has been fetched."""
        return torch.from_numpy(array)

    def fetch(self, *tensors: Tensor) -> tuple[np.ndarray, ...]:
        """Return tensors as arrays, ready to be read."""
        return tuple(tensor.numpy() for tensor in tensors)

    def settle(self) -> None:
        """Wait until all that was asked of the device is done, so that every thread sees the new weights."""


class Cuda(Device):
    """The GPU that CUDA calls the current one."""

    name = "cuda"

    def __init__(self) -> None:
        # Tracing is not safe beside another thread that calls something compiled. What a launch takes is short, and the
        # interpreter lock is held for most of it anyhow.
        self._launch = threading.RLock()
        self._local = threading.local()

    def _usual_precision(self) -> Resolved:
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"

    def compiled(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """See `Device`; one compilation serves all batch sizes, as the number of leaves changes from call to call."""
        return torch.compile(call, dynamic=True)

    def launching(self) -> AbstractContextManager[object]:
        return self._launch

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        torch.set_num_threads(1)  # all threads alike, else the compiled network would be compiled anew for each
        if not hasattr(self._local, "stream"):
            self._local.stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        with torch.inference_mode(), torch.cuda.stream(self._local.stream):
            yield

    def send(self, array: np.ndarray) -> Tensor:
        # torch keeps pinned memory for reuse, and none of it is given out again while a copy from it is under way.
        return torch.from_numpy(array).pin_memory().to(self.name, non_blocking=True)

    def fetch(self, *tensors: Tensor) -> tuple[np.ndarray, ...]:
        out = [torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True) for tensor in tensors]
        for to, tensor in zip(out, tensors, strict=True):
            to.copy_(tensor, non_blocking=True)
        # To sleep, not to spin: the core is for another table's search.
        done = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        done.record()
        done.synchronize()
        return tuple(to.numpy() for to in out)

    def settle(self) -> None:
        torch.cuda.synchronize()


_CPU, _CUDA = Device(), Cuda()


def find_device(name: DeviceName = "auto") -> Device:
    """Return the device of a name, always the same one; "auto": the GPU where torch can use one, else the CPU.

    Raises `DeviceError` for another name, and for "cuda" where there is none.
    """
    if name not in DEVICES:
        raise DeviceError(f"device: expected one of {DEVICES}, got {name!r}")
    usable = torch.cuda.is_available()
    if name == "cuda" and not usable:
        missing = "no GPU that torch can use" if torch.version.cuda else "a torch built without CUDA"
        raise DeviceError(f"device: expected a CUDA GPU for 'cuda', got {missing} ({torch.__version__})")
    return _CUDA if usable and name != "cpu" else _CPU
