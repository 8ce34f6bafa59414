import { useSignal } from "@preact/signals";
import { parseInt64 } from "exact-json/int64";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { LongText } from "../components/long-text.tsx";
import { callPage } from "../request.ts";
import { navigate, route, withQuery } from "../router.ts";
import { useKeys } from "../use-keys.ts";
import { useLoad } from "../use-load.ts";

/** Debounce delay: a search starts after this pause in typing. */
const TYPING_MS = 120;

/** Number in a search text: `#4711` finds only the animal with this number, `4711` also names with such a word. */
export function numberIn(text: string): string | undefined {
  const [, digits = ""] = /^#?(\d+)$/.exec(text.trim()) ?? [];
  return parseInt64(digits)?.toString();
}

/** Search field for animals, by words of their names or by number. `/` focuses it. */
export function PetSearch() {
  const inAddress = route.value.query.get("name") ?? "";
  const typed = useSignal(inAddress);
  const searched = useRef(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.select() });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address was changed by Back or a link, not by typing.
    if (inAddress !== searched.current) typed.value = inAddress;
    searched.current = inAddress;
  }, [inAddress]);

  function search() {
    clearTimeout(timer.current);
    searched.current = typed.value.trim();
    navigate(withQuery({ name: searched.current }), { replace: true, keepFocus: true });
  }
  async function press(event: TargetedKeyboardEvent<HTMLInputElement>) {
    if (event.key === "Escape" && typed.value !== "") {
      event.preventDefault();
      typed.value = "";
      search();
    }
    if (event.key !== "Enter" || event.isComposing) return;
    search();
    const number = numberIn(typed.value);
    // Errors are ignored: the list shows those of the same server.
    const found = number && (await findByNumber(number).catch(() => undefined));
    if (found) navigate(`/animals/${number}`);
  }
  const number = numberIn(inAddress);
  return (
    <div class="field search">
      <label for="search">
        Name or number <span class="key">/</span>
      </label>
      <input
        ref={input}
        id="search"
        type="text"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-keyshortcuts="/"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(search, TYPING_MS);
        }}
        onKeyDown={(event) => void press(event)}
      />
      <div role="status">{number !== undefined && <NumberJump number={number} />}</div>
    </div>
  );
}

function NumberJump({ number }: { readonly number: string }) {
  const { value, error, isLoading } = useLoad((signal) => findByNumber(number, signal), [number]);
  if (isLoading || error !== undefined) return null;
  if (value === undefined) return <p class="hint">No animal has the number {number}.</p>;
  return (
    <p class="hint">
      <a href={`/animals/${number}`}>
        Animal {number}: <LongText text={value.name} />
      </a>{" "}
      <span class="key">Enter</span>
    </p>
  );
}

async function findByNumber(id: string, signal?: AbortSignal): Promise<Pet | undefined> {
  return (await callPage<Pet>("/pets", { query: { id }, signal })).items[0];
}
