import type { Random } from "../../random.ts";

/** The number of bytes that a disk writes completely or not at all. */
const SECTOR_BYTES = 512;
const HEAD_BYTES = 16;
const FILE_BYTES_MAX = 2 ** 30;

/** The files of a folder, keyed by name. */
export type Disk = ReadonlyMap<string, Uint8Array>;

export interface Step {
  /** The operation on the file: C created, W written, T truncated, S synced, or U unlinked. */
  readonly operation: "C" | "W" | "T" | "S" | "U";
  readonly name: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** The position in the trace at which the record of this step ends. */
  readonly end: number;
}

interface Writing extends Step {
  readonly operation: "W" | "T";
}

/** A file on the simulated disk. `content` is already on the disk; `pending` has been written, but not yet synced. */
interface File {
  readonly content: ArrayBuffer;
  pending: Writing[];
}

/**
 * Returns the content of a folder after a power loss. Synced writes survive. Each unsynced sector survives or is lost at random. If
 * a file was created or removed since the folder was last synced, it is random whether the file exists.
 *
 * @param before the folder's content when the trace began, all of it synced
 * @param trace the trace that disk.c has written
 */
export function diskAfterPowerLoss(before: Disk, trace: Uint8Array, random: Random): Disk {
  // In half of the cases, all unsynced sectors are lost or all of them survive. In the other half, each sector survives with a
  // random probability.
  return diskAfter(before, [...readTrace(trace)], random, random.pick([0, 1, random.next(), random.next()]));
}

/**
 * Returns the content of a folder after some steps of a trace.
 *
 * @param share the probability that an unsynced sector survives; it is 1 after a kill
 */
export function diskAfter(before: Disk, steps: readonly Step[], random: Random, share: number): Disk {
  const { known, current } = replay(before, steps);
  const after = new Map<string, Uint8Array>();
  for (const name of new Set([...known.keys(), ...current.keys()])) {
    const file = (random.chance(share) ? current : known).get(name);
    if (file !== undefined) after.set(name, tornBytes(file, random, share));
  }
  return after;
}

function replay(before: Disk, steps: Iterable<Step>) {
  let known = new Map([...before].map(([name, bytes]): [string, File] => [name, fileOf(bytes)]));
  const current = new Map(known);
  for (const step of steps) {
    const file = current.get(step.name);
    if (step.operation === "U") current.delete(step.name);
    else if (step.operation === "C") {
      if (file === undefined) current.set(step.name, fileOf(new Uint8Array()));
    } else if (step.name === ".") known = new Map(current);
    else if (file === undefined) throw new Error(`The trace writes to ${step.name}, which it never opened.`);
    else if (isWriting(step)) file.pending.push(step);
    else sync(file);
  }
  return { known, current };
}

function isWriting(step: Step): step is Writing {
  return step.operation === "W" || step.operation === "T";
}

function sync(file: File): void {
  for (const step of file.pending) write(file, step);
  file.pending = [];
}

/** Returns the bytes of a file that are left after a power loss. */
function tornBytes(file: File, random: Random, share: number): Uint8Array {
  for (const step of file.pending.flatMap(sectorsOf)) if (random.chance(share)) write(file, step);
  return new Uint8Array(file.content).slice();
}

function write({ content }: File, { operation, offset, bytes }: Writing): void {
  content.resize(operation === "T" ? offset : Math.max(content.byteLength, offset + bytes.length));
  if (operation === "W") new Uint8Array(content).set(bytes, offset);
}

function fileOf(bytes: Uint8Array): File {
  const content = new ArrayBuffer(bytes.length, { maxByteLength: FILE_BYTES_MAX });
  new Uint8Array(content).set(bytes);
  return { content, pending: [] };
}

function sectorsOf(step: Writing): readonly Writing[] {
  const sectors: Writing[] = [];
  for (let from = 0; from < step.bytes.length; ) {
    const end = Math.min(step.bytes.length, from + SECTOR_BYTES - ((step.offset + from) % SECTOR_BYTES));
    sectors.push({ ...step, offset: step.offset + from, bytes: step.bytes.subarray(from, end) });
    from = end;
  }
  return step.operation === "T" ? [step] : sectors;
}

/**
 * Reads the records of a disk trace. If the last record was cut off when the process ended, it is left out, because its write was
 * never acknowledged.
 */
export function* readTrace(trace: Uint8Array): Iterable<Step> {
  const view = new DataView(trace.buffer, trace.byteOffset, trace.byteLength);
  for (let at = 0; at + HEAD_BYTES <= trace.length; ) {
    const nameEnd = at + HEAD_BYTES + view.getUint8(at + 1);
    const end = nameEnd + view.getUint32(at + 4, true);
    if (end > trace.length) return;
    yield {
      operation: String.fromCharCode(view.getUint8(at)) as Step["operation"],
      name: new TextDecoder().decode(trace.subarray(at + HEAD_BYTES, nameEnd)),
      offset: Number(view.getBigUint64(at + 8, true)),
      bytes: trace.subarray(nameEnd, end),
      end,
    };
    at = end;
  }
}
