import { describe, expect, test } from "bun:test";
import { AIMS, type Aim, EVERY_PEER, evaluateAims, type Series } from "../../bench/aims.ts";
import { sentenceOf } from "../../bench/aims-table.ts";
import { CONTESTANTS } from "../../bench/contestants.ts";
import { median, ratios } from "../../bench/statistics.ts";
import { WORKS } from "../../bench/work.ts";

const FASTER: Aim = {
  goal: "list",
  works: ["list"],
  connections: 64,
  server: "petstore",
  figure: "perSecond",
  against: EVERY_PEER,
  bound: { atLeast: 2 },
};
const CHEAPER: Aim = { ...FASTER, figure: "cpuMicros", against: "bare", bound: { atMost: 2 } };

function series(server: string, figures: Partial<Series>): Series {
  return { work: "list", connections: 64, server, peers: ["slow", "fast"], ...figures };
}

const ours = series("petstore", { perSecond: [200, 220, 210], cpuMicros: [10, 30, 20] });

describe("aims", () => {
  test("the best peer decides, by the median of the rounds' ratios", () => {
    const slow = series("slow", { perSecond: [10, 10, 10] });
    const fast = series("fast", { perSecond: [100, 100, 100] });
    const stranger = series("stranger", { perSecond: [1_000, 1_000, 1_000] });
    const [result] = evaluateAims([slow, stranger, fast, ours], [FASTER]);
    expect(result?.decidedBy).toBe("list, fast");
    expect(result?.measured).toEqual({ middle: 2.1, low: 2, high: 2.2 });
    expect(result?.isMet).toBe(true);
  });

  test("the work that misses it most decides", () => {
    const works = ["list", "get"];
    const get = [{ ...ours, work: "get" }, series("fast", { work: "get", perSecond: [200, 220, 210] })];
    const fast = series("fast", { perSecond: [100, 100, 100] });
    const [result] = evaluateAims([ours, fast, ...get], [{ ...FASTER, works }]);
    expect(result).toMatchObject({ decidedBy: "get, fast", isMet: false, measured: { middle: 1 } });
  });

  test("rounds that differ by more than the distance to the bound are noise", () => {
    const resultAt = (atMost: number) =>
      evaluateAims(
        [ours, series("bare", { cpuMicros: [10, 10, 10] })],
        [{ ...CHEAPER, bound: { atMost } }],
      )[0];
    expect(resultAt(2.5)).toMatchObject({ isMet: true, isWithinNoise: true });
    expect(resultAt(1.5)).toMatchObject({ isMet: false, isWithinNoise: true });
    expect(resultAt(5)).toMatchObject({ isMet: true, isWithinNoise: false });
  });

  test("without another server the figure itself is bounded", () => {
    const { against: _, ...alone } = CHEAPER;
    const [result] = evaluateAims([ours], [{ ...alone, bound: { atMost: 19 } }]);
    expect(result).toMatchObject({ isMet: false, measured: { middle: 20, low: 10, high: 30 } });
  });

  test("what was not measured has no result", () => {
    expect(evaluateAims([ours], [FASTER, CHEAPER])).toEqual([]);
    expect(
      evaluateAims([{ ...ours, connections: 1 }, series("bare", { cpuMicros: [1] })], [CHEAPER]),
    ).toEqual([]);
  });

  test("name servers and workloads that exist", () => {
    const others = ["create-alone", "start"];
    const names = [...WORKS.map(({ name }) => name), ...others];
    const servers = CONTESTANTS.map(({ name }) => name);
    for (const { goal, works, server } of AIMS.filter(({ goal }) => !goal.startsWith("10,000,000"))) {
      expect([goal, works.filter((work) => !names.includes(work))]).toEqual([goal, []]);
      if (!works.includes("start")) expect(servers).toContain(server);
    }
  });

  test("stand in docs/guides/performance.md", async () => {
    const text = await Bun.file(new URL("../../docs/guides/performance.md", import.meta.url)).text();
    expect(AIMS.map(sentenceOf).filter((sentence) => !text.includes(`| ${sentence} |`))).toEqual([]);
  });
});

test("ratios are taken within a round, and a round that one side lacks does not count", () => {
  expect(ratios([10, 40, 90], [10, 20, 30])).toEqual({ middle: 2, low: 1, high: 3 });
  expect(ratios([10, 40, 90], [10, 20])).toEqual({ middle: 1.5, low: 1, high: 2 });
  expect(median([])).toBeNaN();
});
