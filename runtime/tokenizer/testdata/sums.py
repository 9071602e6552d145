"""Prints the sums of TestEveryCodePoint: what the steps of Hugging Face's tokenizers make of
every code point, each after an x.

    pip install tokenizers==0.23.3 && python sums.py
"""
import zlib

from tokenizers import normalizers, pre_tokenizers

TEXT = "".join("x" + chr(c) for c in range(1, 0x110000) if not 0xD800 <= c <= 0xDFFF)
for kind in ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "BertNormalizer"]:
    print(kind, hex(zlib.crc32(getattr(normalizers, kind)().normalize_str(TEXT).encode())))
for kind in ["Digits", "Punctuation", "Whitespace", "WhitespaceSplit"]:
    pieces = getattr(pre_tokenizers, kind)().pre_tokenize_str(TEXT)
    print(kind, hex(zlib.crc32("\n".join(piece for piece, _ in pieces).encode())))
