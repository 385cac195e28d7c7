import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkForm } from './form.ts';

const says = (path: string, text = 'export const a = 1;'): string[] =>
  checkForm(buildTree({ [path]: text })).map((finding) => finding.says);

test('a meaningless name is refused for a file and for a folder', () => {
  for (const path of ['utils.ts', 'types.ts', 'helpers/a.ts', 'common/a.ts', 'index.ts', 'misc.test.ts', 'core/a.ts', 'shared/a.ts']) {
    assert.equal(says(`packages/http/src/${path}`).length, 1, path);
  }
});

test('a meaningful name is accepted, also one that contains such a word', () => {
  for (const path of [
    'packages/shared-state/src/redis.ts',
    'packages/policy/src/language/field-types.ts',
    'apps/gateway/src/actions/act.test.ts',
  ]) {
    assert.deepEqual(says(path), [], path);
  }
});

test('files are named in kebab-case', () => {
  assert.equal(says('packages/http/src/errorToWire.ts').length, 1);
  assert.equal(says('packages/http/src/error_to_wire.ts').length, 1);
});

test('a class is allowed for errors, and for the interface of the client library', () => {
  assert.equal(says('packages/http/src/a.ts', 'export class Server {}').length, 1);
  assert.equal(says('packages/http/src/a.ts', 'export const a = class extends Map {};').length, 1);
  assert.deepEqual(says('packages/http/src/a.ts', 'export class RolledBack extends Error {}'), []);
  assert.deepEqual(says('packages/http/src/a.ts', 'export class Late extends TimeoutError {}'), []);
  assert.deepEqual(says('packages/sdk/src/governance.ts', 'export class Governance {}'), []);
});

test('there are no enums, decorators, default exports or barrels', () => {
  const refused = [
    'export enum Mode { Enforce }',
    'export default 1;',
    "export * from './b.ts';",
    "export { b } from './b.ts';",
    "export type { B } from './b.ts';",
    'export const a = @sealed class extends Error {};',
  ];
  for (const text of refused) assert.equal(says('packages/http/src/a.ts', text).length, 1, text);
});

const CASTS = {
  'b as never': 'never',
  'b as ErrorCode': 'ErrorCode',
  'b as Code': 'Code',
  "{ refused: b } as Refusal<'NOT_FOUND'>": 'Refusal',
};

for (const [cast, name] of Object.entries(CASTS))
  test(`a cast to ${name} is refused where codes and members are promised, and nowhere else`, () => {
    const text = `export const a = (b: unknown) => (${cast});`;
    for (const path of [
      'apps/gateway/src/actions/actions/act.ts',
      'packages/enforcement/src/govern/govern.ts',
      'packages/http/src/plane/serve.ts',
    ])
      assert.deepEqual(says(path, text).filter((each) => each.startsWith(`a cast to ${name},`)).length, 1, path);
    for (const path of ['apps/gateway/src/actions/act.test.ts', 'packages/postgres/src/change/change.ts'])
      assert.deepEqual(says(path, text), [], path);
  });

test('a cast to a type of another name is accepted', () => {
  assert.deepEqual(says('packages/http/src/calls/make-call.ts', 'export const a = (b: unknown) => b as Call;'), []);
});
