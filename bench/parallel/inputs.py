"""Inputs of the programs of bench/scale.py, drawn by their number: sizes vary by some ten times."""
import struct

AMINO = "ACDEFGHIKLMNPQRSTVWY"


def words_of(rng, count=3000):
    return ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(2, 9))) for _ in range(count)]


def texts(n, rng, words=[]):
    if not words:
        words += words_of(rng)
    out, size = [], 0
    while size < n:
        out.append(words[min(int(rng.expovariate(1 / 300)), 2999)])
        size += len(out[-1]) + 1
    return " ".join(out).encode()[:n]


def records(n, rng):
    x, out = 0, []
    for _ in range(n // 16 + 1):
        x += rng.randint(0, 50)
        out.append(struct.pack("<IIff", x, rng.randint(0, 20), rng.random(), 1))
    return b"".join(out)[:n]


def files(number, rng):
    n = int(150_000 * 20 ** rng.random())
    return [texts, records, lambda n, r: texts(n // 2, r) + r.randbytes(n // 4) + records(n // 4, r)][number % 3](n, rng)


def changed(text, rng, letters, share):
    """`text` with a share of its letters replaced, left out or followed by another."""
    out = []
    for c in text:
        x = rng.random() / share
        out.append(c if x >= 1 else rng.choice(letters) if x < 0.5 else c + rng.choice(letters) if x < 0.75 else "")
    return "".join(out)


def alignments(_, rng, taxa=(20, 70), sites=(100, 300)):
    taxa, sites = rng.randint(*taxa), rng.randint(*sites)
    rows = [[rng.choice("ACGT") for _ in range(sites)]]
    while len(rows) < taxa:
        row = list(rng.choice(rows))
        for _ in range(rng.randint(1, max(2, sites // 12))):
            row[rng.randrange(sites)] = rng.choice("ACGT")
        rows.append(row)
    return fasta("".join(row) for row in rows)


def fasta(sequences):
    return "".join(f">s{i}\n{s}\n" for i, s in enumerate(sequences)).encode()


def long_reads(_, rng):
    """Reads of 0.5 to 6 thousand letters of one sequence, with a tenth of errors."""
    genome = "".join(rng.choice("ACGT") for _ in range(rng.randint(20_000, 60_000)))
    count = int(40 * 10 ** rng.random())
    return fasta(changed(genome[a:a + rng.randint(500, 6000)], rng, "ACGT", 0.1) for a in (rng.randrange(len(genome) - 6000) for _ in range(count)))


def short_reads(_, rng, adapter="AGATCGGAAGAGCACACGTCTGAACTCCAGTCAC"):
    """Reads of 100 letters behind which an adapter begins."""
    genome = "".join(rng.choice("ACGT") for _ in range(20_000))
    out = []
    for i in range(int(3000 * 10 ** rng.random())):
        a = rng.randrange(19_000)
        read = (genome[a:a + rng.randint(30, 100)] + changed(adapter, rng, "ACGT", 0.03) + genome)[:100]
        out.append(f"@s{i}\n{read}\n+\n{'I' * 100}\n")
    return "".join(out).encode()


def proteins(count, lengths, share):
    def make(_, rng):
        """Sequences that come from one, each with a share of changes; every third one has nothing to do with it."""
        root = [rng.choice(AMINO) for _ in range(rng.randint(*lengths))]
        return fasta(changed(root, rng, AMINO, share) if i % 3 or share < 0.5 else "".join(rng.choice(AMINO) for _ in range(rng.randint(*lengths)))
                     for i in range(int(count * 8 ** rng.random())))
    return make


def labelled(_, rng):
    words, out = words_of(rng, 800), []
    for _ in range(int(200 * 10 ** rng.random())):
        label = rng.randrange(8)
        out.append(f"__label__{label} " + " ".join(words[(label * 100 + int(rng.expovariate(1 / 60))) % 800] for _ in range(rng.randint(5, 60))))
    return ("\n".join(out) + "\n").encode()


def video(_, rng, width=176, height=144):
    """Squares that move, with noise, as raw frames (YUV 4:2:0)."""
    squares, frames, noise = [rng.randrange(256) for _ in range(400)], int(8 * 8 ** rng.random()), rng.randint(1, 9)
    out = []
    for t in range(frames):
        grain = rng.randbytes(width * height)
        out.append(bytes((squares[(x + 2 * t) // 16 % 20 * 20 + (y + t) // 16 % 20] + grain[y * width + x] % noise) & 255
                         for y in range(height) for x in range(width)) + bytes([128]) * (width * height // 2))
    return b"".join(out)


def image(_, rng):
    """A portable pixmap of waves of some colours."""
    width, height = (int(250 * 5 ** rng.random()) for _ in range(2))
    a, b, c = (rng.randint(1, 9) for _ in range(3))
    return f"P6\n{width} {height}\n255\n".encode() + bytes(v & 255 for y in range(height) for x in range(width) for v in (x * a, y * b, x * y // (c * 20)))


def scene(_, rng):
    """Spheres that reflect, over a plane, for tachyon."""
    size, balls = rng.randint(60, 320), rng.randint(5, 300)
    lines = ["BEGIN_SCENE", f"RESOLUTION {size} {size}", "CAMERA ZOOM 1.2 ASPECTRATIO 1.0 ANTIALIASING 0 RAYDEPTH 6 CENTER 2.1 1.3 1.7",
             "VIEWDIR -0.700389 -0.433574 -0.566982 UPDIR -0.482085 -0.298433 0.82373 END_CAMERA", "BACKGROUND 0.1 0.4 0.8",
             "LIGHT CENTER 4 3 2 RAD 0.002 COLOR 0.5 0.5 0.5", "LIGHT CENTER 1 -4 4 RAD 0.002 COLOR 0.5 0.5 0.5",
             "TEXDEF t AMBIENT 0.1 DIFFUSE 0.5 SPECULAR 0.4 OPACITY 1 PHONG PLASTIC 0.8 PHONG_SIZE 45 COLOR 1 0.9 0.7 TEXFUNC 0",
             "PLANE CENTER 0 0 -0.6 NORMAL 0 0 1 t"]
    for _ in range(balls):
        x, y, z = (rng.uniform(-0.8, 0.8) for _ in range(3))
        lines.append(f"SPHERE CENTER {x:.4f} {y:.4f} {z:.4f} RAD {rng.uniform(0.02, 0.2):.4f} t")
    return "\n".join([*lines, "END_SCENE", ""]).encode()
