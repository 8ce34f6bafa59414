import { useEffect, useMemo } from "preact/hooks";
import { PetstoreError } from "../../../../client/src/errors.ts";
import { useLive } from "../events/live.ts";
import type { Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { type NamedResource, type ResourceKind, useVersion } from "../use-version.ts";
import { announce } from "./announce.tsx";
import { openDraft } from "./draft.ts";
import { type FormState, type Problems, typedOver, useForm, type Values } from "./form-state.ts";
import { shortName } from "./long-text.tsx";

export interface EditOptions<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly opened: Versioned<Resource>;
  readonly valuesOf: (resource: Resource) => Values<Name>;
  /** Converts a form's values to members of the resource; the change removes a member that is undefined. */
  readonly bodyOf: (values: Values<Name>) => Readonly<Record<Name, unknown>>;
  readonly check: (values: Values<Name>) => Problems;
  readonly onSaved: () => void;
}

const CONTESTED = "was changed by somebody else, too: choose which to keep";

/** The resource, if it has a draft: its edit form is open from the start. */
export function draftOf<Resource extends NamedResource>(noun: string, resource: Resource) {
  return openDraft(`${noun}-${resource.id}`) && resource;
}

/**
 * An edit form that validates and saves only the fields that the person has touched. The others follow the changes of other
 * people. If both have changed a field, it is not saved before the person has chosen.
 */
export function useEdit<Name extends string, Resource extends NamedResource>(
  options: EditOptions<Name, Resource>,
) {
  const { kind, opened, valuesOf, bodyOf, check, onSaved } = options;
  const id = `${kind.noun}-${opened.id}`;
  const draft = useMemo(() => openDraft<Versioned<Resource>>(id), []);
  const version = useVersion(kind, draft?.base ?? opened);
  const base = () => version.conflict.value?.before ?? version.seen.value;
  const current = () => valuesOf(version.seen.value);
  const typedIn = (values: Values<Name>) => typedOver(current(), values);
  /** Fields with input that others have changed, too. */
  function contestedIn(typed: ReturnType<typeof typedIn>) {
    const changed = typedOver(valuesOf(base()), current());
    return Object.keys(typedOver(changed, typed)).filter((name) => name in changed);
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
      return await version.change("PATCH", body);
    } catch (error) {
      const shown = toPetstoreError(error);
      if (shown.code !== "precondition_failed") throw error;
      const contested = contestedIn(typed);
      // Others have changed only other members, so both changes are kept.
      if (contested.length === 0) return await version.change("PATCH", body);
      const problems = contested.map((name) => ({ pointer: `#/${name}`, detail: CONTESTED }));
      throw new PetstoreError(shown.message, { ...shown, members: problems });
    }
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
    /** Names of the fields that the person must choose for. */
    contested: contestedIn(typedIn(form.values)),
    saveMine() {
      version.conflict.value = undefined;
      void form.submit();
    },
    takeTheirs: (name: string) => form.set(name as Name, current()[name as Name]),
  };
}

/** The members that the person has touched; null removes a member. */
function pick<Value>(members: Readonly<Record<string, Value>>, typed: object) {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name in typed)
      .map(([name, value]) => [name, value ?? null]),
  ) as Readonly<Record<string, Value>>;
}
