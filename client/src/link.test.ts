import { expect, test } from "bun:test";
import { findLink } from "./link.ts";

test("finds rel=next in every spelling of RFC 8288", () => {
  for (const header of [
    '<https://a.example/v1/pets?cursor=2>; rel="next"',
    "<https://a.example/v1/pets?cursor=2>;rel=next",
    '</docs>; rel="help", <https://a.example/v1/pets?cursor=2>; rel="next"',
    '<https://a.example/v1/pets?cursor=2>; title="1, 2; <3>"; REL="last Next"; x',
    "</a,b>; rel=prev ,<https://a.example/v1/pets?cursor=2> ; rel = next , </c>; rel=last",
  ]) {
    expect([header, findLink(header, "next")]).toEqual([header, "https://a.example/v1/pets?cursor=2"]);
  }
});

test("finds no link with another relation", () => {
  for (const header of [
    "",
    '</next>; rel="prev"',
    '</a>; title="rel=next"',
    '</a>; xrel="next"',
    "</a>",
    'rel="next"',
  ]) {
    expect([header, findLink(header, "next")]).toEqual([header, undefined]);
  }
});
