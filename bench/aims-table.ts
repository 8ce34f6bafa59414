import { type Aim, type AimResult, boundOf, type Figure } from "./aims.ts";
import { markdown } from "./table.ts";

const FIGURES: Readonly<Record<Figure, string>> = {
  perSecond: "requests/s",
  perCpuSecond: "requests per CPU second",
  cpuMicros: "CPU per request",
  p50Millis: "p50",
};

/** The aim as a sentence of docs/guides/performance.md. */
export function sentenceOf(aim: Aim): string {
  const clients = aim.connections === 64 ? "" : " with one client";
  const direction = "atMost" in aim.bound ? "at most" : "at least";
  if (aim.against === undefined) return `${aim.goal}, ${aim.server}: ${direction} ${boundOf(aim)} ms`;
  return `${aim.goal}: ${FIGURES[aim.figure]}${clients} ${direction} ${boundOf(aim)} × ${nameOf(aim.against)}`;
}

function nameOf(server: string): string {
  return Number(server) > 0 ? Number(server).toLocaleString("en") : server;
}

export function aimsTable(results: readonly AimResult[]): string {
  if (results.length === 0) return "None of the aims was measured.";
  const rows = results.map(({ aim, measured: { middle, low, high }, decidedBy, isMet, isWithinNoise }) => {
    const digits = aim.against === undefined ? 0 : 2;
    const unit = aim.against === undefined ? " ms" : " ×";
    return [
      sentenceOf(aim),
      `${middle.toFixed(digits)}${unit}`,
      `${low.toFixed(digits)}–${high.toFixed(digits)}`,
      decidedBy,
      `${isMet ? "met" : "MISSED"}${isWithinNoise ? ", within noise" : ""}`,
    ];
  });
  return markdown([["aim", "measured", "rounds", "decided by", "result"], ...rows]);
}
