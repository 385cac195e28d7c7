import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Files other than manifests that state the version, with the pattern that finds it. */
const STATEMENTS: Readonly<Record<string, RegExp>> = {
  'packages/http/src/documents/version.ts': /API_VERSION = '([^']+)'/,
  'packages/sdk/src/identity/sdk-identity.ts': /SDK_VERSION = '([^']+)'/,
  'packages/operations/src/peers/mcp/discover-mcp-server.ts': /CLIENT_INFO = .*version: '([^']+)'/,
  'apps/gateway/src/peers/mcp/answering/answer-mcp.ts': /SERVER_INFO = .*version: '([^']+)'/,
  'apps/connector/src/servers/lifecycle.ts': /INFO = .*version: '([^']+)'/,
  'sdks/python/src/svc_sdk/_version.py': /__version__ = "([^"]+)"/,
  'deploy/kubernetes/base/kustomization.yaml': /newTag: (\S+)/,
  'deploy/kubernetes/overlays/example/kustomization.yaml': /newTag: (\S+)/,
  'packages/sdk/README.md': /svc-sdk-([\d.]+)\.tgz/,
  'docs/guides/command-line.md': /svc-cli-([\d.]+)\.tgz/,
  'docs/guides/policies-in-your-repository.md': /svc-cli-([\d.]+)\.tgz/,
  'README.md': /version ([\d.]+), with SDKs/,
  'CHANGELOG.md': /^## (\d\S*)$/m,
};

type Locked = { readonly packages: Readonly<Record<string, { readonly version?: string }>> };

const readManifest = (text: string): Readonly<Record<string, Readonly<Record<string, string>>>> & { readonly version?: string } =>
  JSON.parse(text);

const listStale = (version: string, name: string, text: string): string[] => {
  const manifest = readManifest(text);
  const own = manifest.version === version ? [] : [`${name} has version ${manifest.version}`];
  const stale = ['dependencies', 'devDependencies'].flatMap((section) =>
    Object.entries(manifest[section] ?? {}).flatMap(([each, wanted]) =>
      each.startsWith('@svc/') && wanted !== version ? [`${name} depends on ${each} ${wanted}`] : [],
    ),
  );
  return [...own, ...stale];
};

/** Places that state another version than the manifest of the project; empty if all agree. */
export const listVersionFaults = (root: string): { readonly version: string; readonly faults: readonly string[] } => {
  const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
  const { packages }: Locked = JSON.parse(read('package-lock.json'));
  const { version = '' } = readManifest(read('package.json'));
  const folders = Object.keys(packages).filter((name) => !name.includes('node_modules'));
  const manifests = folders.flatMap((folder) =>
    listStale(version, path.join(folder, 'package.json'), read(path.join(folder, 'package.json'))),
  );
  const locked = folders
    .filter((folder) => packages[folder]?.version !== version)
    .map((folder) => `package-lock.json has another version of ${folder}`);
  const stated = Object.entries(STATEMENTS).flatMap(([name, pattern]) => {
    const found = pattern.exec(read(name))?.[1];
    return found === version ? [] : [`${name} states ${found ?? 'no version'}`];
  });
  return { version, faults: [...manifests, ...locked, ...stated] };
};
