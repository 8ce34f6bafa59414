import { expect, test } from "bun:test";
import * as apps from "kubernetes-models/apps/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { SETTINGS } from "../../src/config/settings.ts";

// Each manifest in deploy/kubernetes must be valid against Kubernetes' schemas, and must agree with the service.

const FOLDER = Bun.fileURLToPath(new URL("../../deploy/kubernetes/", import.meta.url));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly ports?: readonly { readonly name: string; readonly port: number }[];
    readonly template?: { readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly securityContext: { readonly runAsNonRoot?: boolean };
  readonly containers: readonly {
    readonly env?: readonly { readonly name: string }[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly securityContext: { readonly readOnlyRootFilesystem?: boolean };
  }[];
}

const KINDS: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  "v1 Service": core.Service,
  "apps/v1 StatefulSet": apps.StatefulSet,
  "apps/v1 Deployment": apps.Deployment,
  "policy/v1 PodDisruptionBudget": policy.PodDisruptionBudget,
};

const files = [...new Bun.Glob("*/*.yaml").scanSync(FOLDER)].filter(
  (file) => !file.endsWith("kustomization.yaml"),
);
const manifests = await Promise.all(
  files.map(async (file) => ({
    file,
    documents: [Bun.YAML.parse(await Bun.file(FOLDER + file).text())].flat() as Manifest[],
  })),
);
const pods = manifests.flatMap(({ documents }) => documents.flatMap(({ spec }) => spec.template?.spec ?? []));

test.each(manifests)("$file passes the schemas of its kinds", ({ documents }) => {
  for (const manifest of documents) {
    const Kind = KINDS[`${manifest.apiVersion} ${manifest.kind}`];
    if (Kind === undefined) throw new Error(`${manifest.kind} has no schema here.`);
    new Kind(manifest as never).validate();
  }
});

test("every folder lists its manifests in kustomization.yaml", async () => {
  for (const folder of new Set(files.map((file) => file.split("/")[0]))) {
    const kustomization = await Bun.file(`${FOLDER}${folder}/kustomization.yaml`).text();
    const { resources } = Bun.YAML.parse(kustomization) as { readonly resources: readonly string[] };
    const own = files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.split("/")[1] ?? "");
    expect([...resources].sort()).toEqual(own.sort());
  }
});

test("the manifests name only settings that exist, and the service's own ports", async () => {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  for (const file of new Bun.Glob("*/*.yaml").scanSync(FOLDER)) {
    const named = (await Bun.file(FOLDER + file).text()).match(/\bPETSTORE_[A-Z_]*[A-Z]\b/g) ?? [];
    expect([file, named.filter((name) => !known.includes(name as (typeof known)[number]))]).toEqual([
      file,
      [],
    ]);
  }
  const { productionPort, stagingPort, messagesPort, metricsPort } = SETTINGS;
  const own = [productionPort, stagingPort, messagesPort, metricsPort].map(({ default: port }) =>
    Number(port),
  );
  for (const { containers } of pods)
    expect(containers.flatMap(({ ports }) => ports.map(({ containerPort }) => containerPort))).toEqual(own);
});

test("every pod runs without root, on a root file system that is read-only", () => {
  expect(pods).toHaveLength(2);
  for (const { securityContext, containers } of pods) {
    expect(securityContext.runAsNonRoot).toBe(true);
    for (const container of containers) expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  }
});
