"""Tiny random Qwen2.5-VL weights in Hugging Face's format: every step of a training runs on them as on real ones.

The vocabulary is a byte-level BPE with Qwen2's pre-tokenizer, learnt from the pool and the instructions. The converters
do not know its hash, so they have to be told ``--pre-tokenizer qwen2``. Widths are multiples of 256, so that all of
Q4_K_M's precisions are used.
"""

from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2VLImageProcessorPil,
)

from function_pool.spec import default_pool
from heed.language import Language
from models.llama.tiny import CHAT_TEMPLATE, CONTROL_TOKENS
from models.prompt.pool_text import compact
from models.prompt.template import load

_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Qwen2's pre-tokenizer."""
_WIDTH = 256


def build(folder: Path, vocabulary: int = 1024, seed: int = 0) -> Path:
    """Writes the model to ``folder``; the same seed gives the same weights."""
    tokenizer = _tokenizer(vocabulary)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    Qwen2_5_VLForConditionalGeneration(_config(tokenizer)).save_pretrained(folder)
    Qwen2VLImageProcessorPil(do_convert_rgb=True).save_pretrained(folder)
    return folder


def _tokenizer(vocabulary: int) -> PreTrainedTokenizerFast:
    made = Tokenizer(models.BPE())
    made.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(Regex(_SPLIT), "isolated")
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocabulary, initial_alphabet=alphabet, show_progress=False)
    instructions = load("heed-1").texts[Language.EN]
    made.train_from_iterator(
        [compact(default_pool()), *[instructions.system, *instructions.formats.values()] * 5], trainer
    )
    made.add_special_tokens(list(CONTROL_TOKENS))
    special = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    return PreTrainedTokenizerFast(tokenizer_object=made, chat_template=CHAT_TEMPLATE, **special)


def _config(tokenizer: PreTrainedTokenizerFast) -> Qwen2_5_VLConfig:
    number = tokenizer.convert_tokens_to_ids
    text = {
        "hidden_size": _WIDTH,
        "intermediate_size": 2 * _WIDTH,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": len(tokenizer),
        "max_position_embeddings": 32_768,
        "rms_norm_eps": 1e-6,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [8, 12, 12]},
        "initializer_range": 0.1,
        "bos_token_id": number("<|endoftext|>"),
        "eos_token_id": number("<|im_end|>"),
    }
    vision = {
        "depth": 4,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_heads": 2,
        "out_hidden_size": _WIDTH,
        "fullatt_block_indexes": [1, 3],
    }
    return Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=number("<|image_pad|>"),
        video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"),
        tie_word_embeddings=False,
    )
