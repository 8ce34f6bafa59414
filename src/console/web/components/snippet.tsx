import { useRef } from "preact/hooks";
import { CopyButton } from "./copy-button.tsx";

interface SnippetProps {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  readonly what: string;
}

/** Text to copy. */
export function Snippet({ id, heading, text, what }: SnippetProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <section class="snippet" aria-labelledby={`${id}-heading`}>
      <div class="snippet-header">
        <h3 id={`${id}-heading`}>{heading}</h3>
        <CopyButton source={code} label={`Copy ${what}`} />
      </div>
      <code ref={code} data-testid={id}>
        {text}
      </code>
    </section>
  );
}
