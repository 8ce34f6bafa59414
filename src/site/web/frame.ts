import { followScroll } from "./contents.ts";
import { openSearch } from "./search.ts";

followScroll();
openSearch();
