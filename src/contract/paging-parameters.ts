import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../limits.ts";
import { integerParameter, opaqueParameter } from "./parameter.ts";

/** The query parameters of every list. */
export const pagingParameters = {
  limit: integerParameter({
    description:
      "Maximum number of items returned. A page has fewer where its body would pass 1 MiB; the `Link` to the next one is there then.",
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    default: PAGE_SIZE_DEFAULT,
    example: PAGE_SIZE_DEFAULT,
  }),
  cursor: opaqueParameter({
    description: "Where the page starts: taken from a `Link` header, with the same filters.",
    expected: "a cursor from a Link header",
    example: "AAAAAAAAACgbX1p1m0x2jw",
  }),
};
