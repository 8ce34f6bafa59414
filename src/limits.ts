/** Every bound of the service, by name and with its unit. */

export const PAGE_SIZE_MAX = 100;
export const PAGE_SIZE_DEFAULT = 20;
/** Identifiers that one `id` filter may name. */
export const ID_FILTER_MAX = 100;

export const JSON_DEPTH_MAX = 64;
export const BODY_BYTES_DEFAULT = 65_536;
/** What `PETSTORE_MAX_BODY_BYTES` may be raised to. */
export const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** A body that is too large is read up to here before it is refused; beyond, the connection is closed on it. */
export const BODY_DISCARD_BYTES_MAX = 1024 * 1024;
/** From the first byte of a body to its last; past it, 408. */
export const BODY_DEADLINE_MS = 10_000;
/** Bun cuts a connection that is silent this long; above every deadline of ours, so that we answer first. */
export const CONNECTION_IDLE_SECONDS = 30;

/** Requests that one process works on at the same time; beyond it they are refused at once, with 503. */
export const REQUESTS_IN_FLIGHT_MAX = 512;
/** Keys whose requests one process counts, where they have a limit. */
export const RATE_LIMIT_KEYS_MAX = 100_000;

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;
export const IDEMPOTENCY_PRUNE_INTERVAL_MS = 60 * 60 * 1000;

export const KEY_NAME_LENGTH_MAX = 100;
export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 1_024;
/** Keys that one process remembers. */
export const KEY_CACHE_MAX = 10_000;
/** How often a watch asks itself whether it still hears, and how old the last sign of it may be. */
export const FEED_HEARTBEAT_MS = 200;
export const FEED_STALE_MS = 700;
/** "Last used" is kept to the minute and written this often, off the request path. */
export const LAST_USED_INTERVAL_MS = 60_000;

/** Pieces of work that one commit carries at most, so that the first of them does not wait for thousands. */
export const COMMIT_BATCH_MAX = 512;
/** Pieces of work that are worth a commit without waiting for more. */
export const COMMIT_BATCH_FULL = 128;
/** How long a write waits for another process's lock, how often it looks, and how long the whole process may wait. */
export const LOCK_WAIT_MS = 2_000;
export const LOCK_RETRY_MS = 5;
export const SQLITE_BUSY_TIMEOUT_MS = 100;
/** An embedded database up to this size is checked, page by page, whenever it is opened. */
export const INTEGRITY_CHECK_BYTES_MAX = 16 * 1024 * 1024;
/** Connections that single statements share, per database and process: so many for reading, so many for writing. */
export const STATEMENT_CONNECTIONS = 2;
/** Single statements under way at once; they queue up behind each other on their connections. */
export const STATEMENT_CONCURRENCY = 128;
/** Connections for transactions, each with its own, per database and process. */
export const TRANSACTION_CONNECTIONS = 4;
/** How many may wait for a place, and for how long. */
export const STORE_QUEUE_MAX = 2_000;
export const ACQUIRE_DEADLINE_MS = 2_000;
export const CONNECT_DEADLINE_SECONDS = 2;
/** What the server is told, and what we hold ourselves to when the server answers nothing. */
export const SERVER_STATEMENT_TIMEOUT_MS = 3_000;
export const STATEMENT_DEADLINE_MS = 4_000;
/** A transaction that another one undid is run again this often before the client hears of it. */
export const CONFLICT_RETRIES_MAX = 40;
export const CONFLICT_PAUSE_MAX_MS = 32;
/** What a 503 tells the client to wait. */
export const RETRY_AFTER_SECONDS = 1;

/** Waits before each delivery attempt; when they are spent, the message has failed. Standard Webhooks' schedule. */
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
/** Up to this share of a delay is added at random, so that retries do not arrive together. */
export const DELIVERY_JITTER = 0.1;
export const DELIVERY_TIMEOUT_MS = 15_000;
/** A claimed message is nobody else's for this long; above the timeout, so that a live worker is never doubled. */
export const DELIVERY_LEASE_MS = 30_000;
/** Messages that one worker delivers at the same time, so that a slow destination does not hold up the rest. */
export const DELIVERY_CONCURRENCY = 16;
/** No message is put off for longer; how often it is looked for one that was, by a clock that was wrong then. */
export const DELIVERY_AHEAD_MAX_MS = 48 * 3_600_000;
export const DELIVERY_CLAMP_INTERVAL_MS = 15 * 60_000;
/** How often the queue is looked at when nothing wakes the worker. */
export const DELIVERY_POLL_MS = 1_000;

/** Serving processes under one supervisor. */
export const PROCESSES_MAX = 64;
/** How long a worker may take to come up, and the pause before another takes the place of one that died. */
export const WORKER_START_DEADLINE_MS = 20_000;
export const WORKER_RESTART_MIN_MS = 100;
export const WORKER_RESTART_MAX_MS = 5_000;
/** A worker that lived this long did not die of its start. */
export const WORKER_STEADY_MS = 10_000;
/** What a worker has from SIGTERM to its end: longer than it gives its own requests. */
export const WORKER_END_DEADLINE_MS = 15_000;
export const METRICS_DEADLINE_MS = 2_000;

/** Rows that a copy carries at once; a statement takes at most 32,766 values. */
export const COPY_BATCH_ROWS = 1_000;
/** A backup holds databases in pieces of this size; how long it waits for a lock that somebody else holds. */
export const BACKUP_PIECE_BYTES = 1024 * 1024;
export const BACKUP_LOCK_WAIT_MS = 10_000;

/** What `petstore doctor` finds too little, how far a clock may be off, and how long it waits for an answer. */
export const DISK_FREE_LOW_BYTES = 5_000_000_000;
export const DISK_FREE_MIN_BYTES = 500_000_000;
export const CLOCK_OFF_MAX_MS = 5_000;
export const DOCTOR_DEADLINE_MS = 2_000;

/** The command line: items that a list shows unless told otherwise, and refused lines of an import that are shown. */
export const LISTED_DEFAULT = 20;
export const REFUSED_SHOWN_MAX = 20;
/** Requests of an import under way at once: enough to fill the service's commits, few enough to leave it to others. */
export const IMPORT_IN_FLIGHT_MAX = 32;
/** A line or a record of a file; no service takes an animal that is longer. */
export const IMPORT_RECORD_BYTES_MAX = BODY_BYTES_MAX;
/** How often a line is tried when the service fails in passing, and for how long; a command that a person waits for. */
export const IMPORT_RETRIES = 3;
export const IMPORT_CALL_MS = 60_000;
export const COMMAND_RETRIES = 2;
/** A page of an export, with the rest of a rate limit's window before it: nobody can go on where an export gave up. */
export const EXPORT_PAGE_MS = 150_000;

/** One Ctrl-C may arrive twice, from the terminal and from npm; a later one means now. */
export const SAME_SIGNAL_MS = 1_000;
/** From "not ready" to closed ports, so that whoever watches, and every client under way, hears of it. */
export const SHUTDOWN_NOTICE_MS = 300;
/** From SIGTERM to the end: requests under way get this long. */
export const SHUTDOWN_DEADLINE_MS = 10_000;

/** Passwords that wait to be hashed or checked, and for how long. */
export const PASSWORD_QUEUE_MAX = 64;
export const PASSWORD_WAIT_MS = 5_000;
/** A session ends this long after it was begun, and when it was not used for that long. */
export const SESSION_LIFE_MS = 30 * 24 * 3_600_000;
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** How old "last seen" may become before a request writes it again. */
export const SESSION_SEEN_INTERVAL_MS = 10 * 60_000;
export const USER_AGENT_LENGTH_MAX = 256;
/** Attempts that come at no wait: by one address for one account, by one address, for one account from everywhere. */
export const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5;
export const LOGIN_FREE_PER_ADDRESS = 20;
export const LOGIN_FREE_PER_ACCOUNT = 20;
/** The first wait after those; each one after it is twice as long, up to the longest. */
export const LOGIN_WAIT_MIN_MS = 1_000;
export const LOGIN_WAIT_MAX_MS = 15 * 60_000;
/** The longest wait that attempts from elsewhere can put on an account's owner at an address that is new. */
export const LOGIN_WAIT_PER_ACCOUNT_MAX_MS = 30_000;
/** Attempts are forgotten when nobody has tried for this long; above the longest wait. */
export const LOGIN_COUNT_RETENTION_MS = 3_600_000;
/** How far processes' clocks, and requests under way, may be apart when they count the same attempts. */
export const LOGIN_CLOCK_SKEW_MAX_MS = 60_000;
/** An address that somebody signed in from is known for this long. */
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000;
export const ACCOUNTS_PRUNE_INTERVAL_MS = 3_600_000;

/** The console's overview counts no further than this, and tells of keys that expire within this time. */
export const OVERVIEW_COUNT_MAX = 10_000;
export const EXPIRY_NOTICE_MS = 30 * 24 * 3_600_000;

/** Log lines are written together: when there is so much of them, or so long after the first. */
export const LOG_BUFFER_BYTES = 65_536;
export const LOG_FLUSH_MS = 50;

/** Answers that a service keeps for the next one who asks: so many, of so many characters together, and each at most. */
export const RESPONSE_CACHE_ENTRIES = 1_000;
export const RESPONSE_CACHE_BYTES = 8 * 1024 * 1024;
export const RESPONSE_CACHE_BODY_BYTES_MAX = 256 * 1024;
/** Keys that are counted by name when they call a deprecated operation; those beyond share one series. */
export const DEPRECATED_CALLERS_MAX = 1_000;
/** How often a process looks how late its timers are. */
export const LOOP_DELAY_INTERVAL_MS = 100;
/** Spans for OpenTelemetry: so many are sent at once, this often, within this time; so many wait at most. */
export const TRACE_BATCH_MAX = 512;
export const TRACE_INTERVAL_MS = 1_000;
export const TRACE_DEADLINE_MS = 10_000;
export const TRACE_QUEUE_MAX = 4_096;
/** At the end of the process what is left has this long. */
export const TRACE_CLOSE_DEADLINE_MS = 2_000;
/** How often an embedded store looks whether another process has changed it. */
export const COMMIT_POLL_MS = 100;
