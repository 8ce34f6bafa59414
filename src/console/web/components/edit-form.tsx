import type { ComponentChildren } from "preact";
import type { Versioned } from "../request.ts";
import { type NamedResource, type ResourceKind, useVersion, type Version } from "../use-version.ts";
import { announce } from "./announce.tsx";
import { ChangedElsewhere, type ElsewhereChange, useElsewhereChange } from "./changed-elsewhere.tsx";
import { Form } from "./form.tsx";
import { type FormState, type Problems, typedOver, useForm, type Values } from "./form-state.ts";
import { shortName } from "./long-text.tsx";
import { Refusal } from "./refusal.tsx";

interface EditOptions<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly opened: Versioned<Resource>;
  /** What the fields show. */
  readonly valuesOf: (resource: Resource) => Values<Name>;
  /** The members of a change; undefined removes one. */
  readonly bodyOf: (values: Values<Name>) => Readonly<Record<Name, unknown>>;
  readonly check: (values: Values<Name>) => Problems;
  readonly reload: () => Promise<void>;
  readonly onSaved: () => void;
}

export interface Edit<Name extends string, Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly form: FormState<Name>;
  readonly version: Version<Resource>;
  /** What others have changed since. */
  readonly elsewhere: ElsewhereChange<Resource> | undefined;
  /** Shows what others have changed, except where something was typed. */
  loadElsewhere(): void;
  /** Shows what this page itself has changed otherwise, and keeps what was typed. */
  refresh(): Promise<void>;
  /** Replaces what was typed with what the resource is now. */
  takeCurrent(): void;
}

/** Saves the fields that were typed into, and leaves the others as they are: also where their values are not valid any more. */
export function useEdit<Name extends string, Resource extends NamedResource>(
  options: EditOptions<Name, Resource>,
): Edit<Name, Resource> {
  const { kind, opened, valuesOf, bodyOf, check, reload, onSaved } = options;
  const version = useVersion(kind, opened, ({ before, now }) => {
    form.rebase(valuesOf(before), valuesOf(now));
    void reload();
  });
  const shown = valuesOf(version.seen);
  const typed = (values: Values<Name>, members: Readonly<Record<string, unknown>>) => {
    const names = typedOver(shown, values);
    return Object.entries(members).filter(([name]) => name in names);
  };
  const form: FormState<Name> = useForm<Name>({
    id: `${kind.noun}-${opened.id}`,
    initial: shown,
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
  const change = useElsewhereChange(kind, version.seen);
  const elsewhere = form.isSaving ? undefined : change;
  function show(now: Versioned<Resource> | undefined): void {
    if (now === undefined) return;
    form.rebase(shown, valuesOf(now));
    version.accept(now);
    void reload();
  }
  return {
    kind,
    form,
    version,
    elsewhere,
    loadElsewhere() {
      show(elsewhere?.now);
      document.getElementById(`${form.id}-name`)?.focus();
    },
    async refresh() {
      // Where it cannot be read, the next save tells.
      show(await kind.read(version.seen).catch(() => undefined));
    },
    takeCurrent() {
      form.reset(shown);
      document.getElementById(`${form.id}-name`)?.focus();
    },
  };
}

interface EditFormProps<Name extends string, Resource extends NamedResource> {
  readonly edit: Edit<Name, Resource>;
  /** Buttons beside the submit button. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function EditForm<Name extends string, Resource extends NamedResource>(
  props: EditFormProps<Name, Resource>,
) {
  const { edit, actions, children } = props;
  const { kind, form, version, elsewhere, loadElsewhere, takeCurrent } = edit;
  const isOutdated = form.error?.code === "precondition_failed";
  return (
    <>
      <Form
        form={form}
        label={`Edit ${kind.noun}`}
        submitLabel={isOutdated ? "Save over it" : "Save changes"}
        busyLabel="Saving…"
        actions={actions}
        explain={(error) => (
          <Refusal kind={kind} version={version} error={error}>
            <p>What you typed is still here: save over it, or take the current values.</p>
            <button type="button" class="secondary" onClick={takeCurrent}>
              Take the current values
            </button>
          </Refusal>
        )}
      >
        {children}
      </Form>
      {elsewhere && !isOutdated && (
        <ChangedElsewhere kind={kind} seen={version.seen} change={elsewhere} load={loadElsewhere} />
      )}
    </>
  );
}
