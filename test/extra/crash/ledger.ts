/** The content of a store, read from its tables. */
export interface Stored {
  readonly pets: readonly { readonly id: number; readonly name: string; readonly status: string | null }[];
  readonly orders: readonly {
    readonly id: number;
    readonly petId: number;
    /** The shipping time of the order, in milliseconds since 1970. */
    readonly shipAt: number;
    readonly isComplete: boolean;
  }[];
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  /** The problems that SQLite or PostgreSQL finds in its own files. */
  readonly damage: readonly string[];
  /** The contradictions found in the event log. */
  readonly flaws: readonly string[];
}

/** The number of faults of each kind. In a correct store, all numbers are 0. */
export interface Faults {
  /** Resources whose creation the service acknowledged, but which are not stored, or are stored with other values. */
  lost: number;
  /** Requests that were executed more than once. */
  doubled: number;
  /** Identifiers that were assigned twice. */
  idsReused: number;
  /** Animals whose status contradicts their orders. */
  inconsistent: number;
  /** Resources that are stored although no client has sent them. */
  strange: number;
  /** Problems that SQLite or PostgreSQL finds in its own files. */
  damaged: number;
  /** Responses that contradict an earlier acknowledgement. */
  misanswered: number;
  /**
   * Faults in the event log: tables that differ from a replay of the events, and event identifiers that are missing or occur twice.
   */
  mistold: number;
}

type Expected<Value> = Map<string, Value>;

/**
 * The resources that the store must contain, that it must not contain, and that it may or may not contain, according to the
 * acknowledged requests. Each is keyed by its name.
 */
export interface Ledger {
  acknowledged: number;
  readonly pets: Expected<{ readonly id: number; readonly status: string }>;
  /** Orders, keyed by their shipping time, which is unique. */
  readonly orders: Expected<{ readonly id: number; readonly isComplete: boolean }>;
  readonly messages: Expected<{ readonly id: string }>;
  readonly removed: Set<string>;
  /** Names from requests that had no idempotency key and were never acknowledged. Each name may be stored once or not at all. */
  readonly unknown: Set<string>;
  /**
   * Records the identifier that was assigned to a name. If the identifier already belongs to another name, that counts as a fault.
   */
  assign(kind: "pet" | "order" | "message", id: number | string, name: string): void;
  report(kind: keyof Faults, what: string): void;
  readonly faults: Faults;
}

export function createLedger(log: (fault: string) => void): Ledger {
  const owners = new Map<string, string>();
  const faults: Faults = {
    lost: 0,
    doubled: 0,
    idsReused: 0,
    inconsistent: 0,
    strange: 0,
    damaged: 0,
    misanswered: 0,
    mistold: 0,
  };
  function report(kind: keyof Faults, what: string): void {
    faults[kind]++;
    log(`${kind}: ${what}`);
  }
  return {
    acknowledged: 0,
    pets: new Map(),
    orders: new Map(),
    messages: new Map(),
    removed: new Set(),
    unknown: new Set(),
    faults,
    report,
    assign(kind, id, name) {
      const owner = owners.get(`${kind} ${id}`);
      if (owner !== undefined && owner !== name) report("idsReused", `${kind} ${id} is ${owner} and ${name}`);
      owners.set(`${kind} ${id}`, name);
    },
  };
}

/** Compares the stored data with everything that the service has acknowledged. */
export function audit(ledger: Ledger, stored: Stored): void {
  const pets = stored.pets.map(({ id, name, status }) => ({ name, value: { id, status } }));
  const orders = stored.orders.map(({ id, shipAt, isComplete }) => ({
    name: `order ${shipAt}`,
    value: { id, isComplete },
  }));
  const messages = stored.messages.map(({ id, text }) => ({ name: text, value: { id } }));
  compare(ledger, ledger.pets, pets);
  compare(ledger, ledger.orders, orders);
  compare(ledger, ledger.messages, messages);
  for (const contradiction of contradictions(stored)) ledger.report("inconsistent", contradiction);
  for (const damage of stored.damage) ledger.report("damaged", damage);
  for (const flaw of stored.flaws) ledger.report("mistold", flaw);
}

interface Named {
  readonly name: string;
  readonly value: object;
}

function compare(ledger: Ledger, expected: Expected<object>, found: readonly Named[]): void {
  const { removed, unknown, report } = ledger;
  const byName = Map.groupBy(found, ({ name }) => name);
  for (const [name, value] of expected) {
    const [first] = byName.get(name) ?? [];
    if (unknown.has(name) || Bun.deepEquals(first?.value, value)) continue;
    report("lost", `${name} is ${JSON.stringify(first?.value)}, acknowledged as ${JSON.stringify(value)}`);
    // Makes sure that each name is reported only once.
    unknown.add(name);
  }
  for (const [name, { length }] of byName) {
    if (length > 1) report("doubled", `${name} is there ${length} times`);
    if (unknown.has(name) || expected.has(name)) continue;
    report(removed.has(name) ? "lost" : "strange", `${name} is there`);
    unknown.add(name);
  }
}

/**
 * Yields a line for each animal whose status contradicts its orders. An animal must be pending if and only if it has one open
 * order, and sold if and only if it has a complete order.
 */
function* contradictions({ pets, orders }: Stored): Iterable<string> {
  const ordersByPet = Map.groupBy(orders, ({ petId }) => petId);
  for (const { id, name, status } of pets) {
    const own = ordersByPet.get(id) ?? [];
    const open = own.filter(({ isComplete }) => !isComplete).length;
    const complete = own.length - open;
    const due = open > 0 ? "pending" : complete > 0 ? "sold" : "available";
    if (open + complete > 1 || status !== due)
      yield `${name} is ${status} with ${open} open and ${complete} complete orders`;
    ordersByPet.delete(id);
  }
  for (const petId of ordersByPet.keys()) yield `an order is for animal ${petId}, which is not there`;
}
