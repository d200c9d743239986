"""What is kept of the last prompt: the answer is the same as if nothing were."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import llama_cpp as llama
import pytest
from llguidance import LLMatcher
from llguidance.llamacpp import lltokenizer_from_vocab

from collectors.context import StoredFrame
from heed.errors import ModelError
from models.config import LlamaConfig, SamplingConfig
from models.grammar import lark
from models.llama import native, tiny
from models.llama.decode import Generated, Sampler, generate
from models.llama.images import PictureEncoder
from models.llama.session import Entry, LlamaSession, Stopped, common_prefix, positions, tokens
from tests.models.cases import FEW, HOSTILE, SHORT
from tests.proof import examples


class Bench:
    """A session of the tiny model, in the test's own process."""

    def __init__(self, model: tiny.TinyModel) -> None:
        self.log = native.NativeLog()
        self.stop = native.StopFlag()
        self.model = native.load_model(model.model, LlamaConfig(), self.log)
        projector = native.load_projector(
            model.mmproj, self.model, image_tokens=128, threads=1, gpu=False, log=self.log
        )
        self.pictures = PictureEncoder(projector, self.model, kept=8)
        self.vocabulary = llama.llama_model_get_vocab(self.model)
        self.tokenizer = lltokenizer_from_vocab(self.vocabulary)
        self.matcher = LLMatcher(
            self.tokenizer, LLMatcher.grammar_from_lark(lark(FEW, list(FEW.functions), limits=SHORT))
        )
        self.session = self.new_session()

    def new_session(self, **options: object) -> LlamaSession:
        values = {"context_tokens": 2048, "batch_tokens": 256, "kv_type": "f32", "flash_attention": "off", **options}
        config = LlamaConfig.model_validate(values)
        context = native.new_context(self.model, config, threads=1, stop=self.stop)
        return LlamaSession(context, batch=256, stop=self.stop, pictures=self.pictures)

    def words(self, text: str) -> list[Entry]:
        return list(native.tokenize(self.vocabulary, text, special=False))

    def frame(self, frame: StoredFrame) -> list[Entry]:
        return list(self.pictures.entries(Path(frame.path), frame.sha256))

    def answer(self, session: LlamaSession, *, fast_forward: bool = True) -> Generated:
        matcher = self.matcher.deep_copy()
        sampler = Sampler(SamplingConfig())
        return generate(session, self.tokenizer, matcher, sampler, limit=400, fast_forward=fast_forward)


pytestmark = pytest.mark.filterwarnings("ignore:llama_token_get_attr:DeprecationWarning")  # llguidance's


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """In full precision and without flash attention: random weights give near ties, which rounding would decide."""
    made = Bench(tiny.build(tmp_path_factory.mktemp("precise"), tiny.TextShape(full_precision=True)))
    yield made
    made.log.close()


def sequence(bench: Bench, rng: random.Random, frames: Sequence[StoredFrame]) -> Iterator[list[Entry]]:
    """Prompts of one phone: screenshots arrive, move and drop, and the state of the moment changes."""
    static = bench.words("You decide. " * 8 + "Call one of the functions.")
    shown: list[StoredFrame] = []
    for _ in range(5):
        change = rng.randrange(4)
        if change == 0 or not shown:
            shown.append(rng.choice(frames))
        elif change == 1:
            shown.pop(0)
        elif change == 2:
            rng.shuffle(shown)
        seen = [entry for frame in shown[-3:] for entry in bench.frame(frame)]
        yield [*static, *seen, *bench.words(f"battery {rng.randrange(100)} {rng.choice(HOSTILE)}")]


def test_answers_with_reuse_equal_answers_without(bench: Bench, picture: Callable[..., StoredFrame]) -> None:
    frames = [picture(seed, width=90 + 30 * seed, height=200) for seed in range(5)]
    kept, fresh = bench.new_session(), bench.new_session()
    reused, encoded = 0, bench.pictures.encodings
    for seed in range(examples(10, 100)):
        for prompt in sequence(bench, random.Random(seed), frames):
            reused += kept.fill(prompt, reserve=464).reused
            fresh.clear()
            assert fresh.fill(prompt, reserve=464).reused == 0
            assert bench.answer(kept).text == bench.answer(fresh).text
    assert reused > 0
    assert bench.pictures.encodings - encoded <= len(frames), "each screenshot is encoded once"


def test_skipping_forced_tokens_does_not_change_the_answer(bench: Bench) -> None:
    count, compared = examples(5, 100), 0
    for seed in range(count):
        prompt = bench.words(f"moment {seed}")
        bench.session.fill(prompt)
        quick = bench.answer(bench.session)
        bench.session.fill(prompt)
        slow = bench.answer(bench.session, fast_forward=False)
        assert quick.forced > 0 == slow.forced
        if quick.tokens == slow.tokens or not same_text_in_other_tokens(bench, quick.tokens, slow.tokens):
            assert quick.text == slow.text
            assert quick.confidence == pytest.approx(slow.confidence, rel=1e-3)
            compared += 1
    assert compared >= 0.9 * count


def same_text_in_other_tokens(bench: Bench, quick: Sequence[int], slow: Sequence[int]) -> bool:
    """Whether the texts agree where the tokens differ first.

    The grammar forces bytes. A model that is asked for each token may spell them with shorter tokens, and goes on from
    there in its own way.
    """
    pairs = zip(quick, slow, strict=False)
    shared = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(quick), len(slow)))
    one, other = (bytes(bench.tokenizer.decode_bytes(list(ids))) for ids in (quick, slow))
    longest = max(len(bench.tokenizer.decode_bytes(list(ids[: shared + 1]))) for ids in (quick, slow))
    return one[:longest] == other[:longest]


@pytest.mark.parametrize("kv_type", ["f16", "q8_0", "q4_0"])
def test_every_precision_of_the_cache_works(bench: Bench, kv_type: str) -> None:
    session = bench.new_session(kv_type=kv_type, flash_attention="on")
    session.fill(bench.words("hello"))
    assert bench.answer(session).text.startswith(b"<rec>")


def test_a_picture_takes_fewer_positions_than_tokens(bench: Bench, picture: Callable[..., StoredFrame]) -> None:
    entries = bench.frame(picture(1, width=300, height=300))
    assert tokens(entries) > positions(entries) > 2
    bench.session.fill([*entries, *bench.words("after")])
    assert bench.session.fill([*entries, *bench.words("later")]).reused == tokens(entries)


def test_text_of_a_message_never_becomes_a_control_token(bench: Bench) -> None:
    control = {
        token
        for token in range(llama.llama_vocab_n_tokens(bench.vocabulary))
        if llama.llama_vocab_is_control(bench.vocabulary, token)
    }
    assert control
    for text in HOSTILE:
        assert not control & set(native.tokenize(bench.vocabulary, text, special=False))
    assert control & set(native.tokenize(bench.vocabulary, HOSTILE[0], special=True))


def test_a_stopped_evaluation_leaves_a_cache_that_goes_on(bench: Bench) -> None:
    prompt = bench.words("stop " * 500)
    bench.session.clear()
    bench.stop.set()
    with pytest.raises(Stopped):
        bench.session.fill(prompt)
    bench.stop.clear()
    bench.session.fill(prompt)
    stopped = bench.answer(bench.session).text
    bench.session.clear()
    bench.session.fill(prompt)
    assert bench.answer(bench.session).text == stopped


def test_a_saved_prefix_gives_the_same_answer_when_restored(bench: Bench, tmp_path: Path) -> None:
    prefix = native.tokenize(bench.vocabulary, "You decide. " * 20, special=False)
    prompt = [*prefix, *bench.words("now")]
    bench.session.clear()
    bench.session.fill(prefix)
    assert bench.session.save(tmp_path / "state") > 0
    bench.session.fill(prompt)
    wanted = bench.answer(bench.session).text
    other = bench.new_session()
    assert other.restore(tmp_path / "state", prefix)
    assert other.fill(prompt).reused == len(prefix)
    assert bench.answer(other).text == wanted
    assert not other.restore(tmp_path / "state", prefix[:-1])


def test_more_than_the_context_holds_is_refused(bench: Bench) -> None:
    with pytest.raises(ModelError, match="context_tokens"):
        bench.session.fill(bench.words("many " * 3000))
    bench.session.fill(bench.words("few"))


def test_pictures_of_any_size_cost_no_more_than_the_cap(bench: Bench, picture: Callable[..., StoredFrame]) -> None:
    for width, height in ((4096, 4096), (1, 1), (2, 3000)):
        assert tokens(bench.frame(picture(7, width=width, height=height))) <= 140


def test_what_is_not_a_picture_is_refused_by_name(bench: Bench, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    for content in (b"", b"\x89PNG\r\n\x1a\nnot really", b"GIF89a"):
        broken.write_bytes(content)
        with pytest.raises(ModelError, match=r"broken\.png"):
            bench.pictures.entries(broken, sha256=content.hex())


def test_a_common_prefix_ends_at_the_first_difference() -> None:
    assert common_prefix([1, 2, 3], [1, 2, 4]) == 2
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([], [1]) == 0
