/** The valid values of an option, in words that follow "must be" in an error message, and a function that tests a value. */
export type Check = readonly [expected: string, accepts: (value: unknown) => boolean];

/**
 * Refuses invalid values and unknown options. For an unknown option, the error suggests the option with the most similar name.
 *
 * @throws TypeError whose message does not contain the values
 */
export function checkOptions(subject: string, options: object, known: Readonly<Record<string, Check>>): void {
  if (Object(options) !== options) throw new TypeError(`The options of ${subject} must be an object.`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check !== undefined) checkOption(name, value, check);
    // The error does not repeat a long name, because a long name may be an API key that was passed by mistake.
    else if (name.length > 30)
      throw new TypeError(
        `The options of ${subject} contain an unknown name. The name is too long to repeat here, and may be an API key.`,
      );
    else throw new TypeError(`${subject} has no option ${name}.${nearest(name, Object.keys(known))}`);
  }
}

/**
 * Refuses an invalid value of an option. Undefined is always valid, because it leaves the option out.
 *
 * @throws TypeError whose message does not contain the value
 */
export function checkOption(name: string, value: unknown, [expected, accepts]: Check): void {
  if (value !== undefined && !accepts(value)) throw new TypeError(`${name} must be ${expected}.`);
}

/**
 * Suggests the option with the most similar name, such as `timeoutMs` for `timeout`. Two names are similar if they share many
 * pairs of letters (Sørensen–Dice).
 */
function nearest(name: string, known: readonly string[]): string {
  const pairs = pairsOf(name);
  const scores = known.map((other) => {
    const others = pairsOf(other);
    return pairs.filter((pair) => others.includes(pair)).length / (pairs.length + others.length);
  });
  const best = Math.max(...scores);
  return best > 0 ? ` The nearest is ${known[scores.indexOf(best)]}.` : "";
}

function pairsOf(name: string): readonly string[] {
  const letters = name.toLowerCase();
  return Array.from(letters, (_, at) => letters.slice(at, at + 2));
}
