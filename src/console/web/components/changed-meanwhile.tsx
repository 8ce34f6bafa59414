import type { Event } from "../../../event-kinds/event-kinds.ts";
import { actorWords } from "../events/actor-words.ts";
import { type Conflict, changedMembers, type NamedResource, type ResourceKind } from "../use-version.ts";
import { shortName } from "./long-text.tsx";
import { Timestamp } from "./timestamp.tsx";

export type Side = "mine" | "theirs";

interface ChangedMeanwhileProps<Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly conflict: Conflict<Resource>;
  /** The choice between this person's value of a field and somebody else's. It is necessary if both have changed the field. */
  readonly choice?: {
    readonly contested: readonly string[];
    /** Returns, as text, the value that this person has entered in a field. */
    readonly mineTextOf: (name: string) => string;
    /** Returns which of the two values the person has chosen for a field, or undefined if the person has not chosen yet. */
    readonly keptOf: (name: string) => Side | undefined;
    readonly keep: (name: string, side: Side) => void;
  };
}

/** Describes other people's changes, with author and time: `Status: Available → Sold · ada@example.com, 5 sec. ago`. */
export function ChangedMeanwhile<Resource extends NamedResource>(props: ChangedMeanwhileProps<Resource>) {
  const { kind, choice } = props;
  const { before, now, events } = props.conflict;
  return (
    <>
      <p>
        Somebody {now ? "changed" : "removed"} this {kind.noun}
        {choice ? " while you were editing. Your text is kept." : "."}{" "}
        {!now && <By event={events.find(({ type }) => type.endsWith(".deleted"))} />}
      </p>
      <ul class="changes" translate={false}>
        {changedMembers(kind, before, now ?? before).map(({ name, label, before: old, after }) => (
          <li key={name}>
            <span dir="auto">
              {label}: {shortName(old, "empty")} → {shortName(after, "empty")}
            </span>{" "}
            <By event={events.find(({ previous = {} }) => name in previous)} />{" "}
            {choice?.contested.includes(name) && (
              <fieldset>
                <legend class="visually-hidden">{label} to keep</legend>
                {(["mine", "theirs"] as const).map((side) => (
                  <label key={side} class="reveal">
                    <input
                      type="radio"
                      name={`keep-${name}`}
                      checked={choice.keptOf(name) === side}
                      onChange={() => choice.keep(name, side)}
                    />
                    <span dir="auto">
                      {side === "mine" ? "Keep yours: " : "Keep theirs: "}
                      {shortName(side === "mine" ? choice.mineTextOf(name) : after, "empty")}
                    </span>
                  </label>
                ))}
              </fieldset>
            )}
          </li>
        ))}
      </ul>
    </>
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
