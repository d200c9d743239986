"""The embeddings of texts, each computed once."""

from collections.abc import Iterable

from evaluation.embeddings import SentenceEmbedder
from models.perceptor.features import Array


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
