import { formatTime } from "../../platform/clock.ts";

// The name of a scheduled backup in a folder looks like this: petstore-20261122T120000.000Z.backup. Several stores may share a
// bucket, so the name of a backup in a bucket also contains the first characters of the store's identifier:
// petstore-20261122T120000.000Z-4fXk20aQ.backup

const NAME = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)(?:-([0-9A-Za-z]{8}))?\.backup$/;

export interface NamedBackup {
  readonly name: string;
  /** The time when the backup started, taken from its name, in milliseconds since 1970. */
  readonly time: number;
  /** True if `time` is in the future. */
  readonly isAhead: boolean;
  /** The first characters of the store's identifier. Undefined for a backup in a folder, because its name does not contain them. */
  readonly store: string | undefined;
}

export function backupName(time: number, store?: string): string {
  const mark = store === undefined ? "" : `-${store}`;
  return `petstore-${formatTime(time).replaceAll(/[-:]/g, "")}${mark}.backup`;
}

/** Picks the scheduled backups from a list of file names, and returns them oldest first. */
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
 * Returns the names of the backups to remove, so that `keep` backups are left. The new backup, `made`, is always kept. A backup
 * whose time is in the future was made while the clock was wrong. Such a backup is removed first, because otherwise it would
 * outlive every other backup.
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
  /** The time when the newest backup started, in milliseconds since 1970. */
  readonly time: number | undefined;
  readonly name: string | undefined;
  /** The number of backups whose time is in the future. They cannot be the newest, because nobody knows when they were made. */
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
