import { FOREIGN_ENCODINGS, isUnicode } from "../../../pet-files/encoding.ts";
import { type Choice, ChoiceField } from "../components/field.tsx";
import { shortName } from "../components/long-text.tsx";
import { changeDialect } from "./chosen-file.ts";
import type { ChosenFile } from "./import-state.ts";

const SEPARATORS: readonly Choice[] = [
  { value: ",", label: "Comma" },
  { value: ";", label: "Semicolon" },
  { value: "\t", label: "Tab" },
  { value: "|", label: "Vertical bar" },
];

/**
 * Shows the encoding that is used to read the file, unless the encoding is Unicode. If the encoding is only a suggestion, the
 * person must confirm it.
 */
export function Reading({ file }: { readonly file: ChosenFile }) {
  const { dialect, samples } = file;
  const { encoding, separator, isSure, format } = dialect;
  if (isUnicode(encoding)) return null;
  const form = {
    id: "reading",
    values: { encoding, separator },
    problems: {},
    set: (name: "encoding" | "separator", value: string) =>
      void changeDialect({ encoding, separator, [name]: value }),
  };
  return (
    <section class="card">
      <h2>Reading</h2>
      {!isSure && (
        <p role="alert">
          <strong>Check these names.</strong> The file doesn’t say how its letters are encoded: choose the
          encoding in which the names look right.
        </p>
      )}
      {samples.length > 0 && (
        <p translate={false} dir="auto" aria-live="polite">
          {samples.map((name) => shortName(name, "")).join(", ")}
        </p>
      )}
      <div class="filter">
        <ChoiceField form={form} name="encoding" label="Encoding" choices={encodingChoices(encoding)} />
        {format === "csv" && (
          <ChoiceField form={form} name="separator" label="Separator" choices={separatorChoices(separator)} />
        )}
      </div>
      {!isSure && (
        <button type="button" class="secondary" onClick={() => form.set("encoding", encoding)}>
          The names are right
        </button>
      )}
    </section>
  );
}

function encodingChoices(chosen: string): readonly Choice[] {
  const offered = Object.entries(FOREIGN_ENCODINGS).map(([value, { name, used }]) => ({
    value,
    label: `${used} (${name})`,
  }));
  return offered.some(({ value }) => value === chosen)
    ? offered
    : [...offered, { value: chosen, label: chosen }];
}

function separatorChoices(chosen: string): readonly Choice[] {
  return SEPARATORS.some(({ value }) => value === chosen)
    ? SEPARATORS
    : [...SEPARATORS, { value: chosen, label: chosen }];
}
