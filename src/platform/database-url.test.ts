import { describe, expect, test } from "bun:test";
import { parseDatabaseUrl } from "./database-url.ts";

describe("a database URL", () => {
  test("of several servers is one URL for each, in their order", () => {
    expect(
      parseDatabaseUrl(
        "postgres://ada:a%40b@one:5433,two,[::1]:5434/petstore?target_session_attrs=read-write&sslmode=require",
      ),
    ).toEqual({
      scheme: "postgres",
      servers: [
        "postgres://ada:a%40b@one:5433/petstore?sslmode=require",
        "postgres://ada:a%40b@two/petstore?sslmode=require",
        "postgres://ada:a%40b@[::1]:5434/petstore?sslmode=require",
      ],
      shown: "one:5433,two,[::1]:5434/petstore",
    });
  });

  test("of one server is that server", () => {
    expect(parseDatabaseUrl("postgresql://db.example.com")).toEqual({
      scheme: "postgresql",
      servers: ["postgresql://db.example.com"],
      shown: "db.example.com",
    });
  });

  test("that names no server, or cannot be decoded, is none", () => {
    for (const url of [
      "postgres://u:100%@a/x",
      "postgres://",
      "postgres:///x",
      "postgres://a,,b/x",
      "postgres://a:x/y",
      "a/b",
      "",
    ])
      expect([url, parseDatabaseUrl(url)]).toEqual([url, undefined]);
  });

  test("with a parameter that would have no effect says so, and never the password", () => {
    const refusal = (search: string) => parseDatabaseUrl(`postgres://u:secret@a,b/x?${search}`)?.refusal;
    expect(refusal("application_name=x")).toBe(
      "has the parameter application_name, which would have no effect. It takes sslmode and target_session_attrs.",
    );
    expect(refusal("target_session_attrs=standby")).toBe(
      "has target_session_attrs=standby; it takes read-write.",
    );
    expect(refusal("sslmode=yes")).toBe(
      "has sslmode=yes; it takes disable, allow, prefer, require, verify-ca, verify-full.",
    );
    expect(refusal("sslmode=require&sslmode=disable")).toBe("has sslmode twice.");
  });
});
