"""Pictures as tokens and pixels, by family of models; the tokens are those that llama.cpp's mtmd makes."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from transformers.models.smolvlm.processing_smolvlm import get_image_prompt_string

from heed.errors import UsageError

Tensors = dict[str, Any]


class SeenPictures(NamedTuple):
    """The pictures of one prompt."""

    texts: tuple[str, ...]
    """Per picture the control tokens that stand for it, as text."""
    tensors: Tensors
    """Keyword arguments of the model: pixels and sizes."""


class PictureFamily(NamedTuple):
    """How a family of models takes pictures."""

    read: Callable[[Any, Any, Sequence[Image.Image]], SeenPictures]
    """From configuration and image processor."""
    token: Callable[[Any], int]
    """The token that stands for one piece of a picture."""
    typed: bool
    """Whether the model is told which tokens are of pictures (``mm_token_type_ids``), for its positions."""


def _qwen(config: Any, processor: Any, images: Sequence[Image.Image]) -> SeenPictures:
    """One run of tokens for each picture."""
    made = processor(images=list(images), return_tensors="pt")
    counts = (made["image_grid_thw"].prod(dim=1) // processor.merge_size**2).tolist()
    texts = tuple(f"<|vision_start|>{'<|image_pad|>' * count}<|vision_end|>" for count in counts)
    return SeenPictures(texts, dict(made))


def _smolvlm(config: Any, processor: Any, images: Sequence[Image.Image]) -> SeenPictures:
    """The tiles of each picture row by row, then the whole picture."""
    made = processor(images=[list(images)], return_row_col_info=True, return_tensors="pt")
    rows, columns = made.pop("rows")[0], made.pop("cols")[0]
    side = config.vision_config.image_size // config.vision_config.patch_size // config.scale_factor
    texts = (
        get_image_prompt_string(high, wide, side * side, "<fake_token_around_image>", "<image>", "<global-img>")
        for high, wide in zip(rows, columns, strict=True)
    )
    return SeenPictures(tuple(texts), dict(made))


_QWEN = PictureFamily(_qwen, lambda config: config.image_token_id, typed=True)
_SMOLVLM = PictureFamily(_smolvlm, lambda config: config.image_token_id, typed=False)
FAMILIES: Mapping[str, PictureFamily] = {
    "qwen2_vl": _QWEN,
    "qwen2_5_vl": _QWEN,
    "qwen3_vl": _QWEN,
    "smolvlm": _SMOLVLM,
    "idefics3": _SMOLVLM,
}


def family(config: Any) -> PictureFamily:
    """The family of a model's configuration; ``UsageError`` for one whose pictures are not supported."""
    found = FAMILIES.get(config.model_type)
    if found is None:
        raise UsageError(
            f"Pictures are not supported for models of the type {config.model_type}.",
            f"Train without them (--no-screens), or use one of: {', '.join(FAMILIES)}.",
        )
    return found


def opened(paths: Sequence[str]) -> list[Image.Image]:
    """The pictures in the files."""
    images = []
    for path in paths:
        with Image.open(Path(path)) as image:
            images.append(image.convert("RGB"))
    return images
