"""An SVG text as pixels, without a display: resvg draws, Pillow unpacks."""

from __future__ import annotations

import io

import numpy as np

from makruk_env.errors import MissingLibraryError

INSTALL_HINT = 'pip install "makruk-env[render]"'


def rgb(svg_text: str, size: int) -> np.ndarray:
    """Return a square drawing as [H, W, 3] uint8, H = W = size.

    Raises `MissingLibraryError` where resvg_py or Pillow is not installed.
    """
    # Here, not above: nobody who only plays should wait for the libraries, or need them.
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise MissingLibraryError(f"pictures need resvg_py and pillow ({error}): {INSTALL_HINT}") from error
    # No fonts: the drawing has none, and looking for them would take longer than drawing.
    png = resvg_py.svg_to_bytes(svg_string=svg_text, width=size, height=size, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.array(image.convert("RGB"))
