import type { Log } from "../events/log.ts";
import { idsOf, nextTurn, type World } from "./world.ts";

const PAGES_MAX = 10_000;

/** A program that reads all events, page by page. When the service crashes, the program keeps its position. */
export function followEvents(world: World, report: (fault: string) => void) {
  const read: number[] = [];
  let next = "/v1/events?order=asc&limit=7";

  async function step(): Promise<void> {
    const answer = await world.call("production", `GET ${next}`);
    if (answer?.status === 200) {
      read.push(...idsOf(answer));
      next = /\/\/[^/]+([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1] ?? next;
    } else if (answer !== undefined) report(`GET ${next} was answered ${answer.status}: ${answer.text}`);
  }

  return {
    step,
    /** Reads to the end of the event log. Reports each event that is missing, repeated or out of order. */
    async check({ events }: Log): Promise<void> {
      for (let pages = 0; read.length < events.length && pages < PAGES_MAX; pages++) {
        await step();
        await nextTurn();
      }
      const expected = events.map(({ id }) => Number(id));
      const place = expected.findIndex((id, index) => read[index] !== id);
      if (place >= 0) report(`a follower was given event ${read[place]} where ${expected[place]} came next`);
      else if (read.length > expected.length)
        report(`a follower was given event ${read.at(-1)}, which is lost`);
    },
  };
}
