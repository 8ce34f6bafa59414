import { describe, expect, test } from "bun:test";
import { renderGuide } from "./guide-page.ts";

const htmlOf = (markdown: string) => renderGuide(markdown, "docs/guides/webhooks.md").html;

describe("a guide's Markdown", () => {
  test("has anchors as GitHub makes them, different for equal headings, and no second page heading", () => {
    const { html, headings } = renderGuide(
      "# Page\n## A & `b`\n## A & `b`\n### Deeper\n",
      "docs/guides/x.md",
    );
    expect(headings).toEqual([
      { id: "a--b", text: "A & `b`", depth: 2 },
      { id: "a--b-1", text: "A & `b`", depth: 2 },
      { id: "deeper", text: "Deeper", depth: 3 },
    ]);
    expect(html).toContain('<h2 id="a--b-1">A &amp; <code>b</code></h2>');
    expect(html).not.toContain("<h1");
  });

  test("links to the service's own pages and files, and only names files that the service does not have", () => {
    expect(htmlOf("[a](operate.md#traces)")).toContain('<a href="/docs/guides/operate#traces">a</a>');
    expect(htmlOf("[a](../../client/README.md)")).toContain('<a href="/docs/guides/client">a</a>');
    expect(htmlOf("[a](../../deploy/Caddyfile)")).toContain('<a href="/docs/files/Caddyfile">a</a>');
    expect(htmlOf("[a](#b)")).toContain('<a href="#b">a</a>');
    expect(htmlOf("[a](http://localhost:8080/docs/errors#gone)")).toContain(
      '<a href="/docs/errors#gone">a</a>',
    );
    expect(htmlOf("[decision 18](../../decisions/0018-own-csv-parser.md)")).toContain(
      "decision 18 (<code>decisions/0018-own-csv-parser.md</code>)",
    );
  });

  test("shows an email address in an example as it is written", () => {
    const row =
      "| A |\n|---|\n| such as smtps://user:password@example.com; or petstore <pets@example.com> |\n";
    expect(htmlOf(row)).toContain(
      "such as smtps://user:password@example.com; or petstore &lt;pets@example.com>",
    );
  });

  test("shows raw HTML as text, leaves out comments, and never links to a script", () => {
    expect(htmlOf("<script>alert(1)</script>\n\na <b onclick=x>b</b> <img src=x>")).not.toMatch(
      /<(script|b|img)\b/,
    );
    expect(htmlOf("<!-- metrics -->\n\ntext")).toBe("<p>text</p>\n");
    expect(htmlOf("[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example)")).not.toContain("<a");
    expect(htmlOf('`<b>` "quoted"\n\n```sh\necho "<b>" && x\n```\n')).not.toContain("<b>");
  });
});
