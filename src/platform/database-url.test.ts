import { describe, expect, test } from "bun:test";
import { parseDatabaseUrl, withLibpqVariables } from "./database-url.ts";

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
      servers: ["postgresql://db.example.com?sslmode=prefer"],
      shown: "db.example.com",
    });
  });

  test("is refused if it names no server or cannot be decoded", () => {
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
      "has the parameter application_name, which petstore does not support. The supported parameters are sslmode, sslrootcert, sslcert, sslkey, channel_binding and target_session_attrs.",
    );
    expect(refusal("target_session_attrs=standby")).toBe(
      "has target_session_attrs=standby, but target_session_attrs must be one of read-write.",
    );
    expect(refusal("sslmode=yes")).toBe(
      "has sslmode=yes, but sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full.",
    );
    expect(refusal("sslmode=require&sslmode=disable")).toBe("has the parameter sslmode twice.");
    expect(refusal("sslrootcert=")).toBe(
      "has sslrootcert without a file. Set sslrootcert to a file, or leave out sslrootcert.",
    );
    expect(refusal("constructor=x")).toStartWith("has the parameter constructor,");
  });

  const tlsOf = (server: string) =>
    new URL(parseDatabaseUrl(`postgres://${server}`)?.servers[0] ?? "").search.slice(1);

  test("uses TLS if the server offers it, unless the server is on this machine", () => {
    expect(tlsOf("db/x")).toBe("sslmode=prefer");
    for (const local of ["localhost/x", "127.0.0.1:5433/x", "[::1]/x", "%2Fvar%2Frun%2Fpostgresql/x"])
      expect([local, tlsOf(local)]).toEqual([local, "sslmode=disable"]);
    expect(tlsOf("db/x?sslmode=disable")).toBe("sslmode=disable");
    expect(tlsOf("localhost/x?sslmode=prefer")).toBe("sslmode=prefer");
  });

  test("verifies the server by an authority, and only its certificate with sslmode=require", () => {
    expect(tlsOf("localhost/x?sslrootcert=/ca")).toBe("sslmode=verify-full&sslrootcert=%2Fca");
    expect(tlsOf("db/x?sslrootcert=system")).toBe("sslmode=verify-full&sslrootcert=system");
    expect(tlsOf("db/x?sslrootcert=/ca&sslmode=require")).toBe("sslmode=verify-ca&sslrootcert=%2Fca");
    expect(tlsOf("db/x?sslmode=require&channel_binding=require")).toBe(
      "sslmode=require&channel_binding=require",
    );
  });

  test("requires TLS, because a client certificate or channel binding needs it", () => {
    expect(tlsOf("db/x?sslcert=/c&sslkey=/k")).toBe("sslmode=require&sslcert=%2Fc&sslkey=%2Fk");
    expect(tlsOf("localhost/x?channel_binding=require")).toBe("sslmode=require&channel_binding=require");
    expect(tlsOf("db/x?sslmode=prefer&channel_binding=require")).toBe(
      "sslmode=require&channel_binding=require",
    );
  });

  test("with parameters that contradict each other says so", () => {
    const refusal = (search: string) => parseDatabaseUrl(`postgres://u:secret@a,b/x?${search}`)?.refusal;
    expect(refusal("sslcert=/c")).toBe("needs both sslcert and sslkey, or neither.");
    expect(refusal("sslmode=prefer&sslrootcert=/ca")).toBe(
      "has sslrootcert with sslmode=prefer, which does not require TLS. Use require, verify-ca or verify-full.",
    );
    expect(refusal("sslmode=require&sslrootcert=system")).toStartWith(
      "has sslmode=require with sslrootcert=system",
    );
    expect(refusal("sslmode=disable&channel_binding=require")).toStartWith("has channel_binding=require");
  });

  test("uses libpq's variables for missing parameters, unless it leaves TLS to the server", () => {
    const variables = { PGSSLMODE: "require", PGSSLROOTCERT: "/my ca", PGSSLCERT: "" };
    const url = withLibpqVariables("postgres://a/x?sslmode=verify-full", variables);
    expect(url).toBe("postgres://a/x?sslmode=verify-full&sslrootcert=%2Fmy+ca");
    expect(withLibpqVariables(url, variables)).toBe(url);
    expect(withLibpqVariables("postgres://a/x?sslmode=disable", variables)).toBe(
      "postgres://a/x?sslmode=disable",
    );
    expect(withLibpqVariables("postgres://a", variables)).toBe(
      "postgres://a?sslmode=require&sslrootcert=%2Fmy+ca",
    );
  });
});
