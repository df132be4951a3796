#!/usr/bin/env python3
"""Plants forbidden includes in a copy of the sources, one at a time, and demands that scripts/rooms
reports each of them and nothing in the untouched copy. It does not judge the table itself."""
import os
import shutil
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

plants = [  # file, line to add, words the report must hold
    ("lib/model/Planted.cpp", '#include "quincunx/report/Terminal.h"', "model may not include report"),
    ("lib/map/Planted.cpp", '#include "quincunx/profile/Run.h"', "map may not include profile"),
    ("lib/dist/Planted.cpp", "#include <boost/math/distributions/normal.hpp>", "dist may not see boost"),
    ("lib/numeric/Planted.cpp", "#include <boost/math/distributions/normal.hpp>", "numeric may not see boost"),
    ("lib/estimate/Planted.cpp", "#include <sqlite3.h>", "estimate may not see sqlite"),
    ("lib/profile/Planted.cpp", "#include <zstd.h>", "profile may not see zstd"),
    ("include/quincunx/model/Planted.h", "#include <llvm/IR/Module.h>", "model may not see llvm"),
    ("tools/quincunx/Planted.cpp", '#include "llvm/IR/Module.h"', "tools may not see llvm"),
    ("passes/Planted.cpp", '#include "quincunx/profile/Run.h"', "passes may not include profile"),
    ("passes/Planted.cpp", "#include <clang/AST/AST.h>", "passes may not see clang"),
    ("runtime/planted.c", '#include "quincunx/base/Result.h"', "runtime may not include base"),
    ("lib/cost/Planted.cpp", '#include "../model/Planted.h"', "cost may not include model"),
    ("lib/base/Planted.cpp", "#include <no/such/library.hpp>", "is of no known library"),
    ("lib/attic/Planted.cpp", "int x;", "there is no room 'attic'"),
    ("lib/pamela/syntax/Planted.cpp", '#include "quincunx/pamela/Evaluate.h"',
     "pamela/syntax may not include pamela/evaluate"),
    ("lib/pamela/evaluate/Planted.cpp", '#include "pamela/algebra/Algebra.h"',
     "pamela/evaluate may not include pamela/algebra"),
    ("lib/pamela/algebra/Planted.cpp", '#include "../symbolic/Tape.h"',
     "pamela/algebra may not include pamela/symbolic"),
    ("lib/pamela/symbolic/Planted.cpp", '#include "quincunx/pamela/Simulate.h"',
     "pamela/symbolic may not include pamela/simulate"),
    ("lib/pamela/simulate/Planted.cpp", '#include "pamela/symbolic/Tape.h"',
     "pamela/simulate may not include pamela/symbolic"),
    ("lib/estimate/Planted.cpp", 'if (name == "bzip2") ++guess;', "a program of the corpus"),
]


def rooms(folder):
    r = subprocess.run([sys.executable, os.path.join(root, "scripts/rooms"), "--root", folder],
                       capture_output=True, text=True)
    return r.returncode, r.stdout


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for top in ("lib", "include", "passes", "plugin", "runtime", "tools"):
        if os.path.isdir(os.path.join(root, top)):
            shutil.copytree(os.path.join(root, top), os.path.join(folder, top))
    for other in ("include/quincunx/model", "lib/model"):  # a file to include, in a room that must not be
        os.makedirs(os.path.join(folder, other), exist_ok=True)
        open(os.path.join(folder, other, "Planted.h"), "w").close()
    status, text = rooms(folder)
    if status != 0:
        failed += 1
        print("FAIL the copy as it is:\n" + text)
    for path, line, expected in plants:
        full = os.path.join(folder, path)
        made = not os.path.isdir(os.path.dirname(full))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w") as f:
            f.write(line + "\n")
        status, text = rooms(folder)
        caught = status == 1 and any(l.startswith(path + ":1: ") and expected in l for l in text.splitlines()) \
            or (status == 1 and path.startswith("lib/attic") and expected in text)
        if caught:
            print(f"ok   caught: {expected}")
        else:
            failed += 1
            print(f"FAIL not caught: {line} in {path}\n{text}")
        os.remove(full)
        if made:
            os.rmdir(os.path.dirname(full))
        if path.endswith("model/Planted.h"):
            open(full, "w").close()
print(f"{len(plants)} faults planted, {failed} failed")
sys.exit(1 if failed else 0)
