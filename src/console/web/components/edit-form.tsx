import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Event } from "../../../api/event-contract.ts";
import { actorWords } from "../events/event-words.ts";
import { callPage, type Versioned } from "../request.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { type Conflict, changedMembers, type NamedResource, type ResourceKind } from "../use-version.ts";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { Form } from "./form.tsx";
import type { Values } from "./form-state.ts";
import { shortName } from "./long-text.tsx";
import { Refusal } from "./remove-dialog.tsx";
import { Timestamp } from "./timestamp.tsx";
import type { Edit } from "./use-edit.ts";

interface EditFormProps<Name extends string, Resource extends NamedResource> {
  readonly edit: Edit<Name, Resource>;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function EditForm<Name extends string, Resource extends NamedResource>(
  props: EditFormProps<Name, Resource>,
) {
  const { edit, actions, children } = props;
  const { kind, version, elsewhere, loadElsewhere, takeCurrent } = edit;
  const form = { ...edit.form, discardDraft: takeCurrent };
  const { conflict, seen } = version;
  return (
    <>
      <Form
        form={form}
        label={`Edit ${kind.noun}`}
        submitLabel={overwritten(edit).length > 0 ? "Save over it" : "Save changes"}
        busyLabel="Saving…"
        actions={actions}
        notice={conflict && <ConflictChoice key={conflict.now?.etag} edit={edit} conflict={conflict} />}
        explain={(error) => <Refusal kind={kind} version={version} error={error} children={null} />}
      >
        {children}
      </Form>
      {elsewhere && !conflict && (
        <ChangedElsewhere kind={kind} seen={seen} change={elsewhere} load={loadElsewhere} />
      )}
    </>
  );
}

interface ConflictChoiceProps<Name extends string, Resource extends NamedResource> {
  readonly edit: Edit<Name, Resource>;
  readonly conflict: Conflict<Resource>;
}

/** Changes by others, with author and time, and a choice for each field that both sides have changed. */
function ConflictChoice<Name extends string, Resource extends NamedResource>(
  props: ConflictChoiceProps<Name, Resource>,
) {
  const { edit, conflict } = props;
  const { kind, form, theirs, takeCurrent } = edit;
  const { before, now } = conflict;
  const events = useEvents(kind, before);
  const typed = useSignal(form.values);
  if (now === undefined) {
    const removal = events.value?.find(({ type }) => type.endsWith(".deleted"));
    return (
      <div class="alert" role="alert">
        <p>
          This {kind.noun} was removed since you opened it. What you typed is still here.{" "}
          <By event={removal} />
        </p>
      </div>
    );
  }
  const both = overwritten({ ...edit, form: { ...form, values: typed.value } });
  return (
    <section class="alert" aria-label="Changed elsewhere">
      <p role="alert">
        This {kind.noun} has changed since you opened it.{" "}
        {both.length > 0 ? "Choose what to keep, then save." : "You changed other fields: saving keeps both."}
      </p>
      <ul class="changes">
        {changedMembers(kind, before, now).map(({ name, label, before: old, after }) => (
          <li key={name}>
            <span dir="auto">
              {label}: {shortName(old, "empty")} → {shortName(after, "empty")}
            </span>{" "}
            <By event={events.value?.find(({ previous = {} }) => name in previous)} />
            {isNameOf(theirs, name) && both.includes(name) && (
              <Choice edit={edit} name={name} label={label} mine={typed.value} theirs={after} />
            )}
          </li>
        ))}
      </ul>
      <button type="button" class="secondary" onClick={takeCurrent}>
        Take theirs, and drop what I typed
      </button>
    </section>
  );
}

function overwritten<Name extends string, Resource extends NamedResource>(
  edit: Edit<Name, Resource>,
): readonly string[] {
  const { kind, form, version, theirs } = edit;
  const { before, now } = version.conflict ?? {};
  if (before === undefined || now === undefined) return [];
  return changedMembers(kind, before, now)
    .map(({ name }) => name)
    .filter((name) => isNameOf(theirs, name) && form.values[name] !== theirs[name]);
}

function isNameOf<Name extends string>(values: Values<Name>, name: string): name is Name {
  return name in values;
}

interface ChoiceProps<Name extends string, Resource extends NamedResource> {
  readonly edit: Edit<Name, Resource>;
  readonly name: Name;
  readonly label: string;
  /** The person's input in a form, as it was before a choice between both sides' values appeared. */
  readonly mine: Values<Name>;
  /** The other person's value, as formatted text. */
  readonly theirs: string;
}

function Choice<Name extends string, Resource extends NamedResource>(props: ChoiceProps<Name, Resource>) {
  const { edit, name, label, mine, theirs } = props;
  const { kind, form, withValues } = edit;
  const isTheirs = form.values[name] === edit.theirs[name];
  // The input may have changed since.
  const values = isTheirs ? mine : form.values;
  const [, text = ""] = kind.describe(withValues(values))[name] ?? [];
  const option = (isMine: boolean, words: string) => (
    <label>
      <input
        type="radio"
        name={`${form.id}-${name}-choice`}
        checked={isMine !== isTheirs}
        onChange={() => form.set(name, isMine ? mine[name] : edit.theirs[name])}
      />{" "}
      <span dir="auto">{words}</span>
    </label>
  );
  return (
    <fieldset class="question" aria-label={`${label}: which to keep`}>
      {option(true, `Keep mine: ${shortName(text, "empty")}`)}
      {option(false, `Take theirs: ${shortName(theirs, "empty")}`)}
    </fieldset>
  );
}

function By({ event }: { readonly event: Event | undefined }) {
  if (event === undefined) return null;
  return (
    <span class="muted">
      {actorWords(event)}, <Timestamp at={event.createdAt} precision="ago" />
    </span>
  );
}

/** Loads a resource's last events, newest first; none if its kind has no query for them, or the request fails. */
function useEvents<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  of: Versioned<Resource>,
): Loaded<readonly Event[]> {
  return useLoad(async (signal) => {
    const query = kind.events?.(of);
    if (query === undefined) return [];
    const { items } = await callPage<Event>("/events", { query, signal });
    return items.filter(
      ({ type, data }) => data.id === of.id && kind.topics.some((topic) => type.startsWith(topic)),
    );
  });
}
