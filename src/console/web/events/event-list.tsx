import type { ComponentChildren } from "preact";
import type { ActivityLine } from "../../activity-contract.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { actorWords } from "./actor-words.ts";
import { changeWords, isolated } from "./change-words.ts";

interface EventListProps {
  readonly lines: readonly ActivityLine[];
  /** True if all lines are about the same animal, so that they need not name it. */
  readonly isOfOne?: boolean;
  readonly precision?: "ago" | "time";
  readonly action?: ((line: ActivityLine) => ComponentChildren) | undefined;
}

/**
 * A list of changes. Each line describes a change, such as `Sold Rex`, and ends with its author and time, such as `you, 2 min.
 * ago`.
 */
export function EventList({ lines, isOfOne = false, precision = "ago", action }: EventListProps) {
  return (
    <ol class="events told" translate={false}>
      {lines.map((line) => (
        <li key={String(line.id)}>
          <span>{isOfOne ? <What line={line} /> : <Named line={line} />}</span>
          <span class="muted">
            <bdi>{actorWords(line)}</bdi>, <Timestamp at={line.createdAt} precision={precision} />
            {action?.(line)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Describes a change in words. If the change concerns an order, the words link to the animal's orders. */
function What({ line }: { readonly line: ActivityLine }) {
  const words = (
    <strong>
      <bdi dir="ltr">{changeWords(line)}</bdi>
    </strong>
  );
  return "petId" in line.data ? <a href={`/orders?for=${line.data.petId}`}>{words}</a> : words;
}

/** Describes a change in words, and names its animal or category. For a group of changes, says how many there are. */
function Named({ line }: { readonly line: ActivityLine }) {
  const { type, data, previous, count, isAtLeast, petName } = line;
  const isCategory = type.startsWith("category.");
  const before =
    previous && "name" in previous && Object.keys(previous).length === 1 ? previous.name : undefined;
  const id = "petId" in data ? data.petId : data.id;
  const name = shortName("name" in data ? data.name : petName, `${isCategory ? "category" : "animal"} ${id}`);
  return (
    <>
      <strong>
        <bdi dir="ltr">{before === undefined ? changeWords(line) : "Renamed"}</bdi>
      </strong>{" "}
      {count > 1 ? (
        <a href={`/activity?each=${line.id}`}>{formatNumber(count) + (isAtLeast ? "+" : "")} animals</a>
      ) : (
        <>
          <a href={isCategory ? "/categories" : `/animals/${id}`}>
            <bdi>{name}</bdi>
          </a>
          {before !== undefined && (
            <span class="muted"> from {isolated(shortName(String(before), "no name"))}</span>
          )}
        </>
      )}
    </>
  );
}
