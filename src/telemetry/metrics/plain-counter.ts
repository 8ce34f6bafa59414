import { Counter, type Registry } from "prom-client";

/**
 * Plain numbers that `collect` reads: at each `inc`, prom-client joins the labels into a string, which costs 0.2 µs. Each
 * caller gets a count of its own to keep.
 */
export function createPlainCounter<Label extends string>(
  registry: Registry,
  options: { readonly name: string; readonly help: string; readonly labelNames: readonly Label[] },
) {
  const counts: { readonly labels: Record<Label, string>; value: number }[] = [];
  new Counter({
    ...options,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of counts) this.inc(labels, value);
    },
  });
  return (labels: Record<Label, string>): { value: number } => {
    const count = { labels, value: 0 };
    counts.push(count);
    return count;
  };
}
