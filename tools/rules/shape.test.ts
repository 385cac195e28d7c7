import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { describeSizes, shape } from './shape.ts';

const listLines = (count: number): string => 'export {};\n'.repeat(count);
const isLong = (path: string, text: string): boolean => shape(buildTree({ [path]: text })).length > 0;

const bounds: readonly (readonly [string, string, number])[] = [
  ['a source file', 'packages/http/src/plane/serve.ts', 400],
  ['a test', 'packages/http/src/serve.test.ts', 600],
  ['an operation', 'apps/gateway/src/actions/actions/act.ts', 200],
  ['the wiring of an app', 'apps/gateway/src/main.ts', 400],
];

for (const [what, path, lines] of bounds) {
  test(`${what} has ${lines} lines at most`, () => {
    assert.equal(isLong(path, listLines(lines)), false);
    assert.equal(isLong(path, listLines(lines + 1)), true);
  });
}

test('a table of the contract may grow with its entries, other files of the contract may not', () => {
  assert.equal(isLong('packages/contract/src/tables/errors.ts', listLines(900)), false);
  assert.equal(isLong('packages/contract/src/agents/agents/agents.ts', listLines(900)), true);
});

test('a function has 60 lines at most, in any form', () => {
  const forms = [
    (body: string): string => `export const a = () => {\n${body}};\n`,
    (body: string): string => `export function a() {\n${body}}\n`,
    (body: string): string => `export const a = { b() {\n${body}} };\n`,
  ];
  for (const write of forms) {
    assert.equal(isLong('packages/http/src/plane/serve.ts', write('b();\n'.repeat(58))), false);
    assert.equal(isLong('packages/http/src/plane/serve.ts', write('b();\n'.repeat(59))), true);
  }
});

test('sizes are reported for source files, not for tests and tables', () => {
  const tree = buildTree({
    'packages/http/src/a.ts': listLines(10),
    'packages/http/src/b.ts': listLines(20),
    'packages/http/src/c.ts': listLines(30),
    'packages/http/src/a.test.ts': listLines(500),
    'packages/contract/src/tables/errors.ts': listLines(500),
  });
  assert.match(describeSizes(tree), /^3 source files, median 20 lines .* up to 30 /);
});
