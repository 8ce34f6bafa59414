import { NUMBER_MARK, type Shot } from "./job.ts";

/** A request ready to be sent. */
export interface Round {
  readonly bytes: Buffer;
  readonly status: number;
  /** Where the number that is never sent twice goes, or -1. */
  readonly numberAt: number;
}

let lastNumber = 0;

/** Hands out the shots in turn, each with a number of its own where it has a place for one. */
export function createMagazine(shots: readonly Shot[]): () => Round {
  const rounds = shots.map(({ text, status }) => ({
    bytes: Buffer.from(text),
    status,
    numberAt: text.indexOf(NUMBER_MARK),
  }));
  let at = 0;
  return () => {
    const round = rounds[at];
    if (round === undefined) throw new Error("There is nothing to send.");
    at = at + 1 === rounds.length ? 0 : at + 1;
    if (round.numberAt >= 0) writeNumber(round.bytes, round.numberAt, ++lastNumber);
    return round;
  };
}

function writeNumber(bytes: Buffer, start: number, value: number): void {
  let left = value;
  for (let at = start + NUMBER_MARK.length - 1; at >= start; at--) {
    bytes[at] = 0x30 + (left % 10);
    left = Math.floor(left / 10);
  }
}
