import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { checkExpressions } from './expressions.ts';

const says = (text: string, path = 'packages/http/src/a.ts'): string[] =>
  checkExpressions(buildTree({ [path]: text })).map((finding) => finding.says);

test('an expression whose time grows faster than its text is found, for any growth', () => {
  for (const expression of [
    String.raw`/^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9])\d*)?\s*$/i`,
    String.raw`/"(?:[^"\\]|\\.)*"/g`,
    String.raw`/\s+$/`,
    String.raw`/\/+$/`,
    String.raw`/\{\{\s*([^{}]+?)\s*\}\}/g`,
    String.raw`/^(a+)+$/`,
    String.raw`/^(a|a)*$/`,
    String.raw`new RegExp('x+$')`,
    String.raw`RegExp('^(?:a+)+$', 'i')`,
  ])
    assert.equal(says(`export const a = ${expression};`).length, 1, expression);
});

test('a linear one is not', () => {
  for (const expression of [
    String.raw`/^q=(1(\.0{0,3})?|0?\.\d{0,3}|0)$/i`,
    String.raw`/(?<!\/)\/+$/`,
    String.raw`/^\s+/`,
    String.raw`/"(?:[^"\\]|\\.)*"/y`,
    String.raw`/[^\w$]+/g`,
    String.raw`/a{1,64}a{1,64}b/`,
    String.raw`new RegExp('^[a-z]+$')`,
  ])
    assert.deepEqual(says(`export const a = ${expression};`), [], expression);
});

test('one that is built at run time is named at each place', () => {
  const made = 'export const a = (text: string) => new RegExp(text);';
  assert.equal(says(made).length, 1);
  assert.deepEqual(says(made, 'packages/contract/src/tables/ids.ts'), []);
  assert.equal(says(`${made}\nexport const b = (text: string) => new RegExp(text);`, 'packages/contract/src/tables/ids.ts').length, 1);
});

test('bounded ones are in the table, which has no outdated entry', () => {
  const path = 'packages/policy/src/templates/form/fill-template.ts';
  assert.deepEqual(says(String.raw`export const a = /\B(?=(\d{3})+$)/g;`, path), []);
  assert.equal(says('export const a = 1;', path).length, 1);
});

test('tests and tools are exempt', () => {
  for (const path of ['packages/http/src/a.test.ts', 'packages/testing/src/a.ts', 'tools/a.ts', 'e2e/a.ts'])
    assert.deepEqual(says(String.raw`export const a = /\s+$/;`, path), [], path);
});
