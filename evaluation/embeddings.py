"""Sentence embeddings: by heed's own encoder, or by an OpenAI-compatible server."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

import httpx
import numpy as np
from pydantic import BaseModel, Field, ValidationError

from heed.errors import ModelError
from models.config import OpenAIConfig
from models.perceptor.features import Array
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.perceptor.tokens import Vocabulary
from models.reader.text_input import ReaderInput, text_pieces

_TIMEOUT = 60.0
"""Seconds for one request to a server."""
_BATCH = 64
"""Texts of one request."""


class SentenceEmbedder(Protocol):
    """Embeds texts.

    Attributes:
        name: what a report calls it.
    """

    name: str

    async def embed(self, texts: Sequence[str]) -> Array:
        """One row of length 1 per text, ``(n, d)``; raises ``ModelError``."""


class EncoderEmbedder:
    """The mean of the last states of heed's encoder, which was trained on messages and contexts, not on similarity.

    Args:
        network: the encoder.
        vocabulary: its pieces.
    """

    name = "heed's encoder (mean of the last states)"

    def __init__(self, network: Network, vocabulary: Vocabulary) -> None:
        self._network, self._vocabulary = network, vocabulary

    @classmethod
    def load(cls) -> "EncoderEmbedder":
        """The encoder that heed ships."""
        return cls(shipped_network(), shipped_vocabulary())

    async def embed(self, texts: Sequence[str]) -> Array:
        """One row per text, computed in another thread."""
        return _of_length_1(np.array(await asyncio.to_thread(lambda: [self._state(text) for text in texts])))

    def _state(self, text: str) -> Array:
        pieces = text_pieces(ReaderInput(head="", text=text), self._vocabulary)
        states = self._network.read(
            np.array([piece.number for piece in pieces], dtype=np.int64),
            np.array([int(piece.kind) for piece in pieces], dtype=np.int64),
        )["states"]
        said = [number for number, piece in enumerate(pieces) if piece.start >= 0] or [0]
        mean: Array = states[said].mean(axis=0)
        return mean


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Rows(BaseModel):
    data: list[_Row] = Field(min_length=1)


class ServerEmbedder:
    """The model on an OpenAI-compatible server (``POST embeddings``).

    Args:
        config: address, key and model.
    """

    def __init__(self, config: OpenAIConfig) -> None:
        self.name = f"{config.model or 'the model'} at {config.base_url}"
        self._config = config

    async def embed(self, texts: Sequence[str]) -> Array:
        """One row per text, asked in batches."""
        key = self._config.api_key.get_secret_value()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=_TIMEOUT) as client:
            rows = [await self._batch(client, texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        return _of_length_1(np.concatenate(rows))

    async def _batch(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Array:
        address = f"{self._config.base_url.rstrip('/')}/embeddings"
        try:
            response = await client.post(address, json={"model": self._config.model, "input": list(texts)})
            response.raise_for_status()
            found = _Rows.model_validate_json(response.content)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelError(
                f"{address} gives no embeddings: {error}.", "Check the address; it ends in /v1."
            ) from error
        except ValidationError as error:
            raise ModelError(f"{address} did not answer in OpenAI's format.", "Name a server of embeddings.") from error
        if len(found.data) != len(texts):
            raise ModelError(f"{address} gave {len(found.data)} embeddings for {len(texts)} texts.")
        return np.array([row.embedding for row in sorted(found.data, key=lambda row: row.index)])


class TextVectors:
    """Keeps what an embedder gives.

    Args:
        embedder: computes the embeddings.
    """

    def __init__(self, embedder: SentenceEmbedder) -> None:
        self._embedder = embedder
        self._rows: dict[str, Array] = {}

    async def add(self, texts: Iterable[str]) -> None:
        """Embed the texts that are new; raises ``ModelError``."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if new:
            self._rows |= dict(zip(new, await self._embedder.embed(new), strict=True))

    def cosine(self, first: str, second: str) -> float:
        """The cosine of two texts that were added, -1 to 1."""
        return max(-1.0, min(1.0, float(self._rows[first] @ self._rows[second])))


def _of_length_1(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Array = rows / np.where(lengths == 0, 1, lengths)
    return unit
