import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../endpoints.ts';
import type { Endpoint } from '../rows/endpoint.ts';
import { buildConsolePath, CONSOLE_PATHS, CONSOLE_ROUTES, type ConsoleRoute } from './console-routes.ts';

const routes: readonly ConsoleRoute[] = Object.values(CONSOLE_ROUTES);

test('every path and every chord leads to one page', () => {
  assert.equal(new Set(CONSOLE_PATHS).size, CONSOLE_PATHS.length);
  const chords = routes.flatMap(({ chord }) => (chord === undefined ? [] : [chord]));
  assert.equal(new Set(chords).size, chords.length);
  for (const chord of chords) assert.match(chord, /^([a-z] [a-z0-9]|!)$/);
});

test('no page takes the path of an operation, except that of the pages themselves', () => {
  const operations = Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).filter(([name]) => name !== 'getPage');
  const taken = new Set(operations.flatMap(([, { path, assets = [] }]) => [path, ...assets]));
  assert.deepEqual(
    CONSOLE_PATHS.filter((path) => taken.has(path)),
    [],
  );
});

test('only pages without parameters are in the menu', () => {
  for (const { path, group } of routes) assert.ok(group === undefined || !path.includes('{'), path);
});

test('a path is filled in with its parameters, each as one segment', () => {
  assert.equal(buildConsolePath('approvals'), '/approvals');
  assert.equal(buildConsolePath('approval', { approvalId: 'apr_1/2' }), '/approvals/apr_1%2F2');
});
