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
    ("lib/estimate/counts/Planted.cpp", "#include <sqlite3.h>", "estimate may not see sqlite"),
    ("lib/profile/Planted.cpp", "#include <zstd.h>", "profile may not see zstd"),
    ("include/quincunx/model/Planted.h", "#include <llvm/IR/Module.h>", "model may not see llvm"),
    ("tools/quincunx/verbs/Planted.cpp", '#include "llvm/IR/Module.h"', "tools may not see llvm"),
    ("lib/report/layout/Planted.cpp", '#include "quincunx/report/Terminal.h"', "report/layout may not include report/runs"),
    ("lib/report/runs/Planted.cpp", '#include "quincunx/report/Model.h"', "report/runs may not include report/model"),
    ("lib/report/model/Planted.cpp", '#include "report/export/ExportText.h"', "report/model may not include report/export"),
    ("lib/report/export/Planted.h", '#include "quincunx/report/Eval.h"', "report/export may not include report/pamela"),
    ("lib/report/pamela/Planted.cpp", '#include "../model/ModelTree.h"', "report/pamela may not include report/model"),
    ("tools/quincunx/system/Planted.h", '#include "arguments/PricingOptions.h"', "tools/system may not include tools/arguments"),
    ("tools/quincunx/arguments/Planted.cpp", '#include "../verbs/Verbs.h"', "tools/arguments may not include tools/verbs"),
    ("tools/quincunx/record/Planted.cpp", '#include "verbs/Verbs.h"', "tools/record may not include tools/verbs"),
    ("tools/quincunx/batch/Planted.cpp", '#include "verbs/Verbs.h"', "tools/batch may not include tools/verbs"),
    ("passes/Planted.cpp", '#include "quincunx/profile/Run.h"', "passes may not include profile"),
    ("passes/Planted.cpp", "#include <clang/AST/AST.h>", "passes may not see clang"),
    ("runtime/os/planted.c", '#include "quincunx/base/Result.h"', "runtime may not include base"),
    ("runtime/planted.c", "int x;", "is in no sub-room of runtime"),
    ("runtime/os/planted.c", '#include "process/process.h"', "runtime/os may not include runtime/process"),
    ("runtime/process/planted.c", '#include "../record/record.h"', "runtime/process may not include runtime/record"),
    ("runtime/record/planted.c", '#include "counting/counting.h"', "runtime/record may not include runtime/counting"),
    ("runtime/counting/planted.c", '#include "requests/requests.h"', "runtime/counting may not include runtime/requests"),
    ("runtime/requests/planted.c", '#include "control/control.h"', "runtime/requests may not include runtime/control"),
    ("runtime/simulated/planted.c", '#include "runtime/process/process.h"', "runtime/simulated may not include runtime/process"),
    ("include/quincunx/abi/planted.h", '#include "quincunx/map/Map.h"', "abi may not include map"),
    ("plugin/Planted.cpp", '#include "printer/Regions.h"', "plugin may not include printer"),
    ("plugin/Planted.cpp", '#include "quincunx/model/Chain.h"', "plugin may not include model"),
    ("passes/Planted.cpp", '#include "printer/Regions.h"', "passes may not include printer"),
    ("printer/Planted.cpp", '#include "quincunx/pamela/Parse.h"', "printer may not include pamela"),
    ("printer/Planted.cpp", "#include <clang/AST/AST.h>", "printer may not see clang"),
    ("lib/cost/Planted.cpp", '#include "../model/Planted.h"', "cost may not include model"),
    ("lib/base/Planted.cpp", "#include <no/such/library.hpp>", "is of no known library"),
    ("lib/attic/Planted.cpp", "int x;", "there is no room 'attic'"),
    ("lib/estimate/Planted.cpp", "int x;", "is in no sub-room of estimate"),
    ("lib/estimate/counts/Planted.cpp", '#include "estimate/price/Prices.h"', "estimate/counts may not include estimate/price"),
    ("lib/estimate/price/Planted.cpp", '#include "quincunx/estimate/Observed.h"', "estimate/price may not include estimate/observe"),
    ("lib/estimate/figures/Planted.cpp", '#include "quincunx/estimate/BlockCosts.h"', "estimate/figures may not include estimate/price"),
    ("lib/estimate/observe/Planted.cpp", '#include "quincunx/estimate/Explained.h"', "estimate/observe may not include estimate/explain"),
    ("lib/estimate/explain/Planted.cpp", '#include "quincunx/estimate/Model.h"', "estimate/explain may not include estimate/compose"),
    ("lib/estimate/compose/Planted.cpp", '#include "quincunx/estimate/WhatIf.h"', "estimate/compose may not include estimate/whatif"),
    ("lib/estimate/scaling/Planted.cpp", '#include "quincunx/estimate/Change.h"', "estimate/scaling may not include estimate/change"),
    ("lib/estimate/whatif/Planted.cpp", '#include "quincunx/estimate/Explain.h"', "estimate/whatif may not include estimate/explain"),
    ("lib/estimate/calibrate/Planted.cpp", '#include "quincunx/estimate/Observed.h"', "estimate/calibrate may not include estimate/observe"),
    ("lib/estimate/validate/Planted.cpp", '#include "../whatif/NameResolver.h"', "estimate/validate may not include estimate/whatif"),
    ("include/quincunx/estimate/Planted.h", "int x;", "is in no sub-room of estimate"),
    ("lib/estimate/explain/Planted.cpp", 'if (name == "bzip2") ++guess;', "a program of the corpus"),
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
]


def rooms(folder):
    r = subprocess.run([sys.executable, os.path.join(root, "scripts/rooms"), "--root", folder],
                       capture_output=True, text=True)
    return r.returncode, r.stdout


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for top in ("lib", "include", "passes", "plugin", "printer", "runtime", "tools"):
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
        # Line 1 holds the plant; 0 stands for the file itself.
        caught = status == 1 and any(l.startswith((path + ":1: ", path + ":0: ")) and expected in l
                                     for l in text.splitlines())
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
    crowded = os.path.join(folder, "lib/base")
    for number in range(26):
        open(os.path.join(crowded, f"Crowd{number}.cpp"), "w").close()
    status, text = rooms(folder)
    if status == 1 and "lib/base:0: error: holds " in text:
        print("ok   caught: holds more than 25 sources")
    else:
        failed += 1
        print("FAIL not caught: 26 more sources in lib/base\n" + text)
print(f"{len(plants) + 1} faults planted, {failed} failed")
sys.exit(1 if failed else 0)
