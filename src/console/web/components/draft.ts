// The contents of a form are stored in sessionStorage until the person saves them, so that they survive a failed request, an
// expired session and a reload. Secrets are never stored.

import { readJson } from "exact-json/read-json";
import { writeJson } from "exact-json/write-json";
import { randomName } from "../../../../client/src/random.ts";
import { tabStorage } from "../storage.ts";

const DRAFT = "form ";
const IDEMPOTENCY_KEY = "idempotency-key ";
const OWNER = "owner";

type Values = Readonly<Record<string, string>>;

interface Draft<Base = unknown> {
  readonly values: Values;
  /** The edited record as it was when the person began to edit it, or undefined for a new record. */
  readonly base?: Base;
}

/** Returns the unsaved contents of a form (its draft), or undefined if the person has not changed anything in the form. */
export function openDraft<Base>(form: string): Draft<Base> | undefined {
  const draft = read<Draft<Base>>(DRAFT + form);
  return draft && Object.keys(draft.values).length > 0 ? draft : undefined;
}

export function readDraft(form: string): Values | undefined {
  return openDraft(form)?.values;
}

export function saveDraft(form: string, values: Values, base?: unknown): void {
  write(DRAFT + form, { values, base });
}

export function deleteDraft(form: string): void {
  tabStorage.removeItem(DRAFT + form);
  tabStorage.removeItem(IDEMPOTENCY_KEY + form);
}

/** Deletes the unsaved forms of another account that was signed in to this tab before. */
export function claimDrafts(email: string): void {
  const owner = tabStorage.getItem(OWNER);
  if (owner !== null && owner !== email) forgetTab();
  tabStorage.setItem(OWNER, email);
}

/**
 * Deletes everything that this tab stores: the unsaved contents of forms, and the values that other modules have put into
 * `tabStorage`.
 */
export function forgetTab(): void {
  tabStorage.clear();
}

/**
 * Returns an idempotency key for the contents of a form. It returns the same key for the same contents until they are saved, so
 * that a retry does not create a second record.
 */
export function idempotencyKeyFor(form: string, content: string): string {
  const last = read<{ readonly content: string; readonly key: string }>(IDEMPOTENCY_KEY + form);
  if (last?.content === content) return last.key;
  const key = randomName();
  write(IDEMPOTENCY_KEY + form, { content, key });
  return key;
}

function read<Value>(name: string): Value | undefined {
  const text = tabStorage.getItem(name);
  return text === null ? undefined : (readJson(text) as Value);
}

function write(name: string, value: unknown) {
  tabStorage.setItem(name, writeJson(value));
}

/** Returns the resource if this tab has unsaved changes to it, so that the edit form is open from the beginning. */
export function draftOf<Resource extends { readonly id: unknown }>(noun: string, resource: Resource) {
  return openDraft(`${noun}-${resource.id}`) && resource;
}
