#!/usr/bin/env python3
"""Damages a raw record (.qxraw) in many ways: hostile.py GOOD.qxraw FOLDER writes one file per damage, named for it. Files
named bad-* can be told from good ones (cut, flipped, other version); files named evil-* have a right checksum and
lie inside (sizes, counts, indices). The layout is that of include/quincunx/abi/record.h. It does not judge anything itself."""
import os
import random
import struct
import sys

M = (1 << 64) - 1


def fold(a, b):
    p = a * b
    return (p ^ (p >> 64)) & M


def checksum(data):
    size = len(data)
    a, b = 0x9E3779B97F4A7C15 ^ size, (0xD1B54A32D192ED03 + size) & M
    for at in range(0, size, 32):
        w = struct.unpack("<4Q", data[at:at + 32].ljust(32, b"\0"))
        a = (fold(a ^ w[0], w[1] ^ 0xA0761D6478BD642F) + a) & M
        b = (fold(b ^ w[2], w[3] ^ 0xA0761D6478BD642F) + b) & M
    return fold(a ^ 0x8EBC6AF09C88C6E3, b | 1), fold(b ^ 0x589965CC75374CC3, a | 1)


header = struct.Struct("<QIIQQQ16s")  # magic version header_size size checksum[2] identity


def sealed(data, fix_size=True):
    """The record with size and checksum made right again."""
    magic, version, header_size, size, _, _, identity = header.unpack_from(data)
    return header.pack(magic, version, header_size, len(data) if fix_size else size, *checksum(identity + data[header.size:]), identity) + data[header.size:]


def chunks(data):
    at = header.size
    while at + 16 <= len(data):
        kind, _, size = struct.unpack_from("<IIQ", data, at)
        yield at, kind, size
        at += 16 + (size + 7) // 8 * 8


def main(good, folder):
    with open(good, "rb") as f:
        data = f.read()
    assert sealed(data) == data, "the checksum of a good record is understood"
    r = random.Random(1)

    def write(name, content):
        with open(os.path.join(folder, name + ".qxraw"), "wb") as f:
            f.write(content)

    write("bad-empty", b"")
    for n in (1, 8, 55, 56, 57, 71, len(data) // 2, len(data) - 8, len(data) - 1):
        write(f"bad-cut-{n}", data[:n])
    for i in range(60):
        at, bit = r.randrange(len(data)), r.randrange(8)
        write(f"bad-flip-{i}", data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1:])
    write("bad-longer", data + b"\0" * 8)
    write("bad-text", b"this is no record at all, but some text that someone gave to the tool\n" * 3)
    write("bad-version", sealed(data[:8] + struct.pack("<I", 99) + data[12:]))
    write("bad-magic", sealed(b"\x7fELF" + data[4:]))
    huge = (1 << 63, (1 << 64) - 1, 1 << 40, 1 << 32, (1 << 31) - 1)
    for i, value in enumerate(huge):
        write(f"evil-size-{i}", sealed(data[:16] + struct.pack("<Q", value) + data[24:], fix_size=False))
        for at, kind, size in chunks(data):
            write(f"evil-chunk{kind}-{i}", sealed(data[:at + 8] + struct.pack("<Q", value) + data[at + 16:]))
            if kind == 1:  # lengths of the run's name and of the program's path
                for k in (56, 60):
                    p = at + 16 + k
                    write(f"evil-length{k}-{i}", sealed(data[:p] + struct.pack("<I", value & 0xFFFFFFFF) + data[p + 4:]))
            if kind == 2:  # counter_count, recorder_words, map_size, path_length
                for k in (16, 24, 32, 48):
                    p = at + 16 + k
                    write(f"evil-image{k}-{i}", sealed(data[:p] + struct.pack("<Q", value) + data[p + 8:]))
    for at, kind, size in chunks(data):
        if kind == 3:
            body = at + 16
            write("evil-endless-number", sealed(data[:body] + b"\xff" * size + data[body + size:]))
            write("evil-far-index", sealed(data[:body] + (b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01" + b"\0" * size)[:size] + data[body + size:]))
            write("evil-odd-numbers", sealed(data[:body + size - 1] + b"\x80" + data[body + size:]))


if __name__ == "__main__":
    main(*sys.argv[1:])
