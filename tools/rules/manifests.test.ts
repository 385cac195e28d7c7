import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkManifests } from './manifests.ts';

const lock = '{ "packages": {} }';
const count = (files: Record<string, string>): number => checkManifests(buildTree({ 'package-lock.json': lock, ...files })).length;

test('a version is pinned exactly, in each kind of dependency', () => {
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const withVersion = (version: string): number =>
      count({ 'packages/http/package.json': JSON.stringify({ [field]: { fastify: version } }) });
    for (const version of ['5.12.8', '18.4.0-beta.17']) assert.equal(withVersion(version), 0, version);
    for (const version of ['^5.12.8', '~5.12.8', '5', '*', 'latest', '>=5.0.0', 'file:../x', 'github:a/b'])
      assert.equal(withVersion(version), 1, version);
  }
});

test('the lock file exists and names no address to download from', () => {
  assert.equal(checkManifests(buildTree({})).length, 1);
  const resolved = '{\n  "resolved": "https://registry.example/fastify.tgz"\n}';
  assert.deepEqual(
    checkManifests(buildTree({ 'package-lock.json': resolved })).map(({ line }) => line),
    [2],
  );
  assert.equal(count({ 'package-lock.json': '{ "resolved": "packages/http", "link": true }' }), 0);
});

test('the lock file contains every platform of its packages, at any location', () => {
  const getLock = (...paths: string[]): string =>
    JSON.stringify({
      packages: {
        'node_modules/biome': { optionalDependencies: { '@biome/linux': '1.0.0', '@biome/darwin': '1.0.0' } },
        ...Object.fromEntries(paths.map((path) => [path, {}])),
      },
    });
  assert.equal(count({ 'package-lock.json': getLock('node_modules/@biome/linux', 'node_modules/@biome/darwin') }), 0);
  assert.equal(count({ 'package-lock.json': getLock('node_modules/@biome/linux', 'node_modules/biome/node_modules/@biome/darwin') }), 0);
  assert.equal(count({ 'package-lock.json': getLock('node_modules/@biome/linux') }), 1);
  assert.equal(count({ 'package-lock.json': getLock('node_modules/@biome/linux', 'node_modules/other/node_modules/@biome/darwin') }), 1);
});
