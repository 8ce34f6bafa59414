// Limits that are part of the API's contract, and other limits that several folders use. Each comment says what happens at the
// limit. The unit is in the name or in the comment. A limit that only one file uses is in that file.

export const PAGE_SIZE_MAX = 100; // maximum number of items in a page; a larger `limit` is refused
export const PAGE_SIZE_DEFAULT = 20; // number of items in a page if the request has no `limit`
export const ID_FILTER_MAX = 100; // maximum number of identifiers in one `id` filter; more are refused
export const SCANNED_MAX = 20_000; // maximum number of rows that one search request scans; its page then ends early, with a cursor for the next page

export const BODY_BYTES_MAX = 16 * 1024 * 1024; // highest value of `PETSTORE_MAX_BODY_BYTES`, and maximum size of a record in an imported file

export const STREAMS_MAX = 2_000; // maximum number of open event streams of one process; further requests for a stream are answered with 503

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255; // maximum length of an `Idempotency-Key`, in characters; a longer one is refused
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000; // lifetime of an idempotency key; after that, a request with the same key is executed again
export const IDEMPOTENCY_INTERVAL_MS = 5 * 60_000; // interval at which the elapsed-time counter is stored and expired idempotency records are deleted

export const SIMULATED_DELAY_MS_MAX = 10_000; // highest MS in `Petstore-Simulate: delay=MS`; a longer delay is refused
export const SIMULATED_TIMES_MAX = 1_000; // highest N in `Petstore-Simulate: …; times=N`; a higher number is refused
export const SIMULATION_COUNTS_MAX = 100; // maximum number of `times=N` counters that are stored for one API key; only the most recently used ones are kept

export const OVERLAP_DEFAULT_HOURS = 24; // default overlap after a rotation: for this long, the old API key still works, or deliveries are also signed with the old webhook secret
export const OVERLAP_MAX_HOURS = 168; // longest overlap after a rotation, during which both the old and the new key or secret are used
export const PASSWORD_LENGTH_MIN = 8; // minimum length of a password, in characters (NIST SP 800-63B §3.1.1.2); a shorter one is refused
export const PASSWORD_LENGTH_MAX = 1_024; // maximum length of a password, in characters; a longer one is refused
export const FEED_HEARTBEAT_MS = 200; // interval between the heartbeats of a change feed
export const FEED_STALE_MS = 700; // if a change feed has had no heartbeat for this long, it counts as unhealthy, and API keys are always read from the database

export const COMMIT_BATCH_MAX = 512; // maximum number of writes in one commit, so that the commit does not take long; further writes wait for the next commit
export const SQLITE_BUSY_TIMEOUT_MS = 100; // longest time that SQLite itself waits for a lock; during this wait, the whole process is blocked
export const ID_GAP = 1_000_000_000; // number of identifiers that are skipped after a loss of data, so that no lost identifier is assigned again
export const CONNECTIONS_DEFAULT = 32; // default of `PETSTORE_DATABASE_CONNECTIONS`, the maximum number of connections from one process to one database server
export const STORE_QUEUE_MAX = 2_000; // maximum number of statements or transactions that wait for the database; further ones are answered with 503 immediately
export const ACQUIRE_DEADLINE_MS = 2_000; // longest time that a request waits for a semaphore's permit or a database connection, before it is answered with 503
export const CONNECT_DEADLINE_SECONDS = 2; // longest time for connecting to the database server, before the request is answered with 503
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const PRUNED_MAX = 200; // maximum number of old rows that are deleted in one transaction

/**
 * Delays before the attempts at a delivery: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (Standard Webhooks). After the
 * last attempt, the delivery has failed.
 */
export const DELIVERY_DELAYS_MS = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
] as const;
export const DELIVERY_TIMEOUT_MS = 15_000; // deadline of one attempt at a delivery; if there is no response by then, the attempt has failed
export const DELIVERY_LEASE_MS = 30_000; // period for which a worker claims a delivery; it is longer than DELIVERY_TIMEOUT_MS, so that no two workers send the same delivery
export const DELIVERY_AHEAD_MAX_MS = 48 * 3_600_000; // longest wait before the next attempt at a delivery; if the attempt is scheduled even later, the clock was wrong, so the attempt is rescheduled for now
export const DELIVERY_ATTEMPTS_SHOWN_MAX = 20; // number of attempts that are shown for a delivery, newest first; it is enough for two rounds of retries

export const WEBHOOKS_MAX = 50; // maximum number of webhooks in an environment; limited because each event can cause one delivery to each of them
export const DELIVERY_SWEEP_ROWS = 1_000; // maximum number of deliveries that are marked as `dropped` in one transaction; if there are more, the worker marks them in later transactions

export const BACKUP_LOCK_WAIT_MS = 10_000; // longest time that a backup waits for another process's lock; after that, the backup fails

export const DOCTOR_DEADLINE_MS = 4_000; // longest time that `petstore doctor`, `healthcheck` and `status` wait for a response; after that, the check fails; a busy machine sometimes needs more than 2 s

export const LISTED_DEFAULT = 20; // number of rows that a list shows on the command line without `--limit`
export const COMMAND_RETRIES = 2; // number of times that a command retries a failed request; it is low, because a person is waiting

export const SAME_SIGNAL_MS = 1_000; // period after Ctrl-C during which another Ctrl-C is ignored, because npm forwards each Ctrl-C a second time; after this period, another Ctrl-C ends the program immediately

export const SESSION_LIFE_MS = 30 * 24 * 3_600_000; // lifetime of a session after the sign-in, even if the session is in use
export const PASSKEY_CHALLENGE_MS = 5 * 60_000; // longest time between sending a passkey challenge and receiving the device's response
export const TRANSFER_TOKEN_MS = 30_000; // lifetime of a token from production that is used to sign in to staging
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000; // a session ends after this long without a request
export const LINK_LIFE_MS = 72 * 3_600_000; // lifetime of an invitation link or a password-reset link
