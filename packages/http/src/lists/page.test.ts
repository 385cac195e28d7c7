import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { signCursor } from '@svc/keyring/tokens/signed-cursor.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { buildPage, readPage } from './page.ts';

const key = createSecretKey(randomBytes(32));
const scope: TenantScope = { organization_id: 'org_1', workspace_ids: null };
const rows = Array.from({ length: 7 }, (_, index) => ({ id: `act_${9 - index}` }));

type Query = { readonly cursor?: string; readonly limit?: number; readonly [name: string]: string | number | undefined };
const read = (query: Query, more: { readonly list?: string; readonly scope?: TenantScope } = {}) =>
  readPage({ query, scope: more.scope ?? scope }, key, more.list ?? 'actions');
const readOk = (query: Query) => {
  const page = read(query);
  assert.ok(!isRefusal(page));
  return page;
};
const assertRefused = (page: ReturnType<typeof read>, what: string): void => {
  assert.ok(isRefusal(page) && page.refused === 'VALIDATION_FAILED', what);
  assert.match(JSON.stringify(page.details), /"pointer":"\/cursor"/, what);
};
const getCursor = (query: Query): string => {
  const { next_cursor } = buildPage(rows, readOk(query), key).page;
  assert.notEqual(next_cursor, '');
  return next_cursor;
};

test('pages return all rows, each once, and the last one has an empty cursor', () => {
  const seen: string[] = [];
  let query: Query = { limit: 3 };
  for (let turn = 0; turn < 3; turn += 1) {
    const asked = readOk(query);
    const found = rows.filter(({ id }) => asked.after === undefined || id < asked.after).slice(0, asked.limit + 1);
    const { data, page } = buildPage(found, asked, key);
    seen.push(...data.map(({ id }) => id));
    assert.deepEqual([page.has_more, page.next_cursor === ''], [turn < 2, turn === 2]);
    query = { limit: 3, cursor: page.next_cursor };
  }
  assert.deepEqual(
    seen,
    rows.map(({ id }) => id),
  );
});

test('a page that just fits has no next one, and neither has an empty one', () => {
  assert.deepEqual(buildPage(rows, readOk({ limit: 7 }), key).page, { next_cursor: '', has_more: false });
  assert.deepEqual(buildPage([], readOk({ limit: 7 }), key), { data: [], page: { next_cursor: '', has_more: false } });
});

test('a search that stopped before the end continues there, with any number of rows', () => {
  const page = readOk({ limit: 3 });
  for (const found of [[], rows.slice(0, 2), rows.slice(0, 3)]) {
    const { next_cursor, has_more } = buildPage(found, page, key, 'act_2').page;
    assert.equal(has_more, true);
    assert.equal(readOk({ limit: 3, cursor: next_cursor }).after, 'act_2');
  }
  const full = buildPage(rows, page, key, 'act_2').page;
  assert.equal(readOk({ limit: 3, cursor: full.next_cursor }).after, 'act_7');
});

test('a cursor continues only with its own filter, in any order and with any page size', () => {
  const cursor = getCursor({ limit: 2, status: 'BLOCKED', tool: 'x' });
  assert.equal(readOk({ cursor, limit: 5, tool: 'x', status: 'BLOCKED', code: undefined }).after, 'act_8');
  for (const filter of [{}, { status: 'BLOCKED' }, { status: 'BLOCKED', tool: 'y' }, { status: 'BLOCKED', tool: 'x', code: '' }]) {
    assertRefused(read({ cursor, ...filter }), JSON.stringify(filter));
  }
});

test('a cursor is invalid in another list, organization, workspace or environment', () => {
  const cursor = getCursor({ limit: 2 });
  assertRefused(read({ cursor }, { list: 'audit-events' }), 'list');
  for (const other of [{ organization_id: 'org_2' }, { ...scope, workspace_ids: ['wsp_1'] }, { ...scope, environment_id: 'env_1' }]) {
    assertRefused(read({ cursor }, { scope: other }), JSON.stringify(other));
  }
});

test('a cursor is short, for any filter and script', () => {
  assert.ok(getCursor({ limit: 2, q: '試'.repeat(120), type: '\u0001'.repeat(64) }).length < 300);
});

test('a cursor cannot be forged, and an empty one is none', () => {
  const cursor = getCursor({ limit: 2 });
  const forged = signCursor(createSecretKey(randomBytes(32)), { after: 'act_5', view: readOk({}).view });
  for (const text of ['', 'x', `${cursor}x`, cursor.slice(1), forged, signCursor(key, {})]) assertRefused(read({ cursor: text }), text);
});
