import { closeSync, openSync, readSync } from "node:fs";

const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const DT = { pltRelSize: 2, strings: 5, symbols: 6, rela: 7, relaSize: 8, jmpRel: 23 } as const;
const R_X86_64_64 = 1;
const R_X86_64_JUMP_SLOT = 7;
const RELA_BYTES = 24;
const SYMBOL_BYTES = 24;
const NAME_BYTES_MAX = 64;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/**
 * Reads an ELF program (System V ABI, "Dynamic Linking"). Returns, for each function that the program imports, the addresses at
 * which the loader stores a pointer to it. The program must be linked to fixed addresses.
 */
export function relocationsOf(file: string): ReadonlyMap<string, readonly number[]> {
  const descriptor = openSync(file, "r");
  try {
    const read = (offset: number, bytes: number): DataView => {
      const view = new DataView(new ArrayBuffer(bytes));
      readSync(descriptor, view, 0, bytes, offset);
      return view;
    };
    return readRelocations(read);
  } finally {
    closeSync(descriptor);
  }
}

type Read = (offset: number, bytes: number) => DataView;

function readRelocations(read: Read): Map<string, number[]> {
  const segments = readSegments(read);
  const at = (address: number, bytes: number): DataView => {
    const home = segments.find(
      (one) => one.type === PT_LOAD && address >= one.address && address < one.address + one.bytes,
    );
    if (home === undefined) throw new Error(`Nothing of the program is at ${address}.`);
    return read(home.offset + address - home.address, bytes);
  };
  const tags = readTags(read, segments);
  const tag = (name: number): number => tags.get(name) ?? 0;
  const tables = [at(tag(DT.rela), tag(DT.relaSize)), at(tag(DT.jmpRel), tag(DT.pltRelSize))];
  const found = new Map<string, number[]>();
  for (const table of tables) {
    for (let offset = 0; offset < table.byteLength; offset += RELA_BYTES) {
      const type = table.getUint32(offset + 8, true);
      if (type !== R_X86_64_64 && type !== R_X86_64_JUMP_SLOT) continue;
      const symbol = at(tag(DT.symbols) + table.getUint32(offset + 12, true) * SYMBOL_BYTES, SYMBOL_BYTES);
      const name = textOf(at(tag(DT.strings) + symbol.getUint32(0, true), NAME_BYTES_MAX));
      found.set(name, [...(found.get(name) ?? []), numberAt(table, offset)]);
    }
  }
  return found;
}

function readSegments(read: Read): readonly Segment[] {
  const head = read(0, 64);
  const isExecutable = head.getUint32(0) === 0x7f454c46 && head.getUint16(16, true) === 2;
  if (!isExecutable) throw new Error("This Bun is not a program at fixed addresses (ELF, ET_EXEC).");
  const start = numberAt(head, 32);
  const size = head.getUint16(54, true);
  return Array.from({ length: head.getUint16(56, true) }, (_, index) => {
    const entry = read(start + index * size, size);
    return {
      type: entry.getUint32(0, true),
      offset: numberAt(entry, 8),
      address: numberAt(entry, 16),
      bytes: numberAt(entry, 32),
    };
  });
}

function readTags(read: Read, segments: readonly Segment[]): ReadonlyMap<number, number> {
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  if (dynamic === undefined) throw new Error("This Bun imports nothing from shared libraries.");
  const table = read(dynamic.offset, dynamic.bytes);
  return new Map(
    Array.from({ length: dynamic.bytes / 16 }, (_, index) => [
      numberAt(table, index * 16),
      numberAt(table, index * 16 + 8),
    ]),
  );
}

function numberAt(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}

function textOf(view: DataView): string {
  const bytes = new Uint8Array(view.buffer);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
