"""Pictures of a character that was shown: a sheet of all clips, and a film."""
from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

A_CLIP = 4  # pictures of each clip on the sheet
_COLUMNS = 2  # clips beside each other
_KEPT_WIDTH = 5 / 12  # of a picture: what lies beside the character is cut off
_FILM_STEP = 2  # one picture in so many, which are 1/30 s apart
_FILM_MS = 67


def contact_sheet(folder: Path, pictures: Sequence[int]) -> bytes:
    """Returns a PNG with some pictures of each clip, evenly spaced. folder: where CLIP-PICTURE.png are;
    pictures: how many there are of each clip."""
    sheet = None
    for clip, count in enumerate(pictures):
        for place in range(A_CLIP):
            picture = _cut(_picture(folder, clip, place * count // A_CLIP))
            if sheet is None:
                rows = -(-len(pictures) // _COLUMNS)
                background = picture.getpixel((0, 0))
                sheet = Image.new("RGB", (picture.width * A_CLIP * _COLUMNS, picture.height * rows), background)
            sheet.paste(picture, (picture.width * (A_CLIP * (clip % _COLUMNS) + place),
                                  picture.height * (clip // _COLUMNS)))
    assert sheet is not None
    return _png(sheet)


def film(folder: Path, pictures: Sequence[int]) -> bytes:
    """Returns a GIF of all clips, one after the other."""
    shown = [_picture(folder, clip, number) for clip, count in enumerate(pictures)
             for number in range(0, count, _FILM_STEP)]
    colours = _with_palette(_side_by_side(shown))
    frames = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in shown]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=_FILM_MS, loop=0)
    return data.getvalue()


def _picture(folder: Path, clip: int, number: int) -> Image.Image:
    with Image.open(folder / f"{clip:02}-{number:03}.png") as picture:
        return picture.convert("RGB")


def _cut(picture: Image.Image) -> Image.Image:
    width = round(picture.width * _KEPT_WIDTH)
    left = (picture.width - width) // 2
    return picture.crop((left, 0, left + width, picture.height))


def _side_by_side(pictures: Sequence[Image.Image]) -> Image.Image:
    """Some pictures in one, whose colours are those of all."""
    some = pictures[::max(1, len(pictures) // 16)]
    whole = Image.new("RGB", (some[0].width * len(some), some[0].height))
    for place, picture in enumerate(some):
        whole.paste(picture, (place * some[0].width, 0))
    return whole


def _with_palette(picture: Image.Image) -> Image.Image:
    return picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _png(picture: Image.Image) -> bytes:
    """With a palette, which a console's picture fits without a change."""
    colours = picture.getcolors(256)
    data = io.BytesIO()
    (picture.quantize(256) if colours is not None else picture).save(data, "PNG", optimize=True)
    return data.getvalue()
