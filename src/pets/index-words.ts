import { INDEX_PETS_MAX, INDEX_READ_PETS, INDEX_STEP_WORDS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import {
  type Indexed,
  insertPostings,
  keptWords,
  makeStep,
  type Posting,
  selectNames,
} from "./word-store.ts";

/** Called between two pieces of work with the milliseconds that the last one took; yields whether to go on. */
type Pause = (ms: number) => Promise<boolean>;

interface Words {
  /** By the beginnings of the words. */
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** The animals up to this one have no others. */
  readonly lastId: bigint;
}

/**
 * Keeps the words of the next animals, up to an identifier that none below can follow. They are sorted together and added in
 * many short transactions; with the last one the mark passes the animals. What is added twice, after a crash or beside a rename, is
 * there once, and what an animal's name no longer has is found out by every search.
 *
 * @returns the last step; undefined when it ended early, because another process has made one or `pause` wants no more
 */
export async function indexPets(
  database: Database,
  { lastId, step }: Pick<Indexed, "lastId" | "step">,
  upTo: bigint,
  pause: Pause,
): Promise<bigint | undefined> {
  const words = await readWords(database, lastId, upTo, pause);
  if (words === undefined) return undefined;
  let current = step;
  for (const { postings, isLast } of stepsOf(words)) {
    let ms = 0;
    const made: bigint | undefined = await database.write(async (query) => {
      const begunAt = performance.now();
      const [next] = await query(makeStep, [current, isLast ? words.lastId : lastId]);
      if (next !== undefined) await insertPostings(query, postings);
      ms = performance.now() - begunAt;
      return next;
    });
    if (made === undefined) return undefined;
    current = made;
    if (!isLast && !(await pause(ms))) return undefined;
  }
  return current;
}

async function readWords(
  database: Database,
  lastId: bigint,
  upTo: bigint,
  pause: Pause,
): Promise<Words | undefined> {
  const postings = new Map<string, Posting[]>();
  let last = lastId;
  for (let count = 0; last < upTo && count < INDEX_PETS_MAX; count += INDEX_READ_PETS) {
    const begunAt = performance.now();
    const pets = await database.read(selectNames, [last, upTo, INDEX_READ_PETS]);
    for (const { id, name } of pets) for (const word of keptWords(name)) add(postings, [word, id]);
    last = pets.length < INDEX_READ_PETS ? upTo : BigInt(pets.at(-1)?.id ?? upTo);
    if (!(await pause(performance.now() - begunAt))) return undefined;
  }
  return { postings, lastId: last };
}

function add(postings: Map<string, Posting[]>, posting: Posting): void {
  const beginning = posting[0].slice(0, 2);
  const same = postings.get(beginning);
  if (same === undefined) postings.set(beginning, [posting]);
  else same.push(posting);
}

/** What each transaction adds, in the order of the words, of which a part is sorted at a time. */
function* stepsOf({ postings }: Words): Generator<{ postings: readonly Posting[]; isLast: boolean }> {
  let some: Posting[] = [];
  for (const [, part] of [...postings].sort(([one], [other]) => (one < other ? -1 : 1))) {
    // A stable sort: the animals of a word stay in their order.
    some.push(...part.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
    for (; some.length > INDEX_STEP_WORDS; some = some.slice(INDEX_STEP_WORDS))
      yield { postings: some.slice(0, INDEX_STEP_WORDS), isLast: false };
  }
  yield { postings: some, isLast: true };
}
