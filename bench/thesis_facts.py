"""What Gautama's thesis says of its experiments, typed in from its tables and its text, and the programs of examples/
that repeat them. Figures of the thesis are curves; what is here is what the text says of them. It computes nothing."""

# Table 4.4: Var[T_m], then the error of the variance in per cent by the empirical, Bernoulli and ARP approach, and the
# type.
table44 = {
    "VS": (9.0e2, 0, 0, 0, "B"),
    "SSS": (2.2e4, 0, 76, 32, ""),
    "CS": (1.0e6, 27, 27, 77, ""),
    "GE b1": (9.4e3, 0.56, 32, 0.56, "M"),
    "SSSP b1": (3.6e4, 14, 79, 6500, ""),
    "SSSP b2": (4.4e2, 1300, 860, 96000, ""),
    "SSSP b3": (3.6e4, 14, 79, 6500, ""),
    "Quicksort b1": (1.7e1, 0, 570, 190, ""),
    "Quicksort b2": (6.7e1, 680, 920, 940, ""),
    "Quicksort b3": (5.3e1, 0.82, 1.6, 1.1, "B"),
    "Quicksort b4": (4.3e1, 0, 0, 0, "B"),
    "Quicksort b5": (4.2e1, 0.55, 3.5, 0.15, "M"),
    "Quicksort b6": (1.7e1, 85, 960, 450, ""),
    "Quicksort b7": (5.1e1, 3.3, 2.3, 3.1, "B"),
    "Compress b1": (3.9e7, 38, 47, 47, ""),
    "Compress b2": (2.0e8, 11, 13, 14, ""),
    "Compress b3": (1.4e6, 0.15, 0.69, 0.70, "B"),
    "Compress b4": (2.5e1, 430, 570, 730, ""),
    "Compress b5": (9.3e0, 0, 71, 7.8, "M"),
}

# Named before the tables were made, as rows whose variance hangs on few runs. Their held-out error is shown like all
# others; the limit on single rows does not hold for them.
heavy = ["SSSP b3"]

# Workload: (example, arguments behind SEED, {row: marker}). A marker is a comment at the end of the branch's line.
workloads = {
    "vscale": ("vscale", ["10000"], {"VS": "b1"}),
    "vscale-1000": ("vscale", ["1000"], {"VS, n = 1000": "b1"}),
    "vscale-mixed": ("vscale", ["1000", "mixed"], {"VS, p from Beta(2,18)": "b1"}),
    "ssort": ("ssort", ["1000"], {"SSS": "b1"}),
    "ssort-200": ("ssort", ["200"], {"SSS, n = 200": "b1"}),
    "cache": ("cache", [], {"CS": "b1"}),
    "gauss": ("gauss", [], {"GE b1": "b1", "GE b2": "b2", "GE b3": "b3"}),
    "sssp": ("sssp", [], {"SSSP b1": "b1", "SSSP b2": "b2", "SSSP b3": "b3"}),
    "quicksort": ("quicksort", [], {f"Quicksort b{i}": f"b{i}" for i in range(1, 8)}),
    "compress": ("compress", [], {f"Compress b{i}": f"b{i}" for i in range(1, 6)}),
}

# 4.5 and 4.6: kinds of synthetic branches, with N = 50,000 outcomes.
outcomes = 50000
synthetic = {
    "independent, p = 0.3 (4.5.1)": ["bernoulli", "0.3"],
    "runs of 3 and 2 (4.5.2)": ["runs", "3", "3", "2", "2"],
    "runs 1..2 and 1..2 (fig. 4.1)": ["runs", "1", "2", "1", "2"],
    "runs 1..4 and 1..4 (fig. 4.1)": ["runs", "1", "4", "1", "4"],
    "runs 1..4 and 1..16 (fig. 4.1)": ["runs", "1", "4", "1", "16"],
    "runs 1..16 and 1..16 (fig. 4.1)": ["runs", "1", "16", "1", "16"],
    "runs 1..64 and 1..64 (fig. 4.1)": ["runs", "1", "64", "1", "64"],
    "two-bit counter, 0.1, 0.9 (fig. 4.4)": ["counter", "0.1", "0.9"],
    "two-bit counter, 0.05, 0.9 (fig. 4.4)": ["counter", "0.05", "0.9"],
    "two-bit counter with jumps, 0.2, 0.8 (fig. 4.4)": ["jump", "0.2", "0.8"],
    "two-bit counter with jumps, 0.1, 0.9 (fig. 4.4)": ["jump", "0.1", "0.9"],
}

# The branches of the table search of compress42.c (ncompress 4.2.4.6), in their order behind this line. The thesis
# does not say which ones its b1 to b5 are.
compress_from = "next2:"
compress_branches = {
    "b1": "if ((i = htabof(hp)) == fc)",  # the first probe finds the string
    "b2": "if (i != -1)",  # its place is taken
    "b3": "if ((hp -= disp) < 0)",  # the next probe wraps around
    "b4": "if ((i = htabof(hp)) == fc)",  # it finds the string
    "b5": "}",  # its place is taken: the test of the loop, which clang puts at the end of the body
}

not_repeated = [
    "Compress: the inputs of SPECint95 are not free, and which branches b1 to b5 are is not said. Here: the five "
    "branches of ncompress' table search at 12 bits, on texts of 4000 letters (examples/compress).",
    "SSSP: the graph's size and weights are not said. Here: examples/sssp; its b2, found the target, is true exactly "
    "once, so Var[T] = 0 and no relative error exists. That b1 and b3 have the same variance cannot come out for "
    "branches that differ.",
    "GE: the size of the matrix is not said; here 24, three quarters zeros.",
    "ARP: here a cluster ends with its loop; the thesis' clusters, it seems, went on in the next one. Of branches that "
    "leave their loop (Quicksort b2, b6) no true run ever ends then, and the renewal model refuses. Columns ARP take "
    "cut runs as censored; (4.14) takes them as complete, as Table 4.3 does.",
    "Fig. 3.6 to 3.12, 4.1, 4.2, 4.4: curves and histograms without numbers; only what the text says of them is "
    "compared. The probabilities of the automata of fig. 4.3 are only in the drawing; examples/branches has its own.",
    "Fig. 3.11: the predicted variance, 1.59e-11, is that of Quicksort composed with the cache, so its counterpart is "
    "the error of the program cache by its models. A hit ratio of 49 % and 14,000 references would cost 7.8e-5, not "
    "3.09e-5; the cache as described hits 92.5 %, and that gives its mean.",
    "Fig. 3.12: the covariance per iteration of Quicksort's outer loop; counts are kept per run, not per iteration.",
]
