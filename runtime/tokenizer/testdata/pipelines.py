"""Rebuilds pipelines.jsonl.gz: what Hugging Face's tokenizers says for every option of
the normalizers, pre-tokenizers, models, post-processors and decoders that the package
reads. The form is that of variants.py; "decodes" are lists of random ids and their texts,
and rows have only the fields that the case is about.

    pip install tokenizers==0.23.3 && python pipelines.py
"""
import base64
import copy
import gzip
import json
import random

from tokenizers import Tokenizer
from unicode import charsmap

BYTES = ["<0x%02X>" % b for b in range(256)]
CHARS = [chr(c) for c in range(0x20, 0x7F)] + list("▁éß日本ÀﬁГİ½\n")
MERGES = [["▁", "a"], ["▁", "▁"], ["▁▁", "▁▁"], ["a", "b"], ["ab", "ab"], ["▁a", "b"], ["1", "2"], ["b", "▁"], ["l", "l"], ["日", "本"],
          [" ", "a"], ["h", "e"], ["ll", "o"], ["he", "llo"], ["▁", "hello"]]
TOKENS = ["<unk>", "<s>", "</s>"] + BYTES + CHARS
TOKENS += [t for t in (a + b for a, b in MERGES) if t not in TOKENS] + ["whole", "▁whole"]
VOCAB = {t: i for i, t in enumerate(TOKENS)}
N = len(VOCAB)


def added(id, content, **k):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} | k


SPECIALS = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
BASE = {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": SPECIALS, "normalizer": None, "pre_tokenizer": None, "post_processor": None,
    "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
    "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None,
              "fuse_unk": True, "byte_fallback": True, "ignore_merges": False, "vocab": VOCAB, "merges": MERGES},
}
UNIGRAM = [["<unk>", 0.0], ["<s>", 0.0], ["▁", -2.0], ["a", -3.0], ["b", -3.0], ["ab", -6.0], ["▁a", -5.0], ["▁ab", -8.0], ["ba", -6.0], ["aba", -9.0],
           ["l", -4.0], ["ll", -7.5], ["h", -4.25], ["e", -4.5], ["o", -4.0], ["hello", -9.0], ["▁hello", -12.0], ["日", -8.0], ["日本", -9.5], [" ", -5.0],
           ["1", -3.5], ["2", -3.5], ["12", -7.0], ["xy", -50.0], ["x.", -9.0], ["▁▁", -4.0], ["b", -3.25]]


def unigram(vocab=UNIGRAM, **k):
    return {"model": {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab} | k, "added_tokens": SPECIALS[:2]}


def sequence(list, *steps):
    return {"type": "Sequence", list: [*steps]}


def replace(content, **pattern):
    return {"type": "Replace", "pattern": pattern, "content": content}


def metaspace(scheme, **k):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True} | k


def split(pattern, behavior="Isolated", kind="Regex", invert=False):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def bert(**k):
    return {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False, "strip_accents": None, "lowercase": False} | k


def strip(start, stop, content=" "):
    return {"type": "Strip", "content": content, "start": start, "stop": stop}


def frame(kind, **k):
    return {"type": kind, "sep": ["</s>", 2], "cls": ["<s>", 1]} | k


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
RULES = {"A": "a", "ab": "X", "é": "é", "ﬁ": "fi", "½": "1/2", "\u00a0": " ", "日": "", "e\u0301": "é", "\r\n": "\n", "İ": "i̇", "a\u0308": "ä", "©": "(c)", "\t": " ", "한": "h"}
LAST = {"Sequence": {"id": "A", "type_id": 0}}
NORMALIZERS = {
    **{n: {"type": n} for n in ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt"]},
    "Prepend": {"type": "Prepend", "prepend": "▁"},
    "Prepend two": {"type": "Prepend", "prepend": "x▁"},
    "Replace": replace("▁", String=" "),
    "Replace by nothing": replace("", String="a"),
    "Replace longer": replace("[]", String="ab"),
    "Replace regex": replace(" ", Regex=" {2,}"),
    "Replace regex class": replace("#", Regex=r"[^\S\n]+|\d"),
    "Replace regex alternatives": replace("", Regex="a|ab|[bc]+"),
    **{f"Strip {a} {b}": {"type": "Strip", "strip_left": a, "strip_right": b} for a in (False, True) for b in (False, True)},
    "Llama": sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, replace("▁", String=" ")),
    "accents": sequence("normalizers", {"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
    "Bert clean": bert(clean_text=True),
    "Bert ideographs": bert(handle_chinese_chars=True),
    "Bert accents": bert(strip_accents=True),
    "Bert lowercase": bert(lowercase=True),
    "Bert lowercase only": bert(lowercase=True, strip_accents=False),
    "Bert": bert(clean_text=True, handle_chinese_chars=True, lowercase=True),
    "Precompiled": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap(RULES)).decode()},
}
PRE = {
    **{f"Metaspace {s} {t}": metaspace(s, split=t) for s in ("always", "first", "never") for t in (False, True)},
    "Metaspace old": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "str_rep": "▁"},
    "Metaspace letter": metaspace("always", replacement="_"),
    **{f"Punctuation {b}": {"type": "Punctuation", "behavior": b} for b in ["Isolated", "Removed", "Contiguous", "MergedWithPrevious", "MergedWithNext"]},
    **{n: {"type": n} for n in ["Whitespace", "WhitespaceSplit", "BertPreTokenizer"]},
    "CharDelimiterSplit": {"type": "CharDelimiterSplit", "delimiter": "b"},
    "Digits": {"type": "Digits", "individual_digits": False},
    "Digits one by one": {"type": "Digits", "individual_digits": True},
    "Split": split(r"\p{Lu}|\s+"),
    "Split string": split(" ", "MergedWithPrevious", "String"),
    "words then Metaspace": sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace("always")),
    "words then Metaspace first": sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace("first")),
    "punctuation then Metaspace first": sequence("pretokenizers", {"type": "Punctuation"}, metaspace("first"), {"type": "Digits", "individual_digits": True}),
}
DECODERS = {
    "none": None,
    "ByteFallback": {"type": "ByteFallback"},
    "Fuse": {"type": "Fuse"},
    "ByteLevel": BYTE_LEVEL,
    **{f"Metaspace {s}": metaspace(s) for s in ("always", "first", "never")},
    "Metaspace after Fuse": sequence("decoders", {"type": "Fuse"}, metaspace("always")),
    "Metaspace after ByteFallback": sequence("decoders", {"type": "ByteFallback"}, metaspace("always")),
    "Replace": replace(" ", String="▁"),
    "Replace regex": replace("<>", Regex="a+|<0x"),
    "Replace after Fuse": sequence("decoders", {"type": "Fuse"}, replace("", String="a")),
    "Llama": sequence("decoders", replace(" ", String="▁"), {"type": "ByteFallback"}, {"type": "Fuse"}, strip(1, 0)),
    "Gemma": sequence("decoders", replace(" ", String="▁"), {"type": "ByteFallback"}, {"type": "Fuse"}),
    **{f"Strip {a} after Fuse": sequence("decoders", replace(" ", String="▁"), {"type": "ByteFallback"}, {"type": "Fuse"}, strip(a, 0)) for a in (2, 3)},
    **{f"Strip {b} at the end": sequence("decoders", replace("▁", String=" "), {"type": "Fuse"}, strip(0, b, "▁")) for b in (1, 3)},
    "Strip tokens": sequence("decoders", strip(1, 0, "▁"), {"type": "ByteFallback"}),
    "Strip both": sequence("decoders", {"type": "Fuse"}, strip(1, 1, "a")),
}
CASES = {"plain": ({}, "ids ids_plain ids_text decodes")}
CASES |= {"normalizer " + n: ({"normalizer": v}, "ids_plain") for n, v in NORMALIZERS.items()}
CASES |= {"pre_tokenizer " + n: ({"pre_tokenizer": v}, "ids_plain") for n, v in PRE.items()}
CASES |= {"decoder " + n: ({"decoder": v}, "decodes") for n, v in DECODERS.items()}
CASES |= {
    "ByteLevel normalizer": ({"normalizer": {"type": "ByteLevel"}, "decoder": BYTE_LEVEL}, "ids_plain decodes"),
    "first after Strip": ({"normalizer": {"type": "Strip", "strip_left": True, "strip_right": False}, "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Replace": ({"normalizer": replace("x", String="ab"), "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Replace of one": ({"normalizer": replace("x", String="a"), "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Replace by nothing": ({"normalizer": replace("", String="a"), "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Nmt": ({"normalizer": {"type": "Nmt"}, "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Precompiled": ({"normalizer": NORMALIZERS["Precompiled"], "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after NFKC": ({"normalizer": {"type": "NFKC"}, "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first after Prepend": ({"normalizer": {"type": "Prepend", "prepend": "x"}, "pre_tokenizer": metaspace("first")}, "ids_plain"),
    "first with removed": ({"pre_tokenizer": sequence("pretokenizers", split("b", "Removed"), metaspace("first"))}, "ids_plain"),
    "added tokens": ({"normalizer": NORMALIZERS["Llama"], "added_tokens": SPECIALS + [
        added(VOCAB["he"], "he", special=False, normalized=True), added(N, "[X]", lstrip=True, rstrip=True), added(N + 1, "b c", special=False)]}, "ids ids_plain ids_text decodes"),
    "added tokens in lower case": ({"normalizer": {"type": "Lowercase"}, "added_tokens": SPECIALS + [
        added(N, "HeL", normalized=True), added(N + 1, "AB", normalized=True, special=False, single_word=True)]}, "ids_plain ids_text decodes"),
    "first with added tokens": ({"pre_tokenizer": metaspace("first"), "added_tokens": SPECIALS + [added(VOCAB["he"], "he", special=False, normalized=True)]}, "ids_plain ids_text"),
    "unk": ({"model": {"byte_fallback": False, "fuse_unk": False}}, "ids_plain"),
    "unk fused": ({"model": {"byte_fallback": False}}, "ids_plain"),
    "no unk": ({"model": {"byte_fallback": False, "unk_token": None}}, "ids_plain"),
    "some bytes": ({"model": {"vocab": {t: i for t, i in VOCAB.items() if t not in ("<0xC3>", "<0xF0>", "日")}, "merges": MERGES[:9]}}, "ids_plain"),
    "some bytes, unk not fused": ({"model": {"fuse_unk": False, "vocab": {t: i for t, i in VOCAB.items() if t != "<0xF0>"}}}, "ids_plain"),
    "ignore_merges": ({"model": {"ignore_merges": True}, "pre_tokenizer": metaspace("always")}, "ids_plain"),
    "ignore_merges, whole text": ({"model": {"ignore_merges": True}}, "ids_plain"),
    "merges of bytes": ({"model": {"merges": MERGES + [["<0xC3>", "<0xA0>"]], "vocab": VOCAB | {"<0xC3><0xA0>": N}}}, "ids_plain decodes"),
    "merges of unk": ({"model": {"byte_fallback": False, "merges": MERGES + [["<unk>", "a"]], "vocab": VOCAB | {"<unk>a": N}}}, "ids_plain"),
    "BertProcessing": ({"post_processor": frame("BertProcessing")}, "ids"),
    "RobertaProcessing": ({"post_processor": frame("RobertaProcessing", trim_offsets=True, add_prefix_space=True)}, "ids"),
    "TemplateProcessing": ({"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, LAST, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                                               "pair": [LAST, {"Sequence": {"id": "B", "type_id": 1}}],
                                               "special_tokens": {t: {"id": t, "ids": [VOCAB[t]], "tokens": [t]} for t in ("<s>", "</s>")}}}, "ids"),
    "Unigram": (unigram(), "ids_plain decodes"),
    "Unigram with bytes": (unigram(UNIGRAM[:26] + [[b, -20.0] for b in BYTES], byte_fallback=True), "ids_plain decodes"),
    "Unigram with some bytes": (unigram(UNIGRAM[:26] + [[b, -20.0] for b in BYTES[:0xF0]], byte_fallback=True), "ids_plain"),
    "Unigram with a twin": (unigram(UNIGRAM + [["ab", -1.0], ["hello", -1.5]]), "ids_plain decodes"),
    "Unigram with ties": (unigram([["<unk>", 0.0], ["<s>", 0.0], ["a", -1.0], ["aa", -2.0], ["aaa", -3.0], ["b", -1.0], ["ab", -2.0], ["ba", -2.0], ["▁", -1.0]]), "ids_plain"),
    "T5": (unigram() | {"normalizer": sequence("normalizers", NORMALIZERS["Precompiled"], {"type": "Strip", "strip_left": False, "strip_right": True}, replace("▁", Regex=" {2,}")),
                        "pre_tokenizer": metaspace("always"), "decoder": metaspace("always")}, "ids_plain decodes"),
}
TEXTS = ["", "a", " a", "  ab  ", "hello Hello HELLO", "ab<s>ab </s> ab", "a\nb\r\n c", "12 1 a1b2", "x. x, (y)! «z» ¿q?", "b c b", "ab▁ab _ab", "é e\u0301 \u0301", "日本語 日", "🙂👩‍👩‍👧", "ﬁ ½ Ⅷ ㋿ ｆ",
         "Straße İI ΣΑΣ ǅ", "\u00a0a\u2003b\u3000c", "\u200b\ufeffx\u200d", "\x00\x01\x7f\x85\t", "co\u0301te \u1100\u1161\u11a8 각", "xyxx.y", "abababab aaaa", "مرحبا नमस्ते สวัสดี", "[X] he[X]he b c", "<unk><0x41>", "AB ab aB",
         "\u0378\U0001fae9\u1c89", "a\u0308\u0323b", "whole  whole", "©\u200d® ©\u0301", "\ufffd� a", "한\u0301"]
rnd = random.Random(5)
TEXTS += ["".join(rnd.choice("ab  ▁12é日.\n<s>x") for _ in range(n)) for n in (7, 40, 90)]


def decodes(t, size):
    out, rnd = [], random.Random(11)
    marks = [VOCAB["▁"], VOCAB["a"], VOCAB[" "], 0, 1, 2, size, size + 9]
    for n in list(range(12)) * 2:
        ids = [rnd.choice((rnd.randrange(size), rnd.randrange(3, 259), rnd.choice(marks))) for _ in range(n)]
        ids += list("é🙂".encode())[: rnd.randrange(7)] if size > 260 else []
        try:
            out.append([ids, t.decode(ids, skip_special_tokens=False), t.decode(ids, skip_special_tokens=True)])
        except BaseException:  # Strip panics on tokens that are too short
            pass
    return out


with gzip.GzipFile("pipelines.jsonl.gz", "wb", 9, mtime=0) as out:
    for name, (patch, fields) in CASES.items():
        j = copy.deepcopy(BASE)
        for k, v in patch.items():
            j[k] = {**j[k], **v} if k == "model" and "type" not in v else v
        t, plain = Tokenizer.from_str(json.dumps(j)), Tokenizer.from_str(json.dumps(j))
        plain.encode_special_tokens = True
        rows, wanted = [], fields.split()
        for s in TEXTS if wanted != ["decodes"] else []:
            ids = {"ids": lambda: t.encode(s), "ids_plain": lambda: t.encode(s, add_special_tokens=False), "ids_text": lambda: plain.encode(s, add_special_tokens=False)}
            rows.append({"text": s} | {f: ids[f]().ids for f in wanted if f in ids})
        case = {"name": name, "patch": patch, "rows": rows, "decodes": decodes(t, t.get_vocab_size()) if "decodes" in wanted else []}
        out.write((json.dumps(case, separators=(",", ":")) + "\n").encode() if name != "plain" else (json.dumps(case | {"patch": BASE}, separators=(",", ":")) + "\n").encode())
