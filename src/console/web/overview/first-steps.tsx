import { mayChange } from "../account/session.ts";

interface FirstStepsProps {
  readonly hasPets: boolean;
  readonly hasKeys: boolean;
}

/** From an empty store to a first API call. Hidden once every step is done. */
export function FirstSteps({ hasPets, hasKeys }: FirstStepsProps) {
  if ((hasPets && hasKeys) || !mayChange.value) return null;
  const steps = [
    { title: "Create your account", text: "", isDone: true, href: "/account" },
    {
      title: "Add the first animal",
      text: "A name and the number of a category are enough.",
      isDone: hasPets,
      href: "/animals/new",
    },
    {
      title: "Generate an API key",
      text: "The console shows it once, with a command that tries it in a terminal.",
      isDone: hasKeys,
      href: "/keys",
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section class="card first-steps" aria-labelledby="first-steps-heading">
      <h2 id="first-steps-heading">First steps</h2>
      <label class="steps-progress">
        {done} of {steps.length} done
        <progress value={done} max={steps.length} />
      </label>
      <ol class="steps">
        {steps.map(({ title, text, isDone, href }) => (
          <li key={title} class={isDone ? "is-done" : undefined}>
            <span class="step-title">
              {title}
              {isDone && <span class="visually-hidden"> (done)</span>}
            </span>
            {!isDone && <span class="muted">{text}</span>}
            {title === next?.title && (
              <a href={href} class="button">
                {title}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
