import { useMemo } from "preact/hooks";
import type { Versioned } from "../request.ts";
import { type NamedResource, type ResourceKind, useVersion, type Version } from "../use-version.ts";
import { announce } from "./announce.tsx";
import { type ElsewhereChange, useElsewhereChange } from "./changed-elsewhere.tsx";
import { openDraft } from "./draft.ts";
import { type FormState, type Problems, typedOver, useForm, type Values } from "./form-state.ts";
import { shortName } from "./long-text.tsx";

interface EditOptions<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly opened: Versioned<Resource>;
  readonly valuesOf: (resource: Resource) => Values<Name>;
  /** Converts a form's values to members of the resource; the change removes a member that is undefined. */
  readonly bodyOf: (values: Values<Name>) => Readonly<Record<Name, unknown>>;
  readonly check: (values: Values<Name>) => Problems;
  readonly reload: () => Promise<void>;
  readonly onSaved: () => void;
}

export interface Edit<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly form: FormState<Name>;
  readonly version: Version<Resource>;
  readonly theirs: Values<Name>;
  /** Changes by others since the form was opened. */
  readonly elsewhere: ElsewhereChange<Resource> | undefined;
  withValues(values: Values<Name>): Resource;
  /** Shows other people's changes in fields without input. */
  loadElsewhere(): void;
  /** Loads changes made by other parts of this page; input is kept. */
  refresh(): Promise<void>;
  /** Replaces an edit form's input with the resource's current values. */
  takeCurrent(): void;
}

/** An edit form that validates and saves only fields with input; the other values may no longer be valid. */
export function useEdit<Name extends string, Resource extends NamedResource>(
  options: EditOptions<Name, Resource>,
): Edit<Name, Resource> {
  const { kind, opened, valuesOf, bodyOf, check, reload, onSaved } = options;
  const id = `${kind.noun}-${opened.id}`;
  const since = useMemo(() => openDraft<Versioned<Resource>>(id)?.base, []);
  const rebase = (before: Resource, now: Resource) => {
    form.rebase(valuesOf(before), valuesOf(now));
    void reload();
  };
  const version = useVersion(kind, opened, rebase, since);
  const { seen } = version;
  const shown = valuesOf(seen);
  const typed = (values: Values<Name>, members: Readonly<Record<string, unknown>>) => {
    const names = typedOver(shown, values);
    return Object.entries(members).filter(([name]) => name in names);
  };
  const form: FormState<Name> = useForm<Name>({
    id,
    initial: shown,
    base: seen,
    check: (values) => Object.fromEntries(typed(values, check(values))) as Problems,
    async send(values) {
      const changes = typed(values, bodyOf(values)).map(([name, value]) => [name, value ?? null]);
      const saved = await version.change<Resource>("PATCH", Object.fromEntries(changes));
      announce(`${shortName(saved.name ?? "", `The ${kind.noun}`)} saved`);
      onSaved();
      await reload();
      return valuesOf(saved);
    },
  });
  const change = useElsewhereChange(kind, seen);
  const elsewhere = form.isSaving ? undefined : change;
  const focusFirst = () => document.getElementById(`${form.id}-name`)?.focus();
  return {
    kind,
    form,
    version,
    theirs: shown,
    elsewhere,
    withValues: (values) => ({ ...seen, ...bodyOf(values) }),
    loadElsewhere() {
      const now = elsewhere?.now;
      if (now === undefined) return;
      const after = valuesOf(now);
      const names = Object.keys(typedOver(shown, form.values)).filter(
        (name) => name in typedOver(shown, after),
      );
      rebase(seen, now);
      if (names.length > 0) version.meet(now);
      else version.accept(now);
      focusFirst();
    },
    async refresh() {
      // If it cannot be read, the next save reports it.
      const now = await kind.read(seen).catch(() => undefined);
      if (now === undefined) return;
      rebase(seen, now);
      version.accept(now);
    },
    takeCurrent() {
      form.reset(shown);
      version.accept(seen);
      focusFirst();
    },
  };
}
