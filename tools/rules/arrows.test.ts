import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree, type RuleFinding } from '../tree.ts';
import { getArrows } from './arrows.ts';

const manifest = (...names: string[]): string => JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) });

/** A project with the packages that the cases below need; the case adds one file. */
const listFindings = (path: string, text: string, more: Record<string, string> = {}): readonly RuleFinding[] =>
  getArrows(
    buildTree({
      'package.json': JSON.stringify({ devDependencies: { 'fast-check': '4.0.0', 'oxc-parser': '1.0.0' } }),
      'packages/contract/package.json': manifest('typebox'),
      'packages/domain/package.json': manifest('@svc/contract'),
      'packages/postgres/package.json': manifest('@svc/contract', '@svc/domain', 'pg'),
      'apps/gateway/package.json': manifest('@svc/contract', '@svc/domain', '@svc/postgres'),
      'apps/control-plane/package.json': manifest('@svc/contract'),
      ...more,
      [path]: text,
    }),
  );

const accepted: readonly (readonly [string, string, string])[] = [
  ['a room below that is declared', 'packages/domain/src/a.ts', "import { x } from '@svc/contract/x.ts';"],
  ['a file of the same room', 'packages/domain/src/agents/a.ts', "import { x } from '../b.ts';"],
  ['a declared library', 'packages/contract/src/a.ts', "import { Type } from 'typebox';"],
  ['a part of a declared library', 'packages/contract/src/a.ts', "import { Type } from 'typebox/compile';"],
  ['Node itself', 'packages/postgres/src/a.ts', "import { join } from 'node:path';"],
  ['an adapter from an app', 'apps/gateway/src/main.ts', "import { connect } from '@svc/postgres/connection/connect.ts';"],
  ['a library for tests from a test', 'packages/domain/src/a.test.ts', "import fc from 'fast-check';"],
  ['a library of the tools from a tool', 'tools/a.ts', "import { parseSync } from 'oxc-parser';"],
  ['the contract from a tool', 'tools/a.ts', "import { ENDPOINTS } from '@svc/contract/endpoints.ts';"],
];

for (const [what, path, text] of accepted) {
  test(`${what} may be imported`, () => {
    assert.deepEqual(listFindings(path, text), []);
  });
}

const refused: readonly (readonly [string, string, string, RegExp])[] = [
  ['a room above', 'packages/contract/src/a.ts', "import { x } from '@svc/domain/x.ts';", /contract may not import domain/],
  [
    'a room above, for its types alone',
    'packages/contract/src/a.ts',
    "import type { X } from '@svc/domain/x.ts';",
    /contract may not import domain/,
  ],
  ['an adapter from an adapter', 'packages/postgres/src/a.ts', "import { x } from '@svc/egress/x.ts';", /postgres may not import egress/],
  ['an app from an app', 'apps/gateway/src/a.ts', "import { x } from '@svc/control-plane/x.ts';", /gateway may not import control-plane/],
  ['an app from a package', 'packages/domain/src/a.ts', "import { x } from '@svc/gateway/x.ts';", /domain may not import gateway/],
  ['a room by a path', 'packages/domain/src/a.ts', "import { x } from '../../contract/src/x.ts';", /leaves the room/],
  [
    'a room below that is not declared',
    'apps/control-plane/src/a.ts',
    "import { x } from '@svc/domain/x.ts';",
    /not among the dependencies/,
  ],
  ['a library that is not declared', 'packages/domain/src/a.ts', "import pg from 'pg';", /pg is not among the dependencies/],
  ['a library for tests from the product', 'packages/domain/src/a.ts', "import fc from 'fast-check';", /fast-check is not among/],
  ['the fixture from the product', 'packages/domain/src/a.ts', "import { x } from '@svc/testing/x.ts';", /domain may not import testing/],
  ['a room above by a call', 'packages/contract/src/a.ts', "const x = await import('@svc/domain/x.ts');", /contract may not import domain/],
  ['a room above by a re-export', 'packages/contract/src/a.ts', "export { x } from '@svc/domain/x.ts';", /contract may not import domain/],
];

for (const [what, path, text, says] of refused) {
  test(`${what} may not be imported`, () => {
    const findings = listFindings(path, text);
    assert.equal(findings.length, 1);
    assert.deepEqual({ path: findings[0]?.path, line: findings[0]?.line }, { path, line: 1 });
    assert.match(findings[0]?.says ?? '', says);
  });
}

test('a package may not declare a dependency against the arrows', () => {
  const path = 'packages/domain/package.json';
  assert.deepEqual(listFindings(path, manifest('@svc/contract', '@svc/postgres')), [{ path, says: 'domain may not depend on postgres' }]);
});

test('a new package must get its place', () => {
  const path = 'packages/billing/package.json';
  assert.deepEqual(listFindings(path, manifest()), [{ path, says: 'billing is not a room of tools/layers.ts' }]);
});
