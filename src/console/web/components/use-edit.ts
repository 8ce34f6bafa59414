import { useSignal } from "@preact/signals";
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
  readonly onSaved?: () => void;
}

const CONTESTED = "changed elsewhere, too: save yours, or take theirs";

/** The resource, if it has a draft: its edit form is open from the start. */
export function draftOf<Resource extends NamedResource>(noun: string, resource: Resource) {
  return openDraft(`${noun}-${resource.id}`) && resource;
}

/**
 * An edit form that validates and saves only fields with input; the other ones follow the changes of others. A field that
 * both have changed is not saved before the person has chosen.
 */
export function useEdit<Name extends string, Resource extends NamedResource>(
  options: EditOptions<Name, Resource>,
) {
  const { kind, opened, valuesOf, bodyOf, check, onSaved } = options;
  const id = `${kind.noun}-${opened.id}`;
  const base = useMemo(() => openDraft<Versioned<Resource>>(id)?.base ?? opened, []);
  const contested = useSignal<readonly string[]>([]);
  const version = useVersion(kind, base, (before, now) => {
    contested.value = [...contested.value, ...form.rebase(valuesOf(before), valuesOf(now))];
  });
  const typed = (values: Values<Name>, members: Readonly<Record<string, unknown>>) => {
    const names = typedOver(valuesOf(version.seen.value), values);
    return Object.entries(members).filter(([name]) => name in names);
  };
  const form: FormState<Name> = useForm<Name>({
    id,
    initial: valuesOf(version.seen.value),
    base: version.seen.value,
    check: (values) => ({
      ...(Object.fromEntries(typed(values, check(values))) as Problems),
      ...Object.fromEntries(contested.value.map((name) => [name, CONTESTED])),
    }),
    async send(values) {
      const changes = typed(values, bodyOf(values)).map(([name, value]) => [name, value ?? null]);
      const saved = await save(Object.fromEntries(changes));
      announce(`${shortName(saved.name ?? "", `The ${kind.noun}`)} saved`);
      return valuesOf(saved);
    },
    onSaved,
  });
  async function save(body: unknown): Promise<Versioned<Resource>> {
    try {
      return await version.change("PATCH", body);
    } catch (error) {
      const shown = toPetstoreError(error);
      if (shown.code !== "precondition_failed") throw error;
      // Others have changed other members alone: both changes are kept.
      if (contested.value.length === 0) return await version.change("PATCH", body);
      const members = contested.value.map((name) => ({ pointer: `#/${name}`, detail: CONTESTED }));
      throw new PetstoreError(shown.message, { ...shown, members });
    }
  }
  useLive(kind.topics, async (changes) => {
    if (form.isSaving || changes?.every(({ data }) => data.id !== opened.id)) return;
    await version.refresh();
  });
  useEffect(() => {
    if (base.etag !== opened.etag) void version.refresh();
  }, []);
  return {
    form,
    conflict: version.conflict.value,
    /** Names of the fields that the person must choose for. */
    contested: contested.value,
    saveMine() {
      contested.value = [];
      void form.submit();
    },
    takeTheirs(name: string) {
      contested.value = contested.value.filter((other) => other !== name);
      form.set(name as Name, valuesOf(version.seen.value)[name as Name]);
    },
  };
}
