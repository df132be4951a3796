"""What a look at the machine code says of the time of an input: executed instructions, and the cycles that llvm-mca gives to their blocks.

For bench/time.py, which makes two rivals of it. The plain program runs every input under valgrind's callgrind, which counts how often
every instruction was executed, exactly, in the program and all its shared libraries. Their sum is what `perf stat` would have counted as
instructions where there are hardware counters. The same counts give blocks: consecutive instructions that every input executed equally
often, split behind branches and calls and at their targets. llvm-mca gives each block a reciprocal throughput (its
"Block RThroughput"): the cycles that one of many executions takes, as far as ports and dispatch allow. The cycles of an input are the sum of these
over all executed blocks. llvm-mca's "Total Cycles" knows latencies, too, but takes every block for a loop of its own, whose every round waits for
the one before; most blocks are not. Neither is nearer to times in
general: of six programs, throughputs were nearer in three (pcre2grep 5.1 against 8.5 %), total cycles in three (mujs 6.7 against 13.2 %).

What it does not know: callgrind hides AVX-512, so the C library takes other routines for memory and strings than in the timed runs. A
`rep` instruction, which callgrind counts once per repetition, is counted as often as the instruction behind it. Blocks with an instruction that
llvm-mca refuses, or that is in no file (the system's page), cost a cycle per four instructions. How blocks follow one another, misses
of caches and mispredicted branches are not in the cycles. Inputs that take longer than `limit` are left out. Documented in docs/13-machines.md."""
import array
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile

limit = 120  # seconds of processor time of an input under callgrind, which slows programs 10 to 50 times
tools = ("valgrind", "objdump", "llvm-mca-22")


def missing():
    """Tools that are not installed."""
    return [tool for tool in tools if not shutil.which(tool)]


def cases(inputs):
    """label, standard input or None, arguments: of every line of cases.tsv."""
    with open(os.path.join(inputs, "cases.tsv"), encoding="utf-8") as f:
        for line in f:
            label, stdin, arguments = line.rstrip("\n").split("\t")[:3]
            yield label, None if stdin == "-" else stdin, shlex.split(arguments)


def executions(program, inputs, case, out):
    """(file, address): how often this input executed the instruction; None when that takes too long. Addresses are those of the file."""
    _, stdin, arguments = case
    command = ["sh", "-c", f'ulimit -t {limit} && exec "$@"', "sh", "valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no",
               "--compress-pos=no", f"--callgrind-out-file={out}", program, *arguments]
    with open(os.path.join(inputs, stdin) if stdin else os.devnull, "rb") as given:
        status = subprocess.run(command, cwd=inputs, env=dict(os.environ, LC_ALL="C", TZ="UTC"), stdin=given, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, check=False).returncode
    if status == -signal.SIGKILL:  # what the limit ends with
        return None
    if not os.path.exists(out):
        raise SystemExit(f"machine_code: error: valgrind wrote no counts of {program}; run it by hand: {shlex.join(command)}")
    names, counts, name, inclusive = {}, {}, None, False
    with open(out, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("0x"):
                if not inclusive:  # else what a call cost
                    address, count = line.split()
                    key = name, int(address, 16)
                    counts[key] = counts.get(key, 0) + int(count)
                inclusive = False
            elif line.startswith(("ob=", "cob=")):
                number, _, given = line.split("=", 1)[1].rstrip("\n").partition(" ")
                if given:
                    names[number] = given
                if line.startswith("ob="):
                    name = names[number]
            elif line.startswith("calls="):
                inclusive = True
    os.remove(out)
    return counts


def disassembled(path):
    """address: instruction, of all code of a file; nothing when it cannot be read. llvm-objdump 22 shows no code of some C libraries."""
    text = subprocess.run(["objdump", "-dw", "--no-show-raw-insn", path], check=False, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return {int(m[1], 16): readable(m[2]) for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", text, re.MULTILINE)}


def readable(instruction):
    """An instruction as llvm-mca reads it; empty when it would not."""
    text = " ".join(instruction.split("#")[0].split("<")[0].split())
    if re.search(r"\bnop[wl]?\b", text):  # of any length, with prefixes that the assembler would take for instructions
        return "nop"
    if re.match(r"x(save|rstor)", text):  # llvm-mca 22 never ends with these
        return ""
    return re.sub(r" ([0-9a-f]+)$", r" 0x\1", text) if is_branch(text) else text


def is_branch(instruction):
    return re.match(r"(\w+ )?(j|call|ret|loop)", instruction) is not None


def blocks_of(code, counts):
    """Lists of addresses, each a block. `counts`, of executed addresses only, is corrected for `rep`."""
    targets = {int(m[1], 16) for text in code.values() if is_branch(text) and (m := re.search(r" 0x([0-9a-f]+)$", text))}
    after = dict(zip(sorted(code), sorted(code)[1:]))
    for address in counts:
        behind = after.get(address)
        if code.get(address, "").startswith("rep") and behind in counts:
            counts[address] = array.array("Q", map(min, counts[address], counts[behind]))
    blocks, last = [], None
    for address in sorted(counts):
        if (last is None or after.get(last) != address or address in targets or is_branch(code[last])
                or counts[address] != counts[last]):
            blocks.append([])
        blocks[-1].append(address)
        last = address
    return blocks


def processor():
    """As llvm-mca calls it. Its guess goes by the model's number, which virtual machines make up; what a processor can do says more."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        return "sapphirerapids" if " amx_tile " in info.read() else "native"


def cycles_of(blocks):
    """For each list of instructions: cycles of one execution; None where llvm-mca refuses one of them."""
    text = "".join(f"# LLVM-MCA-BEGIN {i}\n" + "\n".join(block) + f"\n# LLVM-MCA-END {i}\n" for i, block in enumerate(blocks))
    given = subprocess.run(["llvm-mca-22", f"-mcpu={processor()}", "-iterations=1", "--json",
                            "--skip-unsupported-instructions=any", "--resource-pressure=0", "--instruction-info=0"],
                           input=text, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600).stdout
    cycles = [None] * len(blocks)
    for region in json.loads(given)["CodeRegions"]:
        at = int(region["Name"])
        if len(region["Instructions"]) == len(blocks[at]):
            cycles[at] = region["SummaryView"]["BlockRThroughput"]
    return cycles


def executed_blocks(program, inputs, everything):
    """Pairs of a block's instructions and how often each input executed it; and the inputs, by their places, that took too long."""
    counts, late = {}, set()  # file: address: executions in each input
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        outs = [os.path.join(scratch, f"{i}.out") for i in range(len(everything))]
        for i, run in enumerate(pool.map(lambda case, out: executions(program, inputs, case, out), everything, outs)):
            if run is None:
                late.add(i)
                continue
            for (name, address), count in run.items():
                column = counts.setdefault(name, {}).setdefault(address, array.array("Q", bytes(8 * len(everything))))
                column[i] += count
    blocks = []
    for name, executed in counts.items():
        code = disassembled(name)
        blocks += (([code.get(address, "") for address in block], executed[block[0]]) for block in blocks_of(code, executed))
    return blocks, late


def measure(program, inputs, path):
    """Writes a table: label, instructions, cycles; above it, a line that says what is not in it."""
    everything = list(cases(inputs))
    blocks, late = executed_blocks(program, inputs, everything)
    instructions, cycles, refused = [0] * len(everything), [0.0] * len(everything), 0
    for (block, executed), cost in zip(blocks, cycles_of([block for block, _ in blocks])):
        for i, count in enumerate(executed):
            instructions[i] += count * len(block)
            cycles[i] += count * (len(block) / 4 if cost is None else cost)
        refused += sum(executed) * len(block) if cost is None else 0
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"# {len(late)} inputs took longer than {limit} s under valgrind; llvm-mca ({processor()}) refused "
                f"{100 * refused / max(1, sum(instructions)):.2f} % of the instructions\n")
        for i, (label, _, _) in enumerate(everything):
            if i not in late:
                f.write(f"{label}\t{instructions[i]}\t{cycles[i]:.1f}\n")


def read(path):
    """Of what `measure` wrote: label: instructions; label: cycles; what it says above them."""
    with open(path, encoding="utf-8") as f:
        note = f.readline()[2:].strip()
        rows = [line.split("\t") for line in f]
    return {label: int(n) for label, n, _ in rows}, {label: float(c) for label, _, c in rows}, note
