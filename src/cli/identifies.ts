import type { Argument, Option } from "commander";

/** Kinds of identifiers and names that the arguments and options of commands take. */
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

/** Declares that a value names something that exists: a shell completes it. */
export function identifies<Value extends Argument | Option>(value: Value, kind: Identified): Value {
  IDENTIFIED.set(value, kind);
  return value;
}

export function identifiedBy(value: Argument | Option): Identified | undefined {
  return IDENTIFIED.get(value);
}
