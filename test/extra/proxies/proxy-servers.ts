import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "../../wire/server.ts";
import type { ProxyAddress } from "./curl.ts";

// Runs the example proxies of deploy/ in front of the petstore server, with new ports and a new certificate.

const DEPLOY = Bun.fileURLToPath(new URL("../../../deploy/", import.meta.url));

export interface RunningProxy extends ProxyAddress {
  stop(): Promise<void>;
}

export interface Ports {
  readonly httpsPort: number;
  readonly httpPort: number;
}

/** Debian installs `nginx` in /usr/sbin, which is only in root's PATH. */
const PATH = `${process.env["PATH"]}:/usr/sbin`;

/** Creates a private key and a certificate for the host names in the example configurations, both in this folder. */
async function makeCertificate(folder: string): Promise<{ certificate: string; key: string }> {
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  await mkdir(folder);
  await run([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-days", "1", "-subj", "/CN=pets.example.com", "-keyout", key, "-out", certificate],
    ...["-addext", "subjectAltName=DNS:pets.example.com,DNS:*.pets.example.com"],
  ]);
  return { certificate, key };
}

export async function startNginx(server: Server, ports: Ports, folder: string): Promise<RunningProxy> {
  const { certificate, key } = await makeCertificate(folder);
  const example = await Bun.file(`${DEPLOY}nginx.conf`).text();
  const site = withUpstreams(example, server)
    .replaceAll(/^ *listen \[::\].*\n/gm, "")
    .replaceAll("listen 443", `listen 127.0.0.1:${ports.httpsPort}`)
    .replaceAll("listen 80", `listen 127.0.0.1:${ports.httpPort}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replaceAll("/var/log/nginx", folder);
  await Bun.write(join(folder, "nginx.conf"), nginxConfig(folder, site));
  const child = start(
    ["nginx", "-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")],
    folder,
  );
  return { ...ports, certificate, stop: () => end(child) };
}

/** Returns a complete nginx configuration with the given site. With it, nginx writes only to this folder. */
export function nginxConfig(folder: string, site: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  return `daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "error.log")};
${process.getuid?.() === 0 ? "user root;" : ""}
events {}
http {
access_log off;
${temporary.join("\n")}
${site}
}
`;
}

export async function startCaddy(server: Server, ports: Ports, folder: string): Promise<RunningProxy> {
  await mkdir(folder);
  const example = await Bun.file(`${DEPLOY}Caddyfile`).text();
  const options = `{
	admin off
	default_bind 127.0.0.1
	http_port ${ports.httpPort}
	https_port ${ports.httpsPort}
	local_certs
	skip_install_trust
	storage file_system ${folder}
}
`;
  const config = join(folder, "Caddyfile");
  await Bun.write(config, options + withUpstreams(example, server));
  const child = start(["caddy", "run", "--config", config, "--adapter", "caddyfile"], folder);
  return {
    ...ports,
    certificate: join(folder, "pki/authorities/local/root.crt"),
    stop: () => end(child),
  };
}

/** Starts HAProxy with a minimal configuration for production, because deploy/ has no example for HAProxy. */
export async function startHaproxy(server: Server, ports: Ports, folder: string): Promise<RunningProxy> {
  const { certificate, key } = await makeCertificate(folder);
  const both = join(folder, "both.pem");
  await Bun.write(both, (await Bun.file(certificate).text()) + (await Bun.file(key).text()));
  const config = join(folder, "haproxy.cfg");
  await Bun.write(
    config,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend https
  bind 127.0.0.1:${ports.httpsPort} ssl crt ${both}
  default_backend production
backend production
  option forwardfor
  server production 127.0.0.1:${new URL(server.production).port}
`,
  );
  const child = start(["haproxy", "-db", "-f", config], folder);
  return { ...ports, certificate, stop: () => end(child) };
}

function withUpstreams(text: string, { production, staging, messages }: Server): string {
  const port = (address: string) => `127.0.0.1:${new URL(address).port}`;
  return text
    .replaceAll("127.0.0.1:8080", port(production))
    .replaceAll("127.0.0.1:8081", port(staging))
    .replaceAll("127.0.0.1:8082", port(messages));
}

export function start(command: readonly string[], folder: string): Bun.Subprocess {
  const output = Bun.file(join(folder, "output.log"));
  return Bun.spawn([...command], {
    env: { ...process.env, PATH, HOME: folder },
    stdout: output,
    stderr: output,
  });
}

export async function end(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  await child.exited;
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(errors);
}
