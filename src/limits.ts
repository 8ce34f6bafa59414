// Every limit of the program. Each comment says the unit and what happens at the limit.

/** Items: a larger `limit` is refused. */
export const PAGE_SIZE_MAX = 100;
/** Items of a page without `limit`. */
export const PAGE_SIZE_DEFAULT = 20;
/** Identifiers in one `id` filter; more are refused. */
export const ID_FILTER_MAX = 100;

/** Levels of a body; deeper JSON is refused before it is parsed. */
export const JSON_DEPTH_MAX = 64;
/** Bytes of a body where `PETSTORE_MAX_BODY_BYTES` is not set; a larger one is answered 413. */
export const BODY_BYTES_DEFAULT = 65_536;
/** Bytes: the highest value of `PETSTORE_MAX_BODY_BYTES`. */
export const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of a body that are read to answer 413; beyond, the connection is closed. */
export const BODY_DISCARD_BYTES_MAX = 1024 * 1024;
/** Milliseconds from the first byte of a body to its last; a slower one is answered 408. */
export const BODY_DEADLINE_MS = 10_000;
/** Seconds without a byte before Bun closes a connection; above every deadline here, so that an answer comes first. */
export const CONNECTION_IDLE_SECONDS = 30;

/** Requests of one process at the same time; more are answered 503 at once. */
export const REQUESTS_IN_FLIGHT_MAX = 512;
/** API keys whose requests one process counts; beyond, the oldest count is dropped. */
export const RATE_LIMIT_KEYS_MAX = 100_000;

/** Characters of an `Idempotency-Key`; a longer one is refused. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Milliseconds in which a response is sent again for the same key; after that the request is carried out anew. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;
/** Milliseconds between deletions of expired idempotency records. */
export const IDEMPOTENCY_PRUNE_INTERVAL_MS = 60 * 60 * 1000;

/** Characters of an API key's name; a longer one is refused. */
export const KEY_NAME_LENGTH_MAX = 100;
/** Characters of an email address (RFC 5321 §4.5.3.1.3 less its brackets); a longer one is refused. */
export const EMAIL_LENGTH_MAX = 254;
/** Characters of a new password (NIST SP 800-63B §3.1.1.2); a shorter one is refused. */
export const PASSWORD_LENGTH_MIN = 8;
/** Characters of a new password; a longer one is refused. */
export const PASSWORD_LENGTH_MAX = 1_024;
/** API keys in the cache of one process; beyond, the oldest is looked up again. */
export const KEY_CACHE_MAX = 10_000;
/** Milliseconds between the heartbeats of a change feed. */
export const FEED_HEARTBEAT_MS = 200;
/** Milliseconds since the last heartbeat; beyond, the feed is unhealthy and cached keys are looked up again. */
export const FEED_STALE_MS = 700;
/** Milliseconds between writes of the keys' last uses, which are kept to the minute. */
export const LAST_USED_INTERVAL_MS = 60_000;

/** Writes in one commit; more wait for the next, so that the first is not held up by thousands. */
export const COMMIT_BATCH_MAX = 512;
/** Writes that begin a commit at once, without waiting for the end of the event-loop turn. */
export const COMMIT_BATCH_FULL = 128;
/** Milliseconds that a write waits for another process's lock; then 503. */
export const LOCK_WAIT_MS = 2_000;
/** Milliseconds between looks at a lock that another process holds. */
export const LOCK_RETRY_MS = 5;
/** Milliseconds that SQLite waits for a lock by itself; the whole process stands still meanwhile. */
export const SQLITE_BUSY_TIMEOUT_MS = 100;
/** Bytes of a database file that is checked page by page at every start; a larger one is not, for it takes too long. */
export const INTEGRITY_CHECK_BYTES_MAX = 16 * 1024 * 1024;
/** Connections for single statements, per database and process: this many to read, this many to write. */
export const STATEMENT_CONNECTIONS = 2;
/** Single statements under way at once, one behind the other on their connections; more wait. */
export const STATEMENT_CONCURRENCY = 128;
/** Connections for transactions, per database and process; more transactions wait. */
export const TRANSACTION_CONNECTIONS = 4;
/** Statements or transactions that wait for a permit; more are answered 503 at once. */
export const STORE_QUEUE_MAX = 2_000;
/** Milliseconds of waiting for a permit or a connection; then 503. */
export const ACQUIRE_DEADLINE_MS = 2_000;
/** Seconds to connect to the database server; then 503. */
export const CONNECT_DEADLINE_SECONDS = 2;
/** Milliseconds after which the database server cancels a statement. */
export const SERVER_STATEMENT_TIMEOUT_MS = 3_000;
/** Milliseconds after which we stop waiting for a server that does not cancel it; then 503. */
export const STATEMENT_DEADLINE_MS = 4_000;
/** Times that a transaction is run again after a conflict with another; then 503. */
export const CONFLICT_RETRIES_MAX = 40;
/** Milliseconds: the longest random pause before such a retry. */
export const CONFLICT_PAUSE_MAX_MS = 32;
/** Seconds in `Retry-After` of a 503. */
export const RETRY_AFTER_SECONDS = 1;

/** Milliseconds before each delivery attempt (Standard Webhooks' schedule); after the last, the message has failed. */
export const DELIVERY_DELAYS_MS = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const;
/** Share of a delay that is added at random at most, so that retries do not arrive together. */
export const DELIVERY_JITTER = 0.1;
/** Milliseconds of one delivery attempt; then it counts as refused. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/** Milliseconds that a claimed message belongs to one worker; above the timeout, so that no two deliver it at once. */
export const DELIVERY_LEASE_MS = 30_000;
/** Messages that one worker delivers at the same time; a slow destination holds up no more than these. */
export const DELIVERY_CONCURRENCY = 16;
/** Milliseconds: a due date further ahead was set by a wrong clock, and is set to now. */
export const DELIVERY_AHEAD_MAX_MS = 48 * 3_600_000;
/** Milliseconds between searches for such due dates. */
export const DELIVERY_CLAMP_INTERVAL_MS = 15 * 60_000;
/** Milliseconds between looks at the queue when nothing wakes the worker. */
export const DELIVERY_POLL_MS = 1_000;

/** Worker processes: the highest value of `PETSTORE_PROCESSES`. */
export const PROCESSES_MAX = 64;
/** Milliseconds for a worker process to start; then it is killed. */
export const WORKER_START_DEADLINE_MS = 20_000;
/** Milliseconds before the first restart of a worker process; doubled with each one after. */
export const WORKER_RESTART_MIN_MS = 100;
/** Milliseconds: the longest pause before a restart. */
export const WORKER_RESTART_MAX_MS = 5_000;
/** Milliseconds that a worker process has to run for its next restart to begin at the shortest pause again. */
export const WORKER_STEADY_MS = 10_000;
/** Milliseconds from SIGTERM to the kill of a worker process; longer than it gives its own requests. */
export const WORKER_END_DEADLINE_MS = 15_000;
/** Milliseconds for a worker process to answer with its metrics; then they are left out. */
export const METRICS_DEADLINE_MS = 2_000;

/** Rows per statement of a copy; SQLite takes at most 32,766 values in one. */
export const COPY_BATCH_ROWS = 1_000;
/** Bytes of a database per row of a backup. */
export const BACKUP_PIECE_BYTES = 1024 * 1024;
/** Milliseconds that a backup waits for another process's lock; then it fails. */
export const BACKUP_LOCK_WAIT_MS = 10_000;

/** Bytes free on the disk below which `petstore doctor` warns. */
export const DISK_FREE_LOW_BYTES = 5_000_000_000;
/** Bytes free on the disk below which `petstore doctor` fails. */
export const DISK_FREE_MIN_BYTES = 500_000_000;
/** Milliseconds between this machine's clock and another's beyond which `petstore doctor` warns. */
export const CLOCK_OFF_MAX_MS = 5_000;
/** Milliseconds that `petstore doctor` waits for one answer; then the check fails. */
export const DOCTOR_DEADLINE_MS = 2_000;

/** Rows of a list on the command line without `--limit`. */
export const LISTED_DEFAULT = 20;
/** Refused lines of an import that are printed; the others are counted. */
export const REFUSED_SHOWN_MAX = 20;
/** Requests of an import at the same time: enough to fill the service's commits, and room is left for other clients. */
export const IMPORT_IN_FLIGHT_MAX = 32;
/** Bytes of one line or record of an import file; a longer one is refused, as the service would. */
export const IMPORT_RECORD_BYTES_MAX = BODY_BYTES_MAX;
/** Times that a line is sent again after a transient failure; then it counts as failed. */
export const IMPORT_RETRIES = 3;
/** Milliseconds for one line of an import, its retries included. */
export const IMPORT_CALL_MS = 60_000;
/** Times that a command which a person waits for sends its request again. */
export const COMMAND_RETRIES = 2;
/** Milliseconds for one page of an export: a rate limit's window and the page, for an export cannot be resumed. */
export const EXPORT_PAGE_MS = 150_000;

/** Milliseconds in which a second Ctrl-C is npm's copy of the first; a later one ends the program at once. */
export const SAME_SIGNAL_MS = 1_000;
/** Milliseconds from "not ready" to closed ports, so that load balancers and clients notice. */
export const SHUTDOWN_NOTICE_MS = 300;
/** Milliseconds for requests under way from SIGTERM on; then they are cut off. */
export const SHUTDOWN_DEADLINE_MS = 10_000;

/** Passwords that wait to be hashed or checked; more are answered 503 at once. */
export const PASSWORD_QUEUE_MAX = 64;
/** Milliseconds of that wait; then 503. */
export const PASSWORD_WAIT_MS = 5_000;
/** Milliseconds from sign-in to the end of a session, however much it is used. */
export const SESSION_LIFE_MS = 30 * 24 * 3_600_000;
/** Milliseconds without a request after which a session ends. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** Milliseconds that a session's last use may be out of date before a request writes it. */
export const SESSION_SEEN_INTERVAL_MS = 10 * 60_000;
/** Characters of a `User-Agent` that are stored with a session. */
export const USER_AGENT_LENGTH_MAX = 256;
/** Attempts without a wait by one address on one account. */
export const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5;
/** Attempts without a wait by one address on all accounts together. */
export const LOGIN_FREE_PER_ADDRESS = 20;
/** Attempts without a wait on one account by all unknown addresses together. */
export const LOGIN_FREE_PER_ACCOUNT = 20;
/** Milliseconds of the first wait after those; doubled with each attempt. */
export const LOGIN_WAIT_MIN_MS = 1_000;
/** Milliseconds: the longest wait of an address. */
export const LOGIN_WAIT_MAX_MS = 15 * 60_000;
/** Milliseconds: the longest wait that other people's attempts cause an account's owner at a new address. */
export const LOGIN_WAIT_PER_ACCOUNT_MAX_MS = 30_000;
/** Milliseconds without an attempt after which a count starts at 0 again; above the longest wait. */
export const LOGIN_COUNT_RETENTION_MS = 3_600_000;
/** Milliseconds that the clocks of two processes may differ; a count from further ahead is dropped. */
export const LOGIN_CLOCK_SKEW_MAX_MS = 60_000;
/** Milliseconds that an address is known after a sign-in; a known one is not held up by other people's attempts. */
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000;
/** Milliseconds between deletions of ended sessions and old counts. */
export const ACCOUNTS_PRUNE_INTERVAL_MS = 3_600_000;

/** Rows that the console's overview counts; beyond, it shows "at least" this many. */
export const OVERVIEW_COUNT_MAX = 10_000;
/** Milliseconds before a key's expiry in which the overview lists it. */
export const EXPIRY_NOTICE_MS = 30 * 24 * 3_600_000;

/** Bytes of log lines that are written at once. */
export const LOG_BUFFER_BYTES = 65_536;
/** Milliseconds that a log line waits for others before it is written. */
export const LOG_FLUSH_MS = 50;

/** Responses in one of the two generations of a response cache; beyond, the older generation is dropped. */
export const RESPONSE_CACHE_ENTRIES = 1_000;
/** Characters of the bodies of one generation; beyond, the older generation is dropped. */
export const RESPONSE_CACHE_BYTES = 8 * 1024 * 1024;
/** Characters of one cached body; a longer one is not cached. */
export const RESPONSE_CACHE_BODY_BYTES_MAX = 256 * 1024;
/** Keys that have a metric series of their own for deprecated calls; the others share one. */
export const DEPRECATED_CALLERS_MAX = 1_000;
/** Milliseconds between measurements of how late the event loop runs timers. */
export const LOOP_DELAY_INTERVAL_MS = 100;
/** Spans in one request to the collector. */
export const TRACE_BATCH_MAX = 512;
/** Milliseconds between requests to the collector. */
export const TRACE_INTERVAL_MS = 1_000;
/** Milliseconds of such a request; then it has failed. */
export const TRACE_DEADLINE_MS = 10_000;
/** Spans that wait to be sent; more are dropped. */
export const TRACE_QUEUE_MAX = 4_096;
/** Milliseconds for the last spans at the end of the process; then they are lost. */
export const TRACE_CLOSE_DEADLINE_MS = 2_000;
/** Milliseconds between looks for a commit of another process in an embedded database. */
export const COMMIT_POLL_MS = 100;
