/** Refuses unknown options, with the most similar known one. @throws TypeError */
export function checkNames(subject: string, options: object, known: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    throw new TypeError(
      `${subject} has no option ${name}. The nearest is ${nearest(name, Object.keys(known))}.`,
    );
  }
}

/** Finds the most similar name by shared pairs of letters (Sørensen–Dice): `timeoutMs` for `timeout`. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const pairs = pairsOf(name);
  const scores = known.map((other) => {
    const others = pairsOf(other);
    return pairs.filter((pair) => others.includes(pair)).length / (pairs.length + others.length);
  });
  return known[scores.indexOf(Math.max(...scores))];
}

function pairsOf(name: string): readonly string[] {
  const letters = name.toLowerCase();
  return Array.from(letters, (_, at) => letters.slice(at, at + 2));
}
