"""Rebuilds unicode.txt: the character classes of Hugging Face's tokenizers, which come
from several libraries with several versions of Unicode. Every one is found by asking:
a step of the library that depends on the class sees each code point by itself.

    pip install tokenizers==0.23.3 && python unicode.py > ../unicode.txt
"""
import struct
from tokenizers import Regex, normalizers, pre_tokenizers

CODES = [c for c in range(1, 0x110000) if not 0xD800 <= c <= 0xDFFF]


def write(name, members):
    ranges = []
    for c in members:
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    print(name, *(f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in ranges))


def cut(step, around):
    """The code points at which a pre-tokenizer cuts, between two that it doesn't cut at."""
    return [c for c in CODES if len(step.pre_tokenize_str(around + chr(c) + around)) > 1]


def charsmap(keys):
    """A precompiled charsmap for SentencePiece's normalizer: key → value. Each node of its
    double-array trie has 256 units of its own."""
    text, values = b"", {}
    for key, value in keys.items():
        values[key.encode()] = len(text)
        text += value.encode() + b"\0"
    nodes = sorted({key[:n] for key in values for n in range(len(key) + 1)}, key=lambda k: (len(k), k))
    base = {node: 256 * (i + 1) for i, node in enumerate(nodes)}
    units = [0] * (256 * (len(nodes) + 1))
    units[0] = base[b""] << 10
    for node in nodes:
        if node in values:
            units[base[node]] = values[node] | 1 << 31
        if node:
            at = base[node[:-1]] ^ node[-1]
            units[at] = node[-1] | (at ^ base[node]) << 10 | (1 << 8 if node in values else 0)
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + text


def rewrite(keys, text):
    return normalizers.Precompiled(charsmap(keys)).normalize_str(text)


if __name__ == "__main__":
    print("# Character classes of Hugging Face's tokenizers 0.23.3, made by testdata/unicode.py.")
    print("# Regular expressions: \\p{…}.")
    for name in "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp".split():
        write(name, cut(pre_tokenizers.Split(Regex(r"\p{%s}" % name), "isolated"), "\n"))
    print("# Pre-tokenizers: WhitespaceSplit, Digits, Punctuation; \\w of Whitespace.")
    write("hf:space", cut(pre_tokenizers.WhitespaceSplit(), "a"))
    write("hf:numeric", cut(pre_tokenizers.Digits(), "a"))
    write("hf:punctuation", cut(pre_tokenizers.Punctuation(), "a"))
    outside = set(cut(pre_tokenizers.Whitespace(), "a"))
    write("hf:word", [c for c in CODES if c not in outside])
    print("# Normalizers: what StripAccents and BertNormalizer drop.")
    bert = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    for name, step in {
        "mark": normalizers.StripAccents(),
        "accent": normalizers.BertNormalizer(**bert | {"strip_accents": True}),
        "control": normalizers.BertNormalizer(**bert | {"clean_text": True}),
    }.items():
        write("hf:" + name, [c for c in CODES if step.normalize_str(chr(c)) == ""])
    print("# Normal forms: code points that decompose, or have a class that moves them before U+0345.")
    nfd, nfkd = normalizers.NFD(), normalizers.NFKD()
    write("hf:normalized", [c for c in CODES if c == 0x345 or nfkd.normalize_str(chr(c)) != chr(c)
                         or nfd.normalize_str("a\u0345" + chr(c)) != "a\u0345" + chr(c)])
    print("# Lowercase: first-last/step+offset.")
    lower, runs = normalizers.Lowercase(), []
    for c in CODES:
        to = lower.normalize_str(chr(c))
        if to == chr(c) or len(to) > 1:
            continue
        offset = ord(to) - c
        last = runs[-1] if runs else None
        if last and last[3] == offset and c - last[1] in ((1, 2) if last[0] == last[1] else (last[2],)):
            last[2], last[1] = c - last[1], c
        else:
            runs.append([c, c, 1, offset])
    print("map:lower", *(f"{a:x}-{b:x}/{step}{offset:+x}" for a, b, step, offset in runs))
    print("# Precompiled: grapheme clusters. What goes on a cluster (Extend, SpacingMark, ZWJ), what it goes on")
    print("# from (Prepend), what ends it (Control), Extended_Pictographic, and InCB's Consonant and Linker.")
    a = {"a": "A"}
    extend = {c for c in CODES if rewrite(a, "a" + chr(c)) == "A"}
    write("hf:extend", sorted(extend))
    low = [c for c in CODES if c < 0x20000]
    prepend = {c for c in low if rewrite({chr(c): "A"}, chr(c) + "a") == "A"}
    write("hf:prepend", sorted(prepend))
    breaks = {c for c in low if c < 0x10000 and rewrite({chr(c): "A"}, chr(c) + "\u0301") != "A"}
    write("hf:break", sorted(breaks))
    copyright = {"©": "A"}
    low = [c for c in low if c not in extend | breaks]
    write("hf:pictographic", [c for c in low if rewrite(copyright, "©\u200d" + chr(c)).startswith("A\u200d")])
    bmp = [c for c in low if 0x800 <= c < 0x10000]
    write("hf:consonant", [c for c in bmp if rewrite({chr(c): "A"}, "\u0915\u094d" + chr(c) + "\u0301").endswith("A\u0301")])
    write("hf:linker", [c for c in sorted(extend) if 0x800 <= c < 0x10000 and rewrite({"\u0915": "A"}, "\u0915" + chr(c) + "\u0915\u0301").endswith("A\u0301")])
