import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { frameEvents } from './framed.ts';

const DEEP = { a: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) };

test('an event that is nested too deeply to encode is streamed without its details, and states so', () => {
  const position = { transaction_id: '1', id: 'evt_1' };
  const event = { id: 'evt_1', data: DEEP } as unknown as AuditEvent;
  const [framed] = frameEvents([{ position, organization_id: 'org_1', event }], { idOf: () => 'there', read: () => undefined }, 0);
  assert.equal(framed?.text(), 'id: there\ndata: {"id":"evt_1","data":{"left_out":true}}\n\n');
});
