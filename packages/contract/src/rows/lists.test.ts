import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../endpoints.ts';
import type { Endpoint } from './endpoint.ts';

type Schema = { readonly type?: string; readonly properties?: Readonly<Record<string, unknown>> };

/** Lists of fixed length, and one that its page reads whole. */
const FIXED = new Set(['listPermissions', 'listErrorCodes', 'listDeviceApprovals']);

test('every list that is returned as a plain array accepts limit and offset', () => {
  const lists = Object.entries(ENDPOINTS).filter(
    ([name, row]) => row.method === 'GET' && (row.result as Schema)?.type === 'array' && !FIXED.has(name),
  );
  assert.ok(lists.length > 15);
  const without = lists.filter(
    ([, row]) => !['limit', 'offset'].every((name) => name in (((row as Endpoint).query as Schema | undefined)?.properties ?? {})),
  );
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  );
});
