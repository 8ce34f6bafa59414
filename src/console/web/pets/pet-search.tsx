import { parseInt64 } from "exact-json/int64";
import { navigate, route, withQuery } from "../router.ts";

/** Returns the number in a search text such as `4711` or `#4711`. Returns undefined for any other text. */
export function numberIn(text: string): string | undefined {
  const [, digits = ""] = /^#?(\d+)$/.exec(text.trim()) ?? [];
  return parseInt64(digits)?.toString();
}

export function PetSearch() {
  return (
    <div class="field search">
      <label for="search">Name or number</label>
      <input
        id="search"
        type="search"
        dir="auto"
        placeholder="Name or number"
        autocomplete="off"
        spellcheck={false}
        value={route.value.query.get("name") ?? ""}
        onInput={({ currentTarget }) =>
          navigate(withQuery({ name: currentTarget.value }), { replace: true, keepFocus: true })
        }
      />
    </div>
  );
}
