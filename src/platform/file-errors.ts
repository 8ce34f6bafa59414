import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

interface FileError extends Error {
  readonly code: string;
  readonly syscall: string;
  /** The path of the file. Absent if the system call was given only a file descriptor. */
  readonly path?: string;
}

/** The word that completes "… cannot be …" in an error message, keyed by the system call that failed. */
const FAILED: Readonly<Record<string, string>> = {
  access: "read",
  lstat: "read",
  mkdir: "created",
  open: "opened",
  read: "read",
  rename: "renamed",
  rm: "removed",
  rmdir: "removed",
  scandir: "read",
  stat: "read",
  unlink: "removed",
  write: "written",
};

const REASONS: Readonly<Record<string, string | ((path: string) => string)>> = {
  EACCES: refusal,
  EDQUOT: "the disk quota is used up",
  EEXIST: "it exists already",
  EIO: "the disk failed",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "too many files are open",
  ENOENT: absence,
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EPERM: refusal,
  EROFS: "the disk is read-only",
};

const CHANGE_ACCESS =
  "Run the command as the owner of this file or folder, or change the owner or the permissions (chown, chmod).";
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: CHANGE_ACCESS,
  EDQUOT: "Free disk space.",
  ENOSPC: "Free disk space.",
  EPERM: CHANGE_ACCESS,
};

interface Explained {
  readonly path: string;
  /** A past participle that says what could not be done with the file, such as `written`. */
  readonly failed: string;
  /** The reason why a system call failed, without a capital letter at the start or a period at the end. */
  readonly reason: string;
  /** Sentences that say what to do about the error. Empty if the reason says enough. */
  readonly remedy: string;
}

/** Explains an error from a system call on a file. Returns undefined for other errors. */
export function explainFileError(error: unknown): Explained | undefined {
  if (!isFileError(error)) return undefined;
  const { code, syscall, path } = error;
  const reason = REASONS[code];
  if (reason === undefined || (path === undefined && typeof reason !== "string")) return undefined;
  return {
    path: path ?? "A file",
    failed: FAILED[syscall] ?? "used",
    reason: typeof reason === "string" ? reason : reason(resolve(path ?? "")),
    remedy: REMEDIES[code] ?? "",
  };
}

/**
 * Describes an error from a system call on a file: what could not be done, why, and what to do. Returns undefined for other errors.
 */
export function describeFileError(error: unknown): string | undefined {
  const explained = explainFileError(error);
  if (explained === undefined) return undefined;
  const { path, failed, reason, remedy } = explained;
  return `${path} cannot be ${failed}: ${reason}. ${remedy}`.trimEnd();
}

function isFileError(error: unknown): error is FileError {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Runs a system call that is given only a file descriptor. If it fails, adds the file's path to the error. */
export function withPath<Result>(path: string | undefined, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (path !== undefined && error instanceof Error) Object.assign(error, { path });
    throw error;
  }
}

/** True if the path exists. @throws Error if this user is not allowed to find out (`existsSync` would return false) */
export function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isFileError(error) && error.code === "ENOTDIR") return false;
    throw error;
  }
}

/** Returns the path itself if it exists, and otherwise the nearest folder above it that exists. */
export function nearestFolder(path: string): string {
  return exists(path) ? path : nearestFolder(dirname(resolve(path)));
}

/**
 * Names the permission that this user lacks, and the file or folder that the permission is for. If permissions for several folders
 * are missing, names only the outermost folder.
 */
function refusal(path: string): string {
  const closed = parentsOf(path).find((folder) => existsSync(folder) && !may(folder, constants.X_OK));
  if (closed !== undefined) return `${user()} may not enter the folder ${closed}`;
  if (!existsSync(path) || may(path, constants.R_OK | constants.W_OK))
    return `${user()} may not write to the folder ${dirname(path)}`;
  return `${user()} may not ${may(path, constants.R_OK) ? "write to" : "read"} it`;
}

/** Returns the folders above a path, the outermost first. */
function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...parentsOf(parent), parent];
}

function absence(path: string): string {
  const missing = parentsOf(path).find((folder) => !existsSync(folder));
  return missing === undefined ? "it does not exist" : `there is no folder ${missing}`;
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Describes the user by user id, because a user in a container may have no name. */
function user(): string {
  return `this user (uid ${process.getuid?.() ?? "unknown"})`;
}
