import type { Argument, Option } from "commander";

/** Kinds of identifiers and names in arguments and options. */
export type Identified =
  | "animal"
  | "name of an animal"
  | "order"
  | "category"
  | "webhook"
  | "delivery"
  | "key"
  | "account";

const IDENTIFIED = new WeakMap<Argument | Option, Identified>();

/** Declares the kind of identifier or name that an argument or option takes, for completion. */
export function identifies<Value extends Argument | Option>(value: Value, kind: Identified): Value {
  IDENTIFIED.set(value, kind);
  return value;
}

export function identifiedBy(value: Argument | Option): Identified | undefined {
  return IDENTIFIED.get(value);
}
