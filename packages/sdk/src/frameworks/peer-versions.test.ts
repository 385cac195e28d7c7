import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../../../..');
const manifest = JSON.parse(readFileSync(join(root, 'packages/sdk/package.json'), 'utf8'));
const guide = readFileSync(join(root, 'docs/guides/agent-frameworks.md'), 'utf8');
const peers = Object.entries<string>(manifest.peerDependencies);

const readParts = (version: string): number[] => version.split('.').map(Number);

/** True for a version in a range such as ^1.4.0 or ~0.20.0, the two forms that the manifest has. */
const satisfies = (version: string, range: string): boolean => {
  const [, sign, from = ''] = /^([\^~])(\d+\.\d+\.\d+)$/.exec(range) ?? assert.fail(`${range} is in another form`);
  const [given, least] = [readParts(version), readParts(from)];
  const fixed = sign === '~' || least[0] === 0 ? 2 : 1;
  const first = given.findIndex((part, index) => part !== least[index]);
  return first === -1 || (first >= fixed && (given[first] ?? 0) > (least[first] ?? 0));
};

const installed = (name: string): string => {
  const path = findPackageJSON(name, import.meta.url);
  return JSON.parse(readFileSync(path ?? assert.fail(`${name} is not installed`), 'utf8')).version;
};

test('the version ranges have the form that this test reads', () => {
  for (const [version, range, expected] of [
    ['1.4.0', '^1.4.0', true],
    ['1.9.1', '^1.4.0', true],
    ['1.3.9', '^1.4.0', false],
    ['2.0.0', '^1.4.0', false],
    ['0.20.7', '~0.20.0', true],
    ['0.21.0', '~0.20.0', false],
  ] as const)
    assert.equal(satisfies(version, range), expected, `${version} ${range}`);
});

test('each tested framework of the guards is an optional peer, whose range begins with the tested version', () => {
  const sources = ['frameworks.test.ts', '../guard/ai-package.test.ts'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const imported = sources.flatMap((text) => [...text.matchAll(/from '((?:@(?!svc\/)[^/']+\/)?[^/'.:@]+)/g)].map(([, name = '']) => name));
  const frameworks = [...new Set(imported)].filter((name) => name !== 'zod' && name !== 'node').toSorted();
  assert.deepEqual(peers.map(([name]) => name).toSorted(), frameworks);
  for (const [name, range] of peers) {
    assert.ok(satisfies(installed(name), range), `${name} ${installed(name)} is not in ${range}`);
    assert.equal(range.slice(1).split('.').slice(0, 2).join('.'), installed(name).split('.').slice(0, 2).join('.'), name);
    assert.equal(manifest.peerDependenciesMeta[name]?.optional, true, name);
  }
});

test('the guide states the ranges', () => {
  for (const [name, range] of peers) assert.ok(guide.includes(`| \`${name}\` | \`${range}\` |`), `${name} ${range}`);
});
