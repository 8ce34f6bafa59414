import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { PetstoreError } from "../../../../client/src/errors.ts";
import { useLive } from "../events/live.ts";
import type { Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { type NamedResource, type ResourceKind, useVersion } from "../use-version.ts";
import { announce } from "./announce.tsx";
import type { Side } from "./changed-meanwhile.tsx";
import { openDraft } from "./draft.ts";
import { differing, type FormState, type Problems, useForm, type Values } from "./form-state.ts";
import { shortName } from "./long-text.tsx";

export interface EditOptions<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly opened: Versioned<Resource>;
  readonly valuesOf: (resource: Resource) => Values<Name>;
  /**
   * Converts the values of a form to members of the resource. If a member is undefined, saving the form removes it from the
   * resource.
   */
  readonly bodyOf: (values: Values<Name>) => Readonly<Record<Name, unknown>>;
  readonly check: (values: Values<Name>) => Problems;
  readonly onSaved: () => void;
}

interface Choice {
  readonly side: Side;
  readonly mine: string;
  readonly theirs: string;
}

const CONTESTED = "was also changed by somebody else: choose which value to keep";

/**
 * An edit form that validates and saves only the fields that the person has changed. The other fields are updated when other
 * people change them. If the person and somebody else have changed the same field, it is saved only after the person has chosen
 * one of the two values.
 */
export function useEdit<Name extends string, Resource extends NamedResource>(
  options: EditOptions<Name, Resource>,
) {
  const { kind, opened, valuesOf, bodyOf, check, onSaved } = options;
  const id = `${kind.noun}-${opened.id}`;
  const draft = useMemo(() => openDraft<Versioned<Resource>>(id), []);
  const version = useVersion(kind, draft?.base ?? opened);
  /** The values that the person has chosen for fields that somebody else has changed, too. */
  const choices = useSignal<Readonly<Record<string, Choice>>>({});
  const base = () => version.conflict.value?.before ?? version.seen.value;
  const current = () => valuesOf(version.seen.value);
  const typedIn = (values: Values<Name>) => differing(current(), values);
  const theirsOf = (name: string) => current()[name as Name];
  /** Returns the person's choice for a field. It is valid until somebody else changes the field again. */
  const choiceOf = (name: string) =>
    choices.value[name]?.theirs === theirsOf(name) ? choices.value[name] : undefined;
  /**
   * Returns the fields that both this person and somebody else have changed, except fields whose value the person has already
   * chosen.
   */
  function contestedIn(typed: ReturnType<typeof typedIn>) {
    const changed = differing(valuesOf(base()), current());
    return Object.keys(differing(changed, typed)).filter((name) => name in changed && !choiceOf(name));
  }
  const form: FormState<Name> = useForm<Name>({
    id,
    initial: current(),
    base: base(),
    check(values) {
      const typed = typedIn(values);
      return {
        ...pick(check(values), typed),
        ...Object.fromEntries(contestedIn(typed).map((name) => [name, CONTESTED])),
      };
    },
    async send(values) {
      const saved = await save(typedIn(values), bodyOf(values));
      announce(`${shortName(saved.name ?? "", `The ${kind.noun}`)} saved`);
    },
    onSaved,
  });
  async function save(typed: ReturnType<typeof typedIn>, members: Readonly<Record<Name, unknown>>) {
    const body = pick(members, typed);
    try {
      return await version.changeIfCurrent("PATCH", body);
    } catch (error) {
      const shown = toPetstoreError(error);
      if (shown.code !== "precondition_failed") throw error;
      const contested = contestedIn(typed);
      // If other people have changed only other fields, everybody's changes are kept.
      if (contested.length === 0) return await version.changeIfCurrent("PATCH", body);
      const problems = contested.map((name) => ({ pointer: `#/${name}`, detail: CONTESTED }));
      throw new PetstoreError(shown.message, { ...shown, members: problems });
    }
  }
  /** Returns the value that this person has entered in a field, even after the person has chosen the other value. */
  function mineOf(name: string): string {
    const choice = choiceOf(name);
    return choice?.side === "theirs" ? choice.mine : form.values[name as Name];
  }
  useLive(kind.topics, async (changes) => {
    if (form.isSaving || changes?.every(({ data }) => data.id !== opened.id)) return;
    await version.refresh();
  });
  useEffect(() => {
    if (base().etag !== opened.etag) void version.refresh();
  }, []);
  return {
    form,
    conflict: version.conflict.value,
    /** The names of the fields whose value the person must choose, or has already chosen. */
    contested: [...new Set([...contestedIn(typedIn(form.values)), ...Object.keys(choices.value)])],
    mineTextOf(name: string) {
      const members = bodyOf({ ...form.values, [name]: mineOf(name) });
      return kind.describe({ ...version.seen.value, ...members })[name]?.[1] ?? "";
    },
    keptOf: (name: string) => choiceOf(name)?.side,
    keep(name: string, side: Side) {
      const [mine, theirs] = [mineOf(name), theirsOf(name)];
      choices.value = { ...choices.value, [name]: { side, mine, theirs } };
      form.set(name as Name, side === "mine" ? mine : theirs);
    },
  };
}

/** Returns the fields that the person has changed. A field with the value null is to be removed. */
function pick<Value>(members: Readonly<Record<string, Value>>, typed: object) {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name in typed)
      .map(([name, value]) => [name, value ?? null]),
  ) as Readonly<Record<string, Value>>;
}
