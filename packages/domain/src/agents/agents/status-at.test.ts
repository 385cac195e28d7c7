import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { isFinal } from './final-status.ts';
import { statusAt } from './status-at.ts';

const END = '2026-03-01T12:00:00.000Z';
const at = (ms: number) => Date.parse(END) + ms;

test('expires an agent at its expiry in every status, unless it has ended', () => {
  for (const status of AGENT_STATUSES) {
    assert.equal(statusAt({ status, expires_at: END }, at(-1)), status);
    assert.equal(statusAt({ status, expires_at: null }, at(1)), status);
    for (const ms of [0, 1]) assert.equal(statusAt({ status, expires_at: END }, at(ms)), isFinal(status) ? status : 'EXPIRED');
    assert.equal(statusAt({ status, expires_at: 'never' }, at(-1)), isFinal(status) ? status : 'EXPIRED');
  }
});
