import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { type Installed, installPackage, run } from '@svc/testing/peers/peer-package.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { FRAMEWORK_PROGRAMS } from './framework-programs.ts';

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../packages/sdk/package.json'), 'utf8'));
const ranges: Readonly<Record<string, string>> = manifest.peerDependencies;
const INSTALL_MS = 300_000;

/** Settings by which a person's npm reaches a registry through a proxy. */
const NETWORK_SETTINGS = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'];
const env = getPersonsEnvironment(
  Object.fromEntries(NETWORK_SETTINGS.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']]))),
);

let installed: Installed;
before(async () => {
  installed = await installPackage(env);
});
after(() => installed?.remove());

const npm = (...words: readonly string[]) =>
  run('npm', words, { cwd: installed.folder, env, timeout: INSTALL_MS, maxBuffer: 16 * 1024 * 1024 });

/** The lowest and the newest version of a range. */
const listEnds = async (name: string, range: string): Promise<readonly string[]> => {
  const { stdout } = await npm('view', `${name}@${range}`, 'version', '--json');
  const versions: readonly string[] = [JSON.parse(stdout)].flat();
  return [...new Set([range.slice(1), versions.at(-1) ?? range.slice(1)])];
};

test('has a program for each framework that the SDK names as a peer', () => {
  assert.deepEqual(Object.keys(FRAMEWORK_PROGRAMS).toSorted(), Object.keys(ranges).toSorted());
});

for (const [name, { further = [], text }] of Object.entries(FRAMEWORK_PROGRAMS)) {
  test(`${name}, in its lowest and newest version, runs what was judged, and its model reads a refusal`, longOnly, async () => {
    for (const version of await listEnds(name, ranges[name] ?? '')) {
      const others = further.map((each) => `${each}@${ranges[each]}`);
      await npm(
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-save',
        '--omit=optional',
        'zod@4',
        `${name}@${version}`,
        ...others,
      );
      writeFileSync(join(installed.folder, 'agent.mjs'), text);
      const { stdout } = await run(process.execPath, ['agent.mjs'], {
        cwd: installed.folder,
        env,
        timeout: 60_000,
      });
      const { read, ran, judged } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      assert.match(read[0], /refunded 7/, version);
      assert.match(read[1], /(Refused \(ACTION_BLOCKED\)|ActionBlocked): /, version);
      assert.deepEqual(ran, [{ order: 'A', amount: 7 }], version);
      assert.deepEqual(
        judged,
        [
          { order: 'A', amount: 7 },
          { order: 'B', amount: 900 },
        ],
        version,
      );
    }
  });
}
