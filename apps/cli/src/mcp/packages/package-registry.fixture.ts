import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Release = { readonly archive: Buffer; readonly integrity: string; readonly name: string };

/** A registry of npm on this machine. */
export type PackageRegistry = {
  /** Variables that make npm use it, with a cache of its own. */
  readonly env: Readonly<Record<string, string>>;
  /** Publishes a version; one that is published again replaces the first, as a registry that was taken over would. Returns its integrity. */
  readonly publish: (name: string, version: string, source: string) => string;
  /** Serves other bytes under the integrity of a version. */
  readonly corrupt: (name: string, version: string) => void;
  readonly requests: string[];
  readonly close: () => Promise<void>;
};

/** A server of one tool, which writes a file when it is started. */
export const newServerSource = (startedFile: string, answer: string): string => `#!/usr/bin/env node
require('node:fs').writeFileSync(${JSON.stringify(startedFile)}, ${JSON.stringify(answer)});
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } } });
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }] } });
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: ${JSON.stringify(answer)} + ' ' + process.argv.slice(2).join(' ') }] } });
});
`;

const pack = (folder: string, name: string, version: string, source: string): Buffer => {
  const root = mkdtempSync(join(folder, 'package-'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name, version, bin: { notes: 'server.js' } }));
  writeFileSync(join(root, 'server.js'), source);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--offline'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const answer = JSON.parse(stdout);
  const [{ filename }] = Array.isArray(answer) ? answer : (Object.values(answer) as { filename: string }[]);
  return readFileSync(join(root, filename));
};

const digest = (archive: Buffer): string => `sha512-${createHash('sha512').update(archive).digest('base64')}`;

export const startPackageRegistry = async (): Promise<PackageRegistry> => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  mkdirSync(join(folder, 'cache'));
  const releases = new Map<string, Map<string, Release>>();
  const requests: string[] = [];
  let url = '';
  const describe = (name: string, versions: ReadonlyMap<string, Release>) => ({
    name,
    'dist-tags': { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, { integrity }]) => [
        version,
        {
          name,
          version,
          bin: { notes: 'server.js' },
          dist: { integrity, tarball: `${url}/archives/${encodeURIComponent(name)}/${version}.tgz` },
        },
      ]),
    ),
  });
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    requests.push(path);
    const [, name = '', version = ''] = /^archives\/(.+)\/([^/]+)\.tgz$/u.exec(path) ?? [];
    const release = releases.get(name)?.get(version);
    if (release) return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(release.archive);
    const versions = releases.get(path);
    if (versions === undefined) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describe(path, versions)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put = (name: string, version: string, release: Release): void => {
    const versions = releases.get(name) ?? new Map<string, Release>();
    releases.set(name, versions.set(version, release));
  };
  return {
    env: {
      npm_config_registry: url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_prefer_online: 'true',
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    },
    publish: (name, version, source) => {
      const archive = pack(folder, name, version, source);
      const integrity = digest(archive);
      put(name, version, { name, archive, integrity });
      return integrity;
    },
    corrupt: (name, version) => {
      const release = releases.get(name)?.get(version);
      if (release === undefined) throw new Error(`${name}@${version} is not published`);
      put(name, version, { ...release, archive: pack(folder, name, version, '// other bytes') });
    },
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
