"""Makes the inputs of `cargo xtask programs` in a folder: always the same ones.

    inputs.py FOLDER
"""

import math
import random
import sys
from pathlib import Path

folder = Path(sys.argv[1])
dice = random.Random(7)

DNA = "ACGT"
AMINO = "ACDEFGHIKLMNPQRSTVWY"


def letters(alphabet, count):
    return "".join(dice.choice(alphabet) for _ in range(count))


def changed(text, alphabet, substitutions, gaps=0.0):
    """A copy in which some letters are others, and some are gone."""
    made = []
    for letter in text:
        if dice.random() < gaps:
            continue
        made.append(dice.choice(alphabet) if dice.random() < substitutions else letter)
    return "".join(made)


def write(name, lines):
    (folder / name).write_text("\n".join(lines) + "\n")


def fasta(name, sequences):
    write(name, [line for key, text in sequences for line in (f">{key}", text)])


def family(alphabet, ancestor, count, gaps):
    """Relatives of one another: each a copy of an earlier one with changes."""
    members = [ancestor]
    for _ in range(count - 1):
        members.append(changed(dice.choice(members), alphabet, 0.06, gaps))
    return [(f"s{number}", text) for number, text in enumerate(members)]


genome = letters(DNA, 60000)
other = changed(genome, DNA, 0.03)
fasta("genome.fa", [("genome", genome)])
fasta("other.fa", [("other", other)])
fasta("genomes.fa", [("genome", genome), ("other", other), ("third", changed(other, DNA, 0.02))])
fasta("aligned.fa", family(DNA, letters(DNA, 600), 40, 0))
fasta("genes.fa", family(DNA, letters(DNA, 600), 60, 0.01))
fasta("proteins.fa", family(AMINO, letters(AMINO, 200), 40, 0.01))

reads = []
for number in range(12000):
    start = dice.randrange(len(genome) - 100)
    reads.append((f"r{number}", changed(genome[start : start + 100], DNA, 0.003)))
fasta("reads.fa", reads)
write("reads.fq", [line for key, text in reads for line in (f"@{key}", text, "+", "I" * len(text))])


def picture(name, width, height, shift):
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            wave = math.sin((x + shift) / 17) * math.cos(y / 23)
            pixels += bytes((int(127 + 120 * wave), (x + shift) * y // 97 % 256, (x ^ y) % 256))
    (folder / name).write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels)


picture("picture.ppm", 600, 450, 0)
picture("shifted.ppm", 600, 450, 40)

rows = []
for _ in range(3000):
    values = [dice.gauss(0, 1) for _ in range(12)]
    answer = int(values[0] * values[1] + values[2] > 0.3 * values[3])
    rows.append((answer, values))
write("train.csv", [",".join([str(a)] + [f"{v:.6f}" for v in values]) for a, values in rows])
write(
    "train.svm",
    [" ".join([str(a)] + [f"{i}:{v:.6f}" for i, v in enumerate(vs, 1)]) for a, vs in rows],
)

atoms = []
for x in range(2):
    for y in range(2):
        for z in range(2):
            at = (3.1 * x, 3.1 * y, 3.1 * z)
            for name, dx, dy, dz in (("O", 0, 0, 0), ("H", 0.96, 0, 0), ("H", -0.24, 0.93, 0)):
                atoms.append(f"{name} {at[0] + dx:.4f} {at[1] + dy:.4f} {at[2] + dz:.4f}")
write("water.xyz", [str(len(atoms)), "eight molecules of water", *atoms])

write("words.txt", [letters("abcdefgh", 6) for _ in range(3000)])
