"""What the texts print of their parallel experiments, and how they are repeated. Errors are in per cent, of E[Y] to E[Y^4]."""

# Experiment: program, arguments behind the seed (N is the number of tasks), loops by the comment that marks them in the source
# ("": the only one), numbers of tasks, and the share of the runs that are asked for which it takes.
joins = {
    "EP": ("ep", ["N", "16384"], [""], [2, 8, 32, 128], 1),
    "APSP": ("apsp", ["200", "N"], [""], [2, 8, 32, 128], 1),
    "SSSP": ("sssp", ["200", "N"], ["relax, and look"], [2], 1),
    "PSRS": ("psrs", ["N", "1000"], ["sort", "disjoin", "merge"], [2, 8, 32, 128], 1),
    "WATOR": ("wator", ["N", "257"], ["move"], [2, 8, 32], 0.2),
}
# Program and arguments behind the seed, of which what two threads do tells what 16 would.
told = {"divide": ["20000", "6"], "matmul": ["64"], "gauss": ["64"], "adi": ["64"]}
wator_times = [0, 4, 16, 64, 128, 256]

# Thesis, tables 5.3 to 5.6: mean, variance, skewness and kurtosis of one task, in operations (WATOR: fish).
moments = {
    "EP": (823549, 180756, 0.04, 2.98), "APSP": (4.7e6, 1.7e11, 0.48, 3.34),
    "PSRS sort": (9581, 1.04e5, 0.94, 4.31), "PSRS disjoin": (496, 177, -1.64, 5.58), "PSRS merge": (1475, 545, -1.54, 6.06),
    "WATOR t=0": (1000, 594, -0.02, 2.99), "WATOR t=4": (491, 175, 0.07, 3.01), "WATOR t=16": (895, 7421, 0.36, 2.80),
    "WATOR t=64": (1762, 208695, -0.40, 2.50), "WATOR t=128": (1278, 230641, 1.02, 3.32), "WATOR t=256": (1487, 495116, 0.22, 1.86),
}

# Thesis, table 5.9: errors of (5.18) in E[Y] and E[Y^4]; words where it prints none.
errors = {
    ("EP", 2): "0.00012, 0.0005", ("EP", 8): "0.00064, 0.0025", ("APSP", None): "< 1", ("SSSP", 2): "somewhat larger",
    ("PSRS sort", 2): "0.057, 0.24", ("PSRS sort", 8): "0.059, 0.25", ("PSRS sort", 32): "0.24, 0.96", ("PSRS sort", None): "< 1",
    ("PSRS disjoin", None): "good", ("PSRS merge", None): "inadequate",
    ("WATOR t=0", 2): "0.0038, 0.012", ("WATOR t=0", 8): "0.011, 0.045", ("WATOR t=0", 32): "0.091, 0.36",
    ("WATOR t=4", 2): "0.38, 1.4", ("WATOR t=4", 8): "0.25, 0.96", ("WATOR t=4", 32): "0.036, 0.0059",
    ("search", None): "1 to 4, 37 to 73 (two engines)", ("pipeline", 2): "excellent",
}


def published(name, tasks):
    return errors.get((name, tasks), errors.get((name, None), "-"))
