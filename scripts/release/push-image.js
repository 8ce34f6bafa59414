// Pushes the local image "petstore" to GitHub's registry, and writes its name and digest for the attestation. The job may write to
// the registry, so for safety it installs no packages, and this script needs only Node.
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";

const {
  GITHUB_ACTOR = "",
  GITHUB_OUTPUT = "",
  GITHUB_REF_NAME = "",
  GITHUB_REPOSITORY = "",
  GH_TOKEN,
} = process.env;
const REGISTRY = "ghcr.io";

const name = `${REGISTRY}/${GITHUB_REPOSITORY.toLowerCase()}`;
const image = `${name}:${GITHUB_REF_NAME.slice(1)}`;
docker(["tag", "petstore", image]);
docker(["login", REGISTRY, "--username", GITHUB_ACTOR, "--password-stdin"], GH_TOKEN);
docker(["push", image]);
const pushed = docker(["image", "inspect", "--format", "{{json .RepoDigests}}", image]);
const [, digest] = JSON.parse(pushed)
  .find((one) => one.startsWith(`${name}@`))
  .split("@");
appendFileSync(GITHUB_OUTPUT, `name=${name}\ndigest=${digest}\n`);

/** Runs docker. @returns its standard output */
function docker(args, input = "") {
  return execFileSync("docker", args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
}
