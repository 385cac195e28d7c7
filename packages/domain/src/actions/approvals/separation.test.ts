import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import {
  type ApprovalLink,
  canBeGranted,
  excludedAlways,
  excludedWherePossible,
  type PossibleApprover,
  resolveSeparation,
} from './separation.ts';

const link = (user_id: string, kind: ApprovalLink['link'], alone = false): ApprovalLink => ({ user_id, link: kind, alone });
const person = (user_id: string, more: Partial<PossibleApprover> = {}): PossibleApprover => ({
  user_id,
  role: { ...getBuiltInRole('approver'), built_in: true },
  stands_for: [],
  handed_to: null,
  ...more,
});
const ONE = { quorum: 1, approver_roles: ['approver'] };
const LINKS = [link('ann', 'REQUEST'), link('ben', 'TAKEOVER', true), link('cem', 'AGENT'), link('ann', 'AGENT')];

test('excludes people behind the request always, and people behind the agent where the rule is strict', () => {
  assert.deepEqual([...excludedAlways(LINKS, false)], [['ann', 'REQUEST']]);
  const strict = new Map([
    ['ann', 'REQUEST'],
    ['ben', 'REQUEST'],
    ['cem', 'AGENT'],
  ]);
  assert.deepEqual(excludedAlways(LINKS, true), strict);
  assert.deepEqual(excludedWherePossible(LINKS), strict);
});

test('excludes people who replaced a key while someone else may approve anything', () => {
  assert.equal(excludedAlways([link('ben', 'TAKEOVER', false)], false).get('ben'), 'REQUEST');
});

test('counts as grantable what the other people can grant', () => {
  const cem = new Map([['cem', 'AGENT' as const]]);
  assert.equal(canBeGranted(ONE, [person('cem')], new Map()), true);
  assert.equal(canBeGranted(ONE, [person('cem')], cem), false);
  assert.equal(canBeGranted({ ...ONE, quorum: 2 }, [person('cem'), person('dan')], cem), false);
  assert.equal(canBeGranted(ONE, [], new Map()), false);
});

test('counts a reassigned vote with its target, and with its first person once the target cannot vote', () => {
  const target = { user_id: 'dan', role: person('dan').role };
  const ann = person('ann', { handed_to: target });
  assert.equal(canBeGranted(ONE, [ann], new Map()), false);
  assert.equal(canBeGranted(ONE, [ann], new Map([['dan', 'AGENT' as const]])), true);
  assert.equal(canBeGranted(ONE, [person('ann', { handed_to: { user_id: 'dan', role: null } })], new Map()), true);
});

test('counts a role of a later escalation as requested', () => {
  const later = { people: [], escalates_to: 'approver', escalates_at: '2030-01-01T00:00:00.000Z', escalated: false };
  const terms = { quorum: 1, approver_roles: ['security'], approver_groups: [later] };
  assert.equal(canBeGranted(terms, [person('ann')], new Map()), true);
});

test('decides if votes are enough without anyone behind the agent', () => {
  const linked = new Map([['cem', 'AGENT' as const]]);
  assert.equal(resolveSeparation(ONE, [person('cem'), person('dan')], linked), 'STRICT');
  assert.equal(resolveSeparation(ONE, [person('cem')], linked), 'WHEN_POSSIBLE');
});
