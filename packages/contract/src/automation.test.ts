import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getMemberRules, getSecurityMembers, isPersonal } from './automation.ts';
import { CONDITIONAL_STEP_UPS } from './conditional-step-ups.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { AutomationRule } from './rows/automation-rule.ts';
import { type Endpoint, getAutomationRule, stepUpOfRow } from './rows/endpoint.ts';
import { BUILT_IN_ROLES } from './tables/built-in-roles.ts';

const ROWS = Object.entries(ENDPOINTS) as [string, Endpoint][];
const isStepUp = (rule: AutomationRule | undefined): boolean =>
  rule === 'STEP_UP' || (typeof rule === 'object' && rule.operation === 'STEP_UP');

test('every row that an API key can reach and that changes something states what the key may do, and no other row does', () => {
  for (const [name, row] of ROWS) {
    const isReached = row.credential === 'caller' && row.method !== 'GET';
    assert.equal(getAutomationRule(row) !== undefined, isReached, name);
    if (!isReached) assert.equal(row.automation, undefined, name);
  }
});

test('STEP_UP is stated for exactly the operations that always need one', () => {
  for (const [name, row] of ROWS)
    assert.equal(isStepUp(getAutomationRule(row)), row.credential === 'caller' && row.method !== 'GET' && stepUpOfRow(row) === true, name);
});

test('members of bodies are named, except those of other releases', () => {
  const ahead = new Set(['email_trust']);
  const named = ROWS.filter(([name]) => name !== 'createSsoConnection').flatMap(([name, row]) => {
    const properties = (row.body as { properties?: object } | undefined)?.properties ?? {};
    return Object.keys(getMemberRules(row)).flatMap((member) => (member in properties || ahead.has(member) ? [] : [`${name} ${member}`]));
  });
  assert.deepEqual(named, []);
});

test('the settings of sign-in are listed', () => {
  assert.deepEqual(getSecurityMembers(ENDPOINTS.updateOrganization), ['require_mfa', 'allowed_networks']);
  const connection = getSecurityMembers(ENDPOINTS.updateSsoConnection);
  for (const member of ['enforce', 'trusts_mfa', 'email_trust', 'domains', 'certificates', 'client_secret'])
    assert.ok(connection.includes(member), member);
});

test('a key cannot grant a permission that needs a step-up, decides approvals, or concerns people, roles or keys', () => {
  assert.equal(BUILT_IN_ROLES[0].permissions.filter(isPersonal).length, 13 + 2 + 4 + 4 + 3 - 1, 'role:update is one of the thirteen');
  assert.ok(!isPersonal('agent:read') && !isPersonal('policy:create') && isPersonal('member:read') && isPersonal('environment:set_mode'));
});

test('each row that may need a step-up states for which requests', () => {
  const marked = ROWS.filter(([, { mayNeed }]) => mayNeed?.includes('step_up')).map(([name]) => name);
  assert.deepEqual(Object.keys(CONDITIONAL_STEP_UPS).sort(), marked.sort());
});
