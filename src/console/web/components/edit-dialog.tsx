import type { VNode } from "preact";
import type { NamedResource } from "../use-version.ts";
import { announce } from "./announce.tsx";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { closeDialog, finishDialog } from "./dialog.tsx";
import { openDraft } from "./draft.ts";
import { FormDialog } from "./form-dialog.tsx";
import type { FormState } from "./form-state.ts";
import { shortName } from "./long-text.tsx";
import { explainObstacle } from "./remove-dialog.tsx";
import { type EditOptions, useEdit } from "./use-edit.ts";

interface EditDialogProps<Name extends string, Resource extends NamedResource>
  extends Omit<EditOptions<Name, Resource>, "onSaved"> {
  readonly fields: (props: { readonly form: FormState<Name> }) => VNode | VNode[];
  readonly onClose?: () => void;
}

export function EditDialog<Name extends string, Resource extends NamedResource>(
  props: EditDialogProps<Name, Resource>,
) {
  const { fields: Fields, onClose, ...options } = props;
  const { kind, opened } = options;
  const { form, conflict, ...choice } = useEdit({ ...options, onSaved: onClose ?? finishDialog });
  const close = onClose ?? closeDialog;
  function cancel() {
    form.discardDraft();
    close();
  }
  function keepDraft() {
    if (openDraft(form.id) !== undefined) announce("Your changes are kept: choose Edit to continue");
    close();
  }
  return (
    <FormDialog
      title={`Edit ${shortName(opened.name ?? "", `${kind.noun} ${opened.id}`)}`}
      form={form}
      submitLabel="Save changes"
      explain={explainObstacle(kind, opened)}
      onClose={cancel}
      onEscape={keepDraft}
    >
      <Fields form={form} />
      {conflict && (
        <section class="alert notice" aria-label="Changed while you were editing">
          <ChangedMeanwhile kind={kind} conflict={conflict} choice={choice} />
        </section>
      )}
    </FormDialog>
  );
}
