import type { ComponentChildren } from "preact";
import type { NamedResource } from "../use-version.ts";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { ConflictChoice, overwritten } from "./conflict-choice.tsx";
import { Form } from "./form.tsx";
import { Refusal } from "./refusal.tsx";
import type { Edit } from "./use-edit.ts";

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
