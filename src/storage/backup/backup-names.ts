import { formatTime } from "../../platform/clock.ts";

// Names of scheduled backups: petstore-20261122T120000.000Z.backup in a folder; in a bucket, which several stores may share, with the
// store's mark: petstore-20261122T120000.000Z-4fXk20aQ.backup

const NAME = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)(?:-([0-9A-Za-z]{8}))?\.backup$/;

export interface NamedBackup {
  readonly name: string;
  /** Start of the backup according to its name, in milliseconds since 1970. */
  readonly time: number;
  /** True if the time is in the future. */
  readonly isAhead: boolean;
  /** Mark of the store; undefined in a folder. */
  readonly store: string | undefined;
}

export function backupName(time: number, store?: string): string {
  const mark = store === undefined ? "" : `-${store}`;
  return `petstore-${formatTime(time).replaceAll(/[-:]/g, "")}${mark}.backup`;
}

/** The scheduled backups among these names, oldest first. */
export function backupsAmong(names: readonly string[], now: number): readonly NamedBackup[] {
  return names
    .filter((name) => NAME.test(name))
    .map((name) => ({
      name,
      time: Date.parse(name.replace(NAME, "$1-$2-$3T$4:$5:$6")),
      store: NAME.exec(name)?.[7],
    }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((one, other) => one.time - other.time)
    .map((backup) => ({ ...backup, isAhead: backup.time > now }));
}

/**
 * Names of the backups to remove, so that `keep` are left, including `made`. A backup with a time in the future was made by a
 * clock that was ahead. It counts as the oldest, because otherwise it would outlive every other one.
 */
export function outdated(backups: readonly NamedBackup[], made: string, keep: number): readonly string[] {
  const others = backups.filter(({ name }) => name !== made);
  const oldestFirst = [
    ...others.filter(({ isAhead }) => isAhead),
    ...others.filter(({ isAhead }) => !isAhead),
  ];
  return oldestFirst.slice(0, Math.max(0, others.length - (keep - 1))).map(({ name }) => name);
}

export interface Newest {
  /** Start of the newest backup, in milliseconds since 1970. */
  readonly time: number | undefined;
  readonly name: string | undefined;
  /** Number of backups with a time in the future. They are ignored, because nobody knows when they were made. */
  readonly ahead: number;
}

export function newestAmong(backups: readonly NamedBackup[]): Newest {
  const newest = backups.findLast(({ isAhead }) => !isAhead);
  return {
    time: newest?.time,
    name: newest?.name,
    ahead: backups.filter(({ isAhead }) => isAhead).length,
  };
}
