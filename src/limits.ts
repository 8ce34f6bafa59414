// Every limit of the program, with what happens at it. The unit is in the name, or begins the comment.

export const PAGE_SIZE_MAX = 100; // items; a larger `limit` is refused
export const PAGE_SIZE_DEFAULT = 20; // items of a page without `limit`
export const PAGE_BYTES_MAX = 1024 * 1024; // of a page's body; it ends before the item that would pass this, with a `next`
export const LONG_ROWS_READ = 8; // rows in one statement of a list whose last page ended before its limit
export const ID_FILTER_MAX = 100; // identifiers in one `id` filter; more are refused
export const NAME_WORDS_MAX = 100; // different words in one `name` filter; more are refused
export const SEARCH_PETS_MAX = 20_000; // animals that one request of a search looks at; then its page ends, with a `next`
export const SEARCH_CHARACTERS_MAX = 2 * 1024 * 1024; // of their names; then the same
export const SEARCH_ROWS_MAX = 250; // in one statement of a search: other requests go on after it

export const JSON_DEPTH_MAX = 64; // levels; a deeper body is refused before it is parsed
export const BODY_BYTES_DEFAULT = 65_536; // without `PETSTORE_MAX_BODY_BYTES`; a larger body is answered 413
export const BODY_BYTES_MAX = 16 * 1024 * 1024; // the highest value of `PETSTORE_MAX_BODY_BYTES`
export const BODY_DISCARD_BYTES_MAX = 1024 * 1024; // read to answer 413; then the connection is closed
export const BODY_DEADLINE_MS = 10_000; // from the first byte of a body to its last; then 408
export const CONNECTION_IDLE_SECONDS = 30; // then Bun closes it: above every deadline, so that an answer is first

export const CONNECTIONS_MAX = 8_192; // of one process; then those without a request under way are closed
export const CONNECTIONS_SHARE = 0.8; // of the files that a process may open: the same, where that is less
export const CONNECTION_CHECK_MS = 1_000; // between looks at their number
export const REQUESTS_IN_FLIGHT_MAX = 512; // in one process; more are answered 503 at once
export const UNSENT_BYTES_MAX = 64 * 1024 * 1024; // of responses that clients do not read; then large ones are answered 503
export const UNSENT_COUNTED_BYTES = 64 * 1024; // of a response; smaller ones are not counted and not refused
export const STREAMS_MAX = 2_000; // event streams of one process; more are answered 503
export const STREAM_CHUNK_BYTES = 64 * 1024; // handed to a connection at once, or one event: what may wait there for a slow reader
export const STREAM_STALL_MS = 10_000; // in which a connection takes nothing that waits for it; then the stream is ended
export const STREAM_HEARTBEAT_MS = 15_000; // without an event; then a comment shows that the connection is alive
export const STREAM_CHECK_MS = 800; // between looks whether a stream's key or session is still good
export const STREAM_RECENT_BYTES = 1024 * 1024; // of new events in memory, for all streams; a stream behind them reads for itself
export const REPLAYS_MAX = 4; // pages of the past that streams of one environment and process read at the same time; more wait
export const REPLAY_WAIT_MS = 60_000; // of that wait; then the stream is ended
export const REPLAY_PAGE_MAX = 100; // events of such a page
export const EVENTS_READ_MAX = 500; // new events that are read at once
export const EVENTS_POLL_MS = 1_000; // between looks for new events while streams are open, if nothing announces them
export const RATE_LIMIT_KEYS_MAX = 100_000; // counted by one process; then the oldest count is dropped

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255; // characters; a longer `Idempotency-Key` is refused
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000; // then the same key carries its request out anew
export const IDEMPOTENCY_INTERVAL_MS = 5 * 60_000; // between saves of the time that has passed, and deletions of expired records

export const SIMULATED_DELAY_MS_MAX = 10_000; // of `Petstore-Simulate: delay=MS`; a longer one is refused
export const SIMULATED_TIMES_MAX = 1_000; // of its `times=N`; more are refused
export const SIMULATION_COUNT_MS = 10 * 60_000; // without a request that is counted; then it counts from 1 again

export const OVERLAP_DEFAULT_HOURS = 24; // in which a rotated key still works, and a rotated webhook secret still signs
export const OVERLAP_MAX_HOURS = 168; // the longest such overlap
export const KEY_NAME_LENGTH_MAX = 100; // characters; a longer name of an API key is refused
export const ONE_HOUR_KEY_LIFE_MS = 3_600_000; // of a read key that the API reference makes for a signed-in person
export const EMAIL_LENGTH_MAX = 254; // characters (RFC 5321 §4.5.3.1.3 less its brackets)
export const PASSWORD_LENGTH_MIN = 8; // characters (NIST SP 800-63B §3.1.1.2); a shorter one is refused
export const PASSWORD_LENGTH_MAX = 1_024; // characters; a longer one is refused
export const KEY_CACHE_MAX = 10_000; // keys in the cache of one process; then the oldest is looked up again
export const FEED_HEARTBEAT_MS = 200; // between the heartbeats of a change feed
export const FEED_STALE_MS = 700; // since the last one; then the feed is unhealthy, and keys are looked up
export const FEED_DEADLINE_MS = 4_000; // of one heartbeat; then the connection counts as dead, and another one is opened
export const LAST_USED_PRECISION_MS = 60_000; // of the keys' last uses
export const KEY_LOG_KEPT = 20; // requests, and refusals, of each key; then the oldest is forgotten
export const KEY_LOG_KEYS_MAX = 100; // with requests that are not written yet; then the first one's are lost
export const REFUSED_PATH_LENGTH_MAX = 200; // characters of a refused request's path; the others are cut off
export const KEY_LOG_INTERVAL_MS = 5_000; // between writes of the keys' last uses, requests and refusals
export const KEY_LOG_RETENTION_MS = 30 * 24 * 3_600_000; // of a key's request or refusal; then it is deleted

export const COMMIT_BATCH_MAX = 512; // writes; the others wait for the next commit, so that the first is soon
export const COMMIT_BATCH_CHARACTERS_MAX = 1024 * 1024; // of the texts in one statement for many rows; one row may have more
export const COMMIT_BATCH_FULL = 128; // writes that begin a commit before the event-loop turn ends
export const LOG_BYTES_KEPT = 8 * 1024 * 1024; // of a write-ahead log that is begun anew: a larger file is cut to this
export const LOCK_WAIT_MS = 2_000; // of a write for another process's lock; then 503
export const LOCK_RETRY_MS = 5; // between looks at a lock that another process holds
export const SQLITE_BUSY_TIMEOUT_MS = 100; // SQLite's own wait, in which the whole process stands still
export const WRITE_FAILURE_HELD_MS = 10_000; // after a write that could not read its data, not ready
export const STORE_LOOKS_MAX = 5; // at the files of a store before a fault counts: another process may be at them
export const STORE_LOOK_PAUSE_MS = 20; // between two of them
export const STORE_WATCH_MS = 200; // between looks whether an open database's file is still there
export const ID_GAP = 1_000_000_000; // identifiers that are left out after a loss where nothing says which were used
export const STATEMENT_CONNECTIONS = 2; // per database and process, to read, and as many to write
export const STATEMENT_CONCURRENCY = 128; // statements under way, one behind the other; more wait
export const TRANSACTION_CONNECTIONS = 4; // per database and process; more transactions wait
export const VERSION_LIFE_MS = 200; // of a page's version on PostgreSQL without a request for it; then the page is read without asking
export const MIGRATION_LOCK_WAIT_MS = 300; // of a migration for another transaction's lock: requests wait behind it so long
export const MIGRATION_PAUSE_MS = 1_000; // before it is tried again
export const MIGRATION_DEADLINE_MS = 60_000; // of these tries; then the start fails
export const STORE_QUEUE_MAX = 2_000; // statements or transactions that wait; more are answered 503 at once
export const ACQUIRE_DEADLINE_MS = 2_000; // of waiting for a permit or a connection; then 503
export const CONNECT_DEADLINE_SECONDS = 2; // to connect to the database server; then 503
export const PRIMARY_LOOK_PAUSE_MS = 500; // between looks for another primary while the database server does not answer
export const LATE_ANSWER_WAIT_MS = 250; // for answers of an idle server process; then a connection without one is closed
export const REPLICA_DEADLINE_MS = 500; // of a read at a standby, its wait for the log included; then it is read at the primary
export const REPLICA_REST_MS = 1_000; // in which a standby that was late is not read at
export const REPLAY_PAUSE_MS = 1; // between looks at what a standby has replayed
export const SERVER_STATEMENT_TIMEOUT_MS = 3_000; // then the database server cancels a statement
export const STATEMENT_DEADLINE_MS = 4_000; // then 503; only a statement that does not commit is cancelled
export const CONFLICT_RETRIES_MAX = 40; // of a transaction that met another one; then 503
export const CONFLICT_PAUSE_MAX_MS = 32; // the longest random pause before such a retry
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS; // of `PETSTORE_HISTORY_DAYS`
export const HISTORY_DAYS_DEFAULT = 90; // without `PETSTORE_HISTORY_DAYS`; older events are deleted
export const HISTORY_DAYS_MAX = 36_500; // the highest value of `PETSTORE_HISTORY_DAYS`
export const MAINTENANCE_INTERVAL_MS = 60_000; // between looks at what is due
export const PRUNE_INTERVAL_MS = 3_600_000; // between deletions of what is old
export const PRUNED_MAX = 200; // rows that are deleted in one transaction
export const PRUNE_PAUSE_MS = 50; // between two of them: requests go first
export const NUMBERED_MAX = 1_000; // events that get their numbers in one transaction on PostgreSQL
export const NUMBERING_PAUSE_MS = 25; // between two such transactions of one process, so that events share them
export const NUMBERING_POLL_MS = 1_000; // between looks for events of a process that died, while events are made
export const NUMBERING_POLL_MAX_MS = 15_000; // the same, when the last one is older than the next line's time
export const NUMBERING_ACTIVE_MS = 10_000; // since the last event; then the looks are rarer

/** Before each delivery attempt: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (Standard Webhooks); then failed. */
export const DELIVERY_DELAYS_MS = [
  0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
] as const;
export const DELIVERY_JITTER = 0.1; // of a delay, added at random at most: retries do not arrive together
export const DELIVERY_TIMEOUT_MS = 15_000; // of one attempt; then it counts as refused
export const DELIVERY_LEASE_MS = 30_000; // of a claimed message: above the timeout, so that no two deliver it
export const DELIVERY_CONCURRENCY = 16; // messages of one worker; a slow destination holds up no more than these
export const DELIVERY_CONCURRENCY_PER_WEBHOOK = 4; // events of one worker on their way to one webhook; the others have their own
export const DELIVERY_BATCH_EVENTS = 250; // events whose deliveries to a webhook are made in one transaction: a few milliseconds
export const DELIVERY_GATHER_MS = 20; // from a commit to the look for webhooks, one for all commits in between
export const DELIVERY_AHEAD_MAX_MS = 48 * 3_600_000; // a later due date is a wrong clock's, and is set to now
export const DELIVERY_CLAMP_INTERVAL_MS = 15 * 60_000; // between searches for such due dates
export const DELIVERY_ATTEMPTS_SHOWN_MAX = 20; // of a delivery, the latest: two rounds of retries
export const DELIVERY_POLL_MS = 1_000; // between looks at the queue while changes may go unnoticed
export const DELIVERY_POLL_MAX_MS = 15_000; // between looks at the queue when nothing is due and nothing wakes the worker

export const WEBHOOKS_MAX = 50; // of an environment, each of which may have a delivery for every event; one more is refused
export const FAILING_LOOKED_AT = 100; // of a webhook's oldest waiting deliveries, to tell whether they fail
export const DELIVERY_SWEEP_ROWS = 1_000; // of deliveries that one transaction drops; the worker goes on with the others
export const WEBHOOK_URL_LENGTH_MAX = 2_048; // characters; a longer address is refused

export const PROCESSES_MAX = 64; // the highest value of `PETSTORE_PROCESSES`
export const WORKERS_STARTED_AT_ONCE = 4; // the others wait: all at once would need more than the next line's time
export const WORKER_START_DEADLINE_MS = 20_000; // of a worker process; then it is killed
export const WORKER_RESTART_MIN_MS = 100; // before its first restart; doubled with each one after
export const WORKER_RESTART_MAX_MS = 5_000; // the longest pause before a restart
export const WORKER_STEADY_MS = 10_000; // of running, after which the pause is the shortest again
export const WORKER_CHECK_MS = 500; // between looks whether the worker processes sent heartbeats
export const WORKER_SILENT_MS = 3_000; // without a heartbeat; then a worker process is killed and replaced
export const WORKER_END_DEADLINE_MS = 15_000; // from SIGTERM to the kill; above what it gives its own requests
export const METRICS_DEADLINE_MS = 2_000; // for a worker process's metrics; then they are left out

export const COPY_BATCH_ROWS = 1_000; // per statement of a copy; SQLite takes at most 32,766 values in one
export const BACKUP_PIECE_BYTES = 1024 * 1024; // of a database, per row of a backup
export const BACKUP_INTERVAL_MAX_MS = 7 * 24 * 3_600_000; // the highest value of `PETSTORE_BACKUP_EVERY`
export const BACKUPS_KEPT_MAX = 100_000; // the highest value of `PETSTORE_BACKUP_KEEP`
export const BACKUP_LATE_MS = 15 * 60_000; // beyond two intervals, `petstore doctor` warns and the alert fires
export const BACKUP_LOCK_WAIT_MS = 10_000; // for another process's lock; then the backup fails

export const DISK_FREE_LOW_BYTES = 5_000_000_000; // below, `petstore doctor` warns
export const DISK_FREE_MIN_BYTES = 500_000_000; // below, `petstore doctor` fails
export const CLOCK_OFF_MAX_MS = 5_000; // between two machines' clocks; beyond, `petstore doctor` warns
export const DOCTOR_DEADLINE_MS = 2_000; // of `petstore doctor` for one answer; then the check fails

export const INSPECTED_PIECE_BYTES = 1024 * 1024; // of a file that is read at once to check it
export const INSPECTED_ROWS = 500; // whose texts are checked in one transaction
export const FINDINGS_SHOWN_MAX = 100; // of `petstore doctor --deep` for a database; the others are counted
export const SCRUB_FIRST_MS = 10_000; // from the start to the first check of all contents, which leaves the first requests the machine
export const SCRUB_INTERVAL_MS = 24 * 3_600_000; // from the end of one check to the next
export const SCRUB_REST_FACTOR = 9; // of the time that a step took: the check uses a tenth of the disk's time
export const SCRUB_NICENESS = 19; // the lowest priority

export const LISTED_DEFAULT = 20; // rows of a list on the command line without `--limit`
export const REFUSED_SHOWN_MAX = 20; // refused lines of an import that are printed; the others are counted
export const IMPORT_IN_FLIGHT_MAX = 32; // requests: enough to fill commits, with room left for other clients
export const IMPORT_RECORD_BYTES_MAX = BODY_BYTES_MAX; // of one record; a longer one is refused, as it would be
export const IMPORT_RETRIES = 3; // of a line after a transient failure; then it counts as failed
export const IMPORT_CALL_MS = 60_000; // for one line of an import, its retries included
export const COMMAND_RETRIES = 2; // of the request of a command that a person waits for
export const LISTEN_DELAYS_MS = [1_000, 2_000, 5_000] as const; // before each further attempt of `petstore listen`
export const EXPORT_PAGE_MS = 150_000; // a rate limit's window and the page: an export cannot be resumed

export const SAME_SIGNAL_MS = 1_000; // a second Ctrl-C is npm's copy of the first; later, it ends the program
export const SHUTDOWN_NOTICE_MS = 300; // from "not ready" to closed ports, so that load balancers notice
export const SHUTDOWN_DEADLINE_MS = 10_000; // from SIGTERM for requests under way; then they are cut off

export const PASSWORD_QUEUE_MAX = 64; // passwords that wait to be hashed; more are answered 503 at once
export const PASSWORD_WAIT_MS = 5_000; // of that wait; then 503
export const SESSION_LIFE_MS = 30 * 24 * 3_600_000; // from sign-in, however much the session is used
export const PASSKEY_CHALLENGE_MS = 5 * 60_000; // from its making to the device's answer
export const PASSKEYS_MAX = 20; // of one account; one more is refused
export const PASSKEY_NAME_LENGTH_MAX = 100; // characters; a longer one is refused
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000; // without a request; then the session ends
export const SESSION_SEEN_INTERVAL_MS = 10 * 60_000; // of a session's last use; then a request writes it
export const USER_AGENT_LENGTH_MAX = 256; // characters of a `User-Agent` that are stored with a session
export const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5; // attempts without a wait; an IPv6 address is its /64
export const LOGIN_FREE_PER_SITE_AND_ACCOUNT = 20; // attempts without a wait, by all /64 of one IPv6 /48
export const LOGIN_FREE_PER_ADDRESS = 20; // attempts without a wait, on all accounts together
export const LOGIN_FREE_PER_SITE = 80; // attempts without a wait, on all accounts together, by one IPv6 /48
export const LOGIN_FREE_PER_ACCOUNT = 20; // attempts without a wait, by all unknown addresses together
export const LOGIN_WAIT_MIN_MS = 1_000; // of the first wait after those; doubled with each attempt
export const LOGIN_WAIT_MAX_MS = 15 * 60_000; // the longest wait of an address
export const LOGIN_WAIT_PER_ACCOUNT_MS = 30_000; // since the last attempt; what others cause an owner at a new address
export const LOGIN_TURN_MS = 10 * 60_000; // after that wait; then the address waits again before it may try
export const LOGIN_COUNT_RETENTION_MS = 3_600_000; // without an attempt; then 0 again: above the longest wait
export const LOGIN_CLOCK_SKEW_MAX_MS = 60_000; // between two processes; a count from further ahead is dropped
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000; // since a sign-in there; others' attempts do not count
export const FAILED_SIGN_IN_RETENTION_MS = 90 * 24 * 3_600_000; // in the audit list, which keeps all else for good
export const LINK_LIFE_MS = 72 * 3_600_000; // of an invitation or a password-reset link; then it is refused

export const OVERVIEW_COUNT_MAX = 10_000; // rows that the console counts; then it shows "at least" this many
export const EXPIRY_NOTICE_MS = 30 * 24 * 3_600_000; // before a key's expiry: the console lists it
export const OVERVIEW_DAYS_MAX = 32; // of the overview's chart; more are refused
export const DAY_SETTLED_MS = 60_000; // after a day's end, from which on its counts are kept: above what a commit takes
export const DAY_COUNTS_CACHED_MAX = 10_000; // days, of all time zones, whose counts a process keeps; then it counts anew
export const ORDER_WAITING_MS = 3 * 24 * 3_600_000; // since an open order was placed, or an animal without one made pending: the overview lists it
export const ATTENTION_SEARCHED_MAX = 1_000; // of the oldest open orders, and pending animals, that are looked at for the overview
export const ATTENTION_SHOWN_MAX = 5; // orders, and animals, that it lists
export const ATTENTION_MESSAGES = 100; // of the latest messages, whose failures it counts

export const LOG_BUFFER_BYTES = 65_536; // of log lines that are written at once
export const LOG_FLUSH_MS = 50; // that a log line waits for others before it is written
export const LOG_QUEUE_MAX = 1024 * 1024; // characters of lines that wait for a stuck output; more are dropped and counted
export const LOG_WRITE_MS = 100; // of a write at the end of the process; then the output counts as stuck
export const LOG_RETRY_MS = 100; // before a write that the output did not take is tried again
export const LOG_FLUSH_DEADLINE_MS = 1_000; // for the last lines at the end of the process; then they are lost

export const RESPONSE_CACHE_ENTRIES = 1_000; // in one of two generations; then the older one is dropped
export const RESPONSE_CACHE_BYTES = 8 * 1024 * 1024; // characters of one generation's bodies; then the same
export const RESPONSE_CACHE_BODY_BYTES_MAX = 256 * 1024; // characters; a longer body is not cached
export const DEPRECATED_CALLERS_MAX = 1_000; // keys with a metric series of their own; the others share one
export const LOOP_DELAY_INTERVAL_MS = 100; // between measurements of how late the event loop runs timers
export const COMMIT_POLL_MS = 100; // between looks for another process's commit in an embedded database
