import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RULE_CONDITION_NAMES, RULE_CONDITIONS } from '@svc/contract/incidents/incident-rules/conditions.ts';
import { addFinding, type ComparedRule, matchEvent } from './match-event.ts';

const rule = (more: Partial<ComparedRule>): ComparedRule => ({
  ...{ id: 'irl_1', environment_id: 'env_1', condition: 'REFUSALS', score: null, code: null, key: 'AGENT', count: 1, within_seconds: 60 },
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

const event = (type: string, data: object, more: object = {}) =>
  ({
    ...{ type, environment_id: 'env_1', occurred_at: '2026-01-02T00:00:00.000Z', subject: { type: 'action', id: 'act_1' }, ...more },
    data: { agent_id: 'agt_1', tool: 'pay', ...data },
  }) as Parameters<typeof matchEvent>[1];

describe('a rule that opens incidents', () => {
  test('matches its condition, and nothing of another environment or from before it was created', () => {
    const blocked = event('action.blocked', { code: 'ACTION_BLOCKED' });
    assert.equal(matchEvent(rule({}), blocked), 'agt_1');
    assert.equal(matchEvent(rule({ key: 'TOOL' }), blocked), 'pay');
    assert.equal(matchEvent(rule({ key: 'ENVIRONMENT' }), blocked), 'env_1');
    assert.equal(matchEvent(rule({ environment_id: 'env_2' }), blocked), undefined);
    assert.equal(matchEvent(rule({ created_at: '2026-01-02T00:00:00.001Z' }), blocked), undefined);
    assert.equal(matchEvent(rule({}), event('action.blocked', { code: 'VALIDATION_FAILED' })), undefined);
    assert.equal(matchEvent(rule({}), event('action.allowed', {})), undefined);
  });

  test('compares scores and codes', () => {
    const risky = (score: number) => event('action.allowed', { risk: { score } });
    assert.equal(matchEvent(rule({ condition: 'RISK_SCORE', score: 40 }), risky(40)), 'agt_1');
    assert.equal(matchEvent(rule({ condition: 'RISK_SCORE', score: 40 }), risky(39)), undefined);
    const refused = event('action.blocked', { code: 'DESTINATION_BLOCKED' });
    assert.equal(matchEvent(rule({ condition: 'REFUSAL_CODE', code: 'DESTINATION_BLOCKED' }), refused), 'agt_1');
    assert.equal(matchEvent(rule({ condition: 'REFUSAL_CODE', code: 'TOOL_DISABLED' }), refused), undefined);
    assert.equal(matchEvent(rule({ condition: 'OUTCOME_UNKNOWN' }), event('action.failed', { status: 'UNKNOWN' })), 'agt_1');
    assert.equal(matchEvent(rule({ condition: 'OUTCOME_UNKNOWN' }), event('action.failed', { status: 'FAILED' })), undefined);
  });

  test('finds evidence that lowers an agent, and failed sign-ins, and no other evidence or signal', () => {
    const added = (after: object) => event('trust.evidence_added', { after });
    const failed = rule({ condition: 'EVIDENCE_FAILED' });
    assert.equal(matchEvent(failed, added({ result: 'FAILED' })), 'agt_1');
    assert.equal(matchEvent(failed, added({ result: null, lowers: true })), 'agt_1');
    assert.equal(matchEvent(failed, added({ result: 'PASSED', lowers: false })), undefined);
    assert.equal(matchEvent(failed, added({})), undefined);
    const found = (signal: string) => event('risk.event_created', { signal });
    assert.equal(matchEvent(rule({ condition: 'ASSERTION_FAILURES' }), found('assertion_failures')), 'agt_1');
    assert.equal(matchEvent(rule({ condition: 'ASSERTION_FAILURES' }), found('new_destination')), undefined);
  });

  test('groups a changed pin by its MCP server', () => {
    const changed = event('mcp.server_quarantined', { agent_id: undefined }, { subject: { type: 'mcp_server', id: 'mcp_1' } });
    assert.equal(matchEvent(rule({ condition: 'MCP_SERVER_QUARANTINED', key: 'MCP_SERVER' }), changed), 'mcp_1');
  });

  test('has a default key for each condition', () => {
    for (const condition of RULE_CONDITION_NAMES) assert.ok(RULE_CONDITIONS[condition].keys.length > 0);
  });

  test('counts findings within its time, and keeps no more times than it counts', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
    let found: readonly string[] = [];
    const met: boolean[] = [];
    for (const seconds of [0, 50, 70, 100, 109, 400]) {
      const window = addFinding({ count: 3, within_seconds: 60 }, found, at(seconds));
      found = window.found;
      met.push(window.isMet);
    }
    assert.deepEqual(met, [false, false, false, true, true, false]);
    assert.equal(found.length, 3);
  });
});
