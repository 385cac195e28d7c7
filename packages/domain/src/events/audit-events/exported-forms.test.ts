import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { ALL_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { CSV_HEADER, csvLine } from './csv-line.ts';
import { ocsfEvent } from './ocsf-event.ts';

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

/** What the schema requires of each class, by its number. */
const REQUIRED: Readonly<Record<number, readonly string[]>> = {
  6003: ['api', 'src_endpoint', 'actor'],
  3002: ['user', 'service'],
  3001: ['user'],
  3004: ['entity'],
  2004: ['finding_info'],
};
const BASE = ['activity_id', 'category_uid', 'class_uid', 'type_uid', 'time', 'severity_id', 'metadata'] as const;

test('every type is told in OCSF as a class with all that the class requires', () => {
  for (const type of ALL_EVENT_TYPES) {
    const told: Record<string, unknown> = ocsfEvent(event({ type }));
    const { class_uid, activity_id, type_uid, category_uid } = told as { [name: string]: number };
    const wanted = REQUIRED[class_uid ?? 0];
    assert.ok(wanted, type);
    for (const member of [...BASE, ...wanted]) assert.notEqual(told[member], undefined, `${type} has no ${member}`);
    assert.equal(type_uid, Number(class_uid) * 100 + Number(activity_id));
    assert.equal(category_uid, Math.floor(Number(class_uid) / 1000));
    assert.deepEqual(Object.keys(told.metadata as object).slice(0, 2), ['version', 'product']);
    if (activity_id === 99) assert.equal(told.activity_name, type);
  }
});

test('a type that this release does not know is told all the same', () => {
  assert.equal(ocsfEvent(event({ type: 'later.happened' })).class_uid, 6003);
  assert.equal(ocsfEvent(event({ type: 'constructor' })).class_uid, 6003);
});

test('no field of a CSV is worked out by a spreadsheet, and quotes and breaks stay in their field', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|cmd', '%0A=1']) {
    const line = csvLine(event({ actor: { type: 'USER', id: 'usr_1', name } }));
    assert.ok(line.includes(`"'${name}"`), JSON.stringify(line));
  }
  assert.ok(csvLine(event({ actor: { type: 'USER', id: 'u', name: 'a "b",\r\nc' } })).includes('"a ""b"",\r\nc"'));
  assert.ok(csvLine(event()).startsWith('7,"evt_1","agent.created",'));
});

test('nor of one whose fields are parted by semicolons, and what it tells stays the same', () => {
  const data = { names: ['a;=1', ';;+1', ';"@SUM(1)', '; -1', 'a;b', ';＝1'] };
  const line = csvLine(event({ actor: { type: 'USER', id: 'u', name: 'w;@SUM(1);"=2;b' }, data }));
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
  assert.ok(csvLine(blocked).endsWith(',"ACTION_BLOCKED","Refunds above 50 need a person.",9500,"USD","large","pol_1",3\r\n'));
  const { status_code, status_detail, unmapped } = ocsfEvent(blocked) as Readonly<Record<string, unknown>>;
  assert.deepEqual([status_code, status_detail], ['ACTION_BLOCKED', 'Refunds above 50 need a person.']);
  assert.deepEqual((unmapped as { data: unknown }).data, data);
});
