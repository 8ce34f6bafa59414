// The limits of the contract, and those that several folders share, with what happens at each. The unit is in the name, or begins the
// comment. A limit of one file stands in that file.

export const PAGE_SIZE_MAX = 100; // items; a larger `limit` is refused
export const PAGE_SIZE_DEFAULT = 20; // items of a page without `limit`
export const PAGE_BYTES_MAX = 1024 * 1024; // of a page's body; it ends before the item that would pass this, with a `next`
export const LONG_ROWS_READ = 8; // rows in one statement of a list whose last page ended before its limit
export const ID_FILTER_MAX = 100; // identifiers in one `id` filter; more are refused
export const SEARCH_PETS_MAX = 20_000; // animals that one request of a search looks at; then its page ends, with a `next`

export const BODY_BYTES_MAX = 16 * 1024 * 1024; // the highest value of `PETSTORE_MAX_BODY_BYTES`

export const STREAMS_MAX = 2_000; // event streams of one process; more are answered 503

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255; // characters; a longer `Idempotency-Key` is refused
export const IDEMPOTENCY_INTERVAL_MS = 5 * 60_000; // between saves of the time that has passed, and deletions of expired records

export const SIMULATED_DELAY_MS_MAX = 10_000; // of `Petstore-Simulate: delay=MS`; a longer one is refused
export const SIMULATED_TIMES_MAX = 1_000; // of its `times=N`; more are refused

export const OVERLAP_DEFAULT_HOURS = 24; // in which a rotated key still works, and a rotated webhook secret still signs
export const OVERLAP_MAX_HOURS = 168; // the longest such overlap
export const PASSWORD_LENGTH_MIN = 8; // characters (NIST SP 800-63B §3.1.1.2); a shorter one is refused
export const PASSWORD_LENGTH_MAX = 1_024; // characters; a longer one is refused
export const FEED_HEARTBEAT_MS = 200; // between the heartbeats of a change feed
export const FEED_STALE_MS = 700; // since the last one; then the feed is unhealthy, and keys are looked up

export const COMMIT_BATCH_MAX = 512; // writes; the others wait for the next commit, so that the first is soon
export const SQLITE_BUSY_TIMEOUT_MS = 100; // SQLite's own wait, in which the whole process stands still
export const ID_GAP = 1_000_000_000; // identifiers that are left out after a loss where nothing says which were used
export const STATEMENT_CONNECTIONS = 2; // per database and process, to read, and as many to write
export const STORE_QUEUE_MAX = 2_000; // statements or transactions that wait; more are answered 503 at once
export const ACQUIRE_DEADLINE_MS = 2_000; // of waiting for a permit or a connection; then 503
export const CONNECT_DEADLINE_SECONDS = 2; // to connect to the database server; then 503
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS; // of `PETSTORE_HISTORY_DAYS`
export const PRUNED_MAX = 200; // rows that are deleted in one transaction
export const NUMBERED_MAX = 1_000; // events that get their numbers in one transaction on PostgreSQL

/** Before each delivery attempt: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (Standard Webhooks); then failed. */
export const DELIVERY_DELAYS_MS = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
] as const;
export const DELIVERY_TIMEOUT_MS = 15_000; // of one attempt; then it counts as refused
export const DELIVERY_LEASE_MS = 30_000; // of a claimed message: above the timeout, so that no two deliver it
export const DELIVERY_AHEAD_MAX_MS = 48 * 3_600_000; // a later due date is a wrong clock's, and is set to now
export const DELIVERY_ATTEMPTS_SHOWN_MAX = 20; // of a delivery, the latest: two rounds of retries

export const WEBHOOKS_MAX = 50; // of an environment, each of which may have a delivery for every event; one more is refused
export const DELIVERY_SWEEP_ROWS = 1_000; // of deliveries that one transaction drops; the worker goes on with the others

export const BACKUP_LOCK_WAIT_MS = 10_000; // for another process's lock; then the backup fails

export const DOCTOR_DEADLINE_MS = 2_000; // of `petstore doctor` for one answer; then the check fails

export const LISTED_DEFAULT = 20; // rows of a list on the command line without `--limit`
export const IMPORT_RECORD_BYTES_MAX = BODY_BYTES_MAX; // of one record; a longer one is refused, as it would be
export const COMMAND_RETRIES = 2; // of the request of a command that a person waits for

export const SAME_SIGNAL_MS = 1_000; // a second Ctrl-C is npm's copy of the first; later, it ends the program

export const SESSION_LIFE_MS = 30 * 24 * 3_600_000; // from sign-in, however much the session is used
export const PASSKEY_CHALLENGE_MS = 5 * 60_000; // from its making to the device's answer
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000; // without a request; then the session ends
export const LOGIN_COUNT_RETENTION_MS = 3_600_000; // without an attempt; then 0 again: above the longest wait
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000; // since a sign-in there; others' attempts do not count
export const LINK_LIFE_MS = 72 * 3_600_000; // of an invitation or a password-reset link; then it is refused

export const OVERVIEW_COUNT_MAX = 10_000; // rows that the console counts; then it shows "at least" this many
