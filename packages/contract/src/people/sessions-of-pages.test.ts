import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../endpoints.ts';
import type { Endpoint } from '../rows/endpoint.ts';
import { NewSession } from './auth.ts';

/** A terminal obtains its session itself, never through a page. */
const OF_TERMINALS = ['redeemCliSignIn'];

const holdsSession = (result: unknown): boolean => {
  if (result === NewSession) return true;
  const { anyOf = [] } = (result ?? {}) as { readonly anyOf?: readonly unknown[] };
  return anyOf.some(holdsSession);
};

test('every row that returns a session declares that it opens one, so that a page gets it as a cookie and never its token', () => {
  for (const [name, row] of Object.entries(ENDPOINTS) as [string, Endpoint][])
    assert.equal(row.session === 'opens', holdsSession(row.result) && !OF_TERMINALS.includes(name), name);
});
