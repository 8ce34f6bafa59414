import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { end, nginxConfig, start } from "./proxy-servers.ts";

// Proxies in front of the service. Each is configured in one line, as people often do, without any of the settings in
// docs/guides/run.md.

interface Naive {
  readonly name: string;
  /** Returns the configuration of a proxy that listens on port `from` and forwards requests to port `to` of 127.0.0.1. */
  readonly config?: (from: number, to: number, folder: string) => string;
  /** Returns the command that starts the proxy. The file `config` in the folder contains the proxy's configuration. */
  readonly command: (config: string, from: number, to: number, folder: string) => readonly string[];
}

const nginx = (name: string, ...lines: readonly string[]): Naive => ({
  name: `nginx, ${name}`,
  config: (from, to, folder) =>
    nginxConfig(
      folder,
      `server { listen 127.0.0.1:${from}; location / { ${[...lines, `proxy_pass http://127.0.0.1:${to};`].join(" ")} } }`,
    ),
  command: (config, _from, _to, folder) => [
    "nginx",
    "-p",
    folder,
    "-e",
    join(folder, "error.log"),
    "-c",
    config,
  ],
});

const KEEP_ALIVE = ["proxy_http_version 1.1;", 'proxy_set_header Connection "";'];

/** @param mode HAProxy's mode. All other settings are the defaults of Debian's /etc/haproxy/haproxy.cfg. */
const haproxy = (mode: "http" | "tcp"): Naive => ({
  name: `haproxy, mode ${mode}`,
  config: (from, to) => `defaults
  mode ${mode}
  option dontlognull
  timeout connect 5000
  timeout client 50000
  timeout server 50000
listen petstore
  bind 127.0.0.1:${from}
  server production 127.0.0.1:${to}
`,
  command: (config) => ["haproxy", "-db", "-f", config],
});

const caddy = (name: string, ...lines: readonly string[]): Naive => ({
  name: `caddy, ${name}`,
  config: (from, to) => `{
	admin off
}
http://:${from} {
	reverse_proxy 127.0.0.1:${to} {
		${lines.join("\n\t\t")}
	}
}
`,
  command: (config) => ["caddy", "run", "--config", config, "--adapter", "caddyfile"],
});

const UNSIGNED = ["-X-Forwarded-For", "-X-Forwarded-Host", "-X-Forwarded-Proto"].map(
  (one) => `header_up ${one}`,
);

const MODULES = ["mpm_event", "authz_core", "proxy", "proxy_http"];

const apache = (name: string, ...lines: readonly string[]): Naive => ({
  name: `apache2, ${name}`,
  config: (
    from,
    to,
    folder,
  ) => `${MODULES.map((one) => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`).join("\n")}
ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
DefaultRuntimeDir ${folder}
ServerName localhost
Listen 127.0.0.1:${from}
${lines.join("\n")}
ProxyPass / http://127.0.0.1:${to}/
`,
  command: (config) => ["apache2", "-D", "FOREGROUND", "-f", config],
});

export const NAIVE_PROXIES: readonly Naive[] = [
  nginx("proxy_pass alone"),
  // Since nginx 1.29.7, proxy_pass keeps connections alive without any further settings.
  nginx("keep-alive", ...KEEP_ALIVE),
  nginx("Host", "proxy_set_header Host $host;"),
  nginx("Host and keep-alive", "proxy_set_header Host $http_host;", ...KEEP_ALIVE),
  haproxy("http"),
  haproxy("tcp"),
  caddy("reverse_proxy alone"),
  caddy("Host of the upstream", "header_up Host {upstream_hostport}"),
  caddy("Host of the upstream, no forwarding", "header_up Host {upstream_hostport}", ...UNSIGNED),
  apache("ProxyPass alone"),
  apache("ProxyAddHeaders Off", "ProxyAddHeaders Off"),
  apache("ProxyPreserveHost On", "ProxyAddHeaders Off", "ProxyPreserveHost On"),
  {
    name: "socat",
    command: (_config, from, to) => [
      "socat",
      `TCP-LISTEN:${from},bind=127.0.0.1,fork,reuseaddr`,
      `TCP:127.0.0.1:${to}`,
    ],
  },
];

export async function startNaive(
  { config, command }: Naive,
  from: number,
  to: number,
  folder: string,
): Promise<() => Promise<void>> {
  await mkdir(folder);
  const file = join(folder, "config");
  if (config !== undefined) await Bun.write(file, config(from, to, folder));
  const child = start(command(file, from, to, folder), folder);
  return () => end(child);
}
