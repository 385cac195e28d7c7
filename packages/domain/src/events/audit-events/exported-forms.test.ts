import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { ALL_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { listOcsfFaults } from '@svc/testing/ocsf/ocsf-faults.ts';
import { buildCsvLine, CSV_HEADER } from './csv-line.ts';
import { buildOcsfEvent, buildOcsfManifest } from './ocsf-event.ts';

const event = (rest: Partial<AuditEvent> = {}): AuditEvent => ({
  id: 'evt_1',
  type: 'agent.created',
  occurred_at: '2026-01-31T09:30:00.000Z',
  organization_id: 'org_1',
  workspace_id: null,
  environment_id: null,
  actor: { type: 'USER', id: 'usr_1', name: 'Ada' },
  subject: { type: 'agent', id: 'agt_1' },
  severity: 'info',
  request_id: 'req_1',
  trace_id: 't',
  data: {},
  sequence: 7,
  ...rest,
});

const dataOf: Readonly<Record<string, AuditEvent['data']>> = {
  full: {
    ...{ agent_id: 'agt_1', tool: 'billing.refund', code: 'ACTION_BLOCKED', reason: 'Refunds above 50 need a person.', amount: 9500 },
    ...{ currency: 'USD', rule_id: 'large', policy_version: 3 },
  },
  empty: {},
  odd: { tool: 7, code: '', reason: null },
};
const ACTORS: readonly AuditEvent['actor'][] = [
  { type: 'USER', id: 'usr_1', name: 'Ada' },
  { type: 'AGENT', id: 'agt_1', name: null },
  { type: 'SYSTEM', id: 'worker', name: null },
];

test('exports every event type as an OCSF event that the published schema accepts', () => {
  const types = [...ALL_EVENT_TYPES, 'later.happened', 'constructor'];
  for (const type of types) {
    for (const actor of ACTORS) {
      for (const data of Object.values(dataOf)) {
        for (const sequence of [null, 7])
          assert.deepEqual(listOcsfFaults(buildOcsfEvent(event({ type, actor, data, sequence }))), [], type);
      }
    }
  }
  assert.deepEqual(
    listOcsfFaults(buildOcsfManifest({ events: 3 }, { organization_id: 'org_1', request_id: 'req_1', exported_at: 1_769_000_000_000 })),
    [],
  );
});

test('finds a missing member, a foreign one, a wrong word and an unnamed profile against the OCSF schema', () => {
  const whole = buildOcsfEvent(event()) as Readonly<Record<string, unknown>>;
  const { metadata, entity: _, ...rest } = whole;
  assert.deepEqual(listOcsfFaults({ ...rest, metadata }), ['entity is required']);
  assert.deepEqual(listOcsfFaults({ ...whole, extra: 1 }), ['extra is not in the schema']);
  assert.deepEqual(listOcsfFaults({ ...whole, severity_id: 77 }), ['severity_id has no value 77']);
  assert.deepEqual(listOcsfFaults({ ...whole, metadata: { ...(metadata as object), profiles: [] } }), ['actor needs the profile host']);
});

test('names the tool as the operation of an action and derives the activity from its verb', () => {
  const activity = (tool: string) => {
    const { activity_id, api } = buildOcsfEvent(event({ type: 'action.allowed', data: { tool } })) as unknown as {
      activity_id: number;
      api: { operation: string };
    };
    return [activity_id, api.operation];
  };
  assert.deepEqual(activity('crm.contacts.create'), [1, 'crm.contacts.create']);
  assert.deepEqual(activity('getInvoice'), [2, 'getInvoice']);
  assert.deepEqual(activity('list_files'), [2, 'list_files']);
  assert.deepEqual(activity('crm.update-contact'), [3, 'crm.update-contact']);
  assert.deepEqual(activity('deleteRepository'), [4, 'deleteRepository']);
  assert.deepEqual(activity('billing.refund'), [99, 'billing.refund']);
  assert.deepEqual(activity('address.book'), [99, 'address.book']);
});

test('exports an unknown type as API activity', () => {
  assert.equal(buildOcsfEvent(event({ type: 'later.happened' })).class_uid, 6003);
  assert.equal(buildOcsfEvent(event({ type: 'constructor' })).class_uid, 6003);
});

test('writes no CSV field that a spreadsheet evaluates, and keeps quotes and breaks in their field', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|cmd', '%0A=1']) {
    const line = buildCsvLine(event({ actor: { type: 'USER', id: 'usr_1', name } }));
    assert.ok(line.includes(`"'${name}"`), JSON.stringify(line));
  }
  assert.ok(buildCsvLine(event({ actor: { type: 'USER', id: 'u', name: 'a "b",\r\nc' } })).includes('"a ""b"",\r\nc"'));
  assert.ok(buildCsvLine(event()).startsWith('7,"evt_1","agent.created",'));
});

test('keeps semicolon-separated fields safe too, with the same meaning', () => {
  const data = { names: ['a;=1', ';;+1', ';"@SUM(1)', '; -1', 'a;b', ';＝1'] };
  const line = buildCsvLine(event({ actor: { type: 'USER', id: 'u', name: 'w;@SUM(1);"=2;b' }, data }));
  for (const field of line.split(';').slice(1)) assert.doesNotMatch(field, /^[\s"\\]*[=+\-@|%＝]/, line);
  assert.ok(line.includes(`"w;'@SUM(1);'""=2;b"`), line);
  const [, told = ''] = /,"(\{.*\})",{7}\r\n$/.exec(line) ?? [];
  assert.deepEqual(JSON.parse(told.replaceAll('""', '"')), data);
});

test('an exported decision states its code, reason, amount, rule and policy version in CSV and OCSF', () => {
  const data = {
    ...{ code: 'ACTION_BLOCKED', reason: 'Refunds above 50 need a person.', amount: 9500, currency: 'USD' },
    ...{ rule_id: 'large', policy_id: 'pol_1', policy_version_id: 'pvr_1', policy_version: 3 },
  };
  const blocked = event({ type: 'action.blocked', data });
  assert.ok(CSV_HEADER.endsWith(',"data","decision_code","reason","amount","currency","rule_id","policy_id","policy_version"\r\n'));
  assert.ok(buildCsvLine(blocked).endsWith(',"ACTION_BLOCKED","Refunds above 50 need a person.",9500,"USD","large","pol_1",3\r\n'));
  const { status_code, status_detail, unmapped } = buildOcsfEvent(blocked) as Readonly<Record<string, unknown>>;
  assert.deepEqual([status_code, status_detail], ['ACTION_BLOCKED', 'Refunds above 50 need a person.']);
  assert.deepEqual((unmapped as { data: unknown }).data, data);
});
