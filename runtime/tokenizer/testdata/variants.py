"""Rebuilds variants.jsonl: what Hugging Face's tokenizers says for the options of
tokenizer.json that the five files in testdata/tokenizers don't use. Each line has a
name, the parts of tokenizer.json in which it differs from the first line's, and rows.

    pip install tokenizers==0.23.3 && python variants.py > variants.jsonl
"""
import copy
import json

from tokenizers import Tokenizer


def alphabet():
    keep = [*range(33, 127), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [b for b in range(256) if b not in keep]
    return {b: chr(b) for b in keep} | {b: chr(256 + i) for i, b in enumerate(rest)}


SPELL = alphabet()
MISSING = [ord("~"), ord("^")]  # bytes without a token
TOKENS = [SPELL[b] for b in range(256) if b not in MISSING]
MERGES = [["a", "b"], ["ab", "ab"], ["Ġ", "a"], ["b", "a"], ["1", "2"], ["Ã", "©"], ["Ġ", "Ġ"], ["ĠĠ", "ĠĠ"], ["abab", "ab"]]
WHOLE = ["hello", "Ġhello", "na\u00c3\u00afve"]  # reached by ignore_merges only
VOCAB = {t: i for i, t in enumerate(TOKENS + [a + b for a, b in MERGES] + WHOLE + ["<unk>"])}
N = len(VOCAB)
BYTELEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
BASE = {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
    "pre_tokenizer": BYTELEVEL, "post_processor": None, "decoder": dict(BYTELEVEL, use_regex=True),
    "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
              "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
              "vocab": VOCAB, "merges": MERGES},
}


def added(id, content, **k):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True} | k


def split(pattern, behavior, invert=False, kind="Regex"):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def sequence(*steps):
    return {"type": "Sequence", "pretokenizers": [*steps, BYTELEVEL]}


def template(*ids):
    single = [{"Sequence": {"id": "A", "type_id": 0}} if i is None else {"SpecialToken": {"id": i, "type_id": 0}} for i in ids]
    return {"type": "TemplateProcessing", "single": single, "pair": single + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {t: {"id": t, "ids": [VOCAB[t]], "tokens": [t]} for t in "XYZ"}
            | {"W": {"id": "W", "ids": [VOCAB["A"], VOCAB["B"]], "tokens": ["A", "B"]}}}


TEXTS = ["", "ab", "ababab abab", " a  a    a", "12121 3 12", "a1b22c", "--a--b-", "a, b,,c", "hello hello", "naïve", "é e\u0301",
         "~", "a~~b^~", "x\n\ny ", "日本 a", "ab<s>ab", "ab <s> ab", "<s><s>x", "a<s", "ab  <m>  ab<m>\n", "<m>", "x<w>y <w> z<w>", "<w>", "é<w>",
         "<a><ab><abc><abcd", "<abab>ab<ab>", "caf\u0065\u0301>", "café>", "<v>ab<v>", "It's ab'ab", "AbaB", "ſs's'S'ſ", "\t \r\n a"]
CASES = {
    "plain": BASE,
    "merges as strings": {"model": {"merges": [" ".join(m) for m in MERGES]}},
    "model without a type": {"model": {"type": None}},
    "a pair listed twice": {"model": {"merges": MERGES + [["a", "b"]]}},
    "unknown bytes": {"model": {"unk_token": "<unk>"}},
    "unknown bytes fused": {"model": {"unk_token": "<unk>", "fuse_unk": True}},
    "ignore_merges": {"model": {"ignore_merges": True}, "pre_tokenizer": dict(BYTELEVEL, use_regex=True)},
    "ByteLevel regex": {"pre_tokenizer": dict(BYTELEVEL, use_regex=True)},
    "ByteLevel prefix space": {"pre_tokenizer": dict(BYTELEVEL, use_regex=True, add_prefix_space=True)},
    "prefix space of every piece": {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        split("-", "Isolated", kind="String"), dict(BYTELEVEL, add_prefix_space=True)]}, "added_tokens": [added(N, "<s>")]},
    "Digits": {"pre_tokenizer": sequence({"type": "Digits", "individual_digits": False})},
    "Digits one by one": {"pre_tokenizer": sequence({"type": "Digits", "individual_digits": True})},
    "split by a string": {"pre_tokenizer": sequence(split("-", "Isolated", kind="String"))},
    "nested sequences": {"pre_tokenizer": sequence(sequence(split("b", "Removed"))["pretokenizers"][0], split("1", "Isolated"))},
    "lookahead inside": {"pre_tokenizer": sequence(split(r"(?:a+|\s)(?!\S)|b", "Isolated"))},
    "lookahead optional": {"pre_tokenizer": sequence(split(r"[a-b]+(?:(?!\S)|'a)|\s+(?!\S)", "Isolated"))},
    "case folding": {"pre_tokenizer": sequence(split(r"(?i:'s)|(?i:ab)", "Isolated"))},
    "classes": {"pre_tokenizer": sequence(split(r"[^\S\r\n]+|[^\D]|\p{Lu}\P{Lu}?|[\n\r\t]{1,2}", "Isolated"))},
    "lazy": {"pre_tokenizer": sequence(split(r"a.*?b|,+?", "Isolated"))},
    "NFC": {"normalizer": {"type": "NFC"}},
    "NFC in sequences": {"normalizer": {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [{"type": "NFC"}]}]}},
    "special token": {"added_tokens": [added(N, "<s>")]},
    "token that is not special": {"added_tokens": [added(N, "<s>", special=False)]},
    "token of the vocabulary": {"added_tokens": [added(VOCAB["hello"], "hello", special=False), added(VOCAB["abab"], "abab")]},
    "lstrip": {"added_tokens": [added(N, "<m>", lstrip=True), added(N + 1, "<s>")]},
    "rstrip": {"added_tokens": [added(N, "<m>", rstrip=True), added(N + 1, "<s>")]},
    "lstrip and rstrip": {"added_tokens": [added(N, "<m>", lstrip=True, rstrip=True), added(N + 1, "<s>", lstrip=True)]},
    "single word": {"added_tokens": [added(N, "<w>", single_word=True), added(VOCAB["ab"], "ab", single_word=True, special=False)]},
    "longest token": {"added_tokens": [added(N + i, c) for i, c in enumerate(["<a>", "<ab>", "<abc>", "<a", "<abab>", "b><"])]},
    "skipped token hides others": {"added_tokens": [added(N, "ab<s>"), added(N + 1, "s>a", special=False)]},
    "normalized tokens": {"normalizer": {"type": "NFC"}, "added_tokens": [
        added(N, "cafe\u0301>", normalized=True, special=False), added(N + 1, "<v>", normalized=True), added(N + 2, "<s>")]},
    "template": {"post_processor": template("X", None, "Y")},
    "template in a sequence": {"post_processor": {"type": "Sequence", "processors": [BYTELEVEL, template("X", "W", None)]}},
    "decoders in sequence": {"decoder": {"type": "Sequence", "decoders": [BYTELEVEL, {"type": "Fuse"}]}},
}
for b in ["Isolated", "Removed", "Contiguous", "MergedWithPrevious", "MergedWithNext"]:
    for invert in (False, True):
        CASES[f"{b} {'inverted' if invert else ''}".strip()] = {"pre_tokenizer": sequence(split(r"-|,|a", b, invert))}

for name, patch in CASES.items():
    j = copy.deepcopy(BASE)
    for k, v in patch.items():
        j[k] = {**j[k], **v} if k == "model" else v
    if j["model"].get("type", "") is None:
        del j["model"]["type"]
    t, plain = Tokenizer.from_str(json.dumps(j)), Tokenizer.from_str(json.dumps(j))
    plain.encode_special_tokens = True
    rows = []
    for s in TEXTS:
        ids = t.encode(s, add_special_tokens=True).ids
        rows.append({"text": s, "ids": ids, "ids_plain": t.encode(s, add_special_tokens=False).ids,
                     "ids_text": plain.encode(s, add_special_tokens=False).ids,
                     "decoded": t.decode(ids, skip_special_tokens=False), "decoded_skip": t.decode(ids, skip_special_tokens=True)})
    print(json.dumps({"name": name, "patch": patch, "rows": rows}, separators=(",", ":")))
