import { useSignal } from "@preact/signals";
import type { ComponentChildren, TargetedInputEvent } from "preact";
import type { FormState } from "./form-state.ts";
import { type Describing, Labelled } from "./labelled.tsx";

interface FieldProps<Name extends string> {
  readonly form: Pick<FormState<Name>, "id" | "values" | "problems" | "set">;
  readonly name: Name;
  readonly label: string;
  readonly isOptional?: boolean;
  readonly hint?: ComponentChildren;
}

interface ControlProps extends Describing {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly required: boolean;
}

interface FieldFrameProps<Name extends string> extends FieldProps<Name> {
  readonly children: (control: ControlProps) => ComponentChildren;
}

function FieldFrame<Name extends string>(props: FieldFrameProps<Name>) {
  const { form, name, label, isOptional = false, hint, children } = props;
  const id = `${form.id}-${name}`;
  const problem = form.problems[name];
  return (
    <Labelled
      id={id}
      label={label}
      isOptional={isOptional}
      problem={problem && `${label} ${problem}`}
      hint={hint}
    >
      {(describing) => children({ id, name, value: form.values[name], required: !isOptional, ...describing })}
    </Labelled>
  );
}

interface TextFieldProps<Name extends string> extends FieldProps<Name> {
  readonly type?: "text" | "email" | "password" | "date";
  readonly autocomplete?: string;
  readonly spellcheck?: boolean;
}

export function TextField<Name extends string>(props: TextFieldProps<Name>) {
  const { form, name, type = "text", autocomplete = "off", spellcheck } = props;
  const onInput = (event: TargetedInputEvent<HTMLInputElement>) => form.set(name, event.currentTarget.value);
  // A program may have stored text with line breaks, which a one-line input would remove.
  if (type === "text" && /[\r\n]/.test(form.values[name])) return <LongTextField {...props} rows={3} />;
  return (
    <FieldFrame {...props}>
      {(control) => {
        const input = { ...control, autocomplete, spellcheck, onInput };
        if (type === "text") return <input {...input} type="text" dir="auto" />;
        if (type === "email") return <input {...input} type="email" />;
        return type === "date" ? <input {...input} type="date" /> : <input {...input} type="password" />;
      }}
    </FieldFrame>
  );
}

interface LongTextFieldProps<Name extends string> extends FieldProps<Name> {
  readonly rows: number;
}

export function LongTextField<Name extends string>(props: LongTextFieldProps<Name>) {
  const { form, name, rows } = props;
  return (
    <FieldFrame {...props}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          dir="auto"
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoiceFieldProps<Name extends string> extends FieldProps<Name> {
  readonly choices: readonly Choice[];
}

export function ChoiceField<Name extends string>(props: ChoiceFieldProps<Name>) {
  const { form, name, choices } = props;
  return (
    <FieldFrame {...props}>
      {(control) => (
        <select {...control} onChange={(event) => form.set(name, event.currentTarget.value)}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

export function PasswordField<Name extends string>(props: TextFieldProps<Name>) {
  const isShown = useSignal(false);
  return (
    <div>
      <TextField {...props} type={isShown.value ? "text" : "password"} spellcheck={false} />
      <label class="reveal">
        <input
          type="checkbox"
          checked={isShown.value}
          onChange={(event) => {
            isShown.value = event.currentTarget.checked;
          }}
        />
        Show password
      </label>
    </div>
  );
}
