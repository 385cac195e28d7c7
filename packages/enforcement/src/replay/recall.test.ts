import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { readTrace } from './read-trace.ts';
import { recall, type Wanted } from './recall.ts';
import type { CurrentFacts, RecordedAction } from './recorded-action.ts';

const action: RecordedAction = {
  id: 'act_1',
  created_at: '2026-03-02T23:30:00.000Z',
  agent_id: 'agt_1',
  agent_name: 'clerk',
  environment_id: 'env_1',
  workspace_id: 'wsp_1',
  tool: 'pay',
  tool_id: 'tool_1',
  principal_type: 'AGENT',
  principal_id: 'agt_1',
  mode: 'ENFORCE',
  decision: 'ALLOW',
  amount: 500,
  currency: 'EUR',
  destination: 'api.example.com:443',
  parameters: { order: 'A1' },
  explanation: { authority: { source: 'GRANT' } },
};
const today: CurrentFacts = {
  now: new Date('2026-03-10T00:00:00.000Z'),
  environment_type: 'PRODUCTION',
  base_currency: 'EUR',
  time_zone: 'Europe/Berlin',
  rates: newRateTable('EUR', []),
  agent: { labels: { team: 'red' }, capabilities: ['pay'], created_at: '2026-03-01T00:00:00.000Z' },
  tool: { required_capability: 'pay', risk_rating: 'LOW', dangerous: false, kind: 'SDK' },
};
const WANTED: Wanted = { time: true, currencies: new Set(['EUR']) };
const condition = (field: string, more: object) => ({ field, op: 'eq', unknown_because: null, outcome: 'true', ...more });
const explained = (...conditions: object[]) => ({ matched_rules: [{ conditions }], stages: [], authority: { source: 'GRANT' } });
const recalled = (more: Partial<RecordedAction> = {}, now: Partial<CurrentFacts> = {}) => {
  const one = { ...action, ...more };
  return recall(one, { ...today, ...now }, readTrace(one.explanation), WANTED);
};

describe('a recalled request', () => {
  test('has the stored values, the time of the request, and otherwise current values', () => {
    const { context } = recalled();
    assert.deepEqual(
      [context.time?.date, context.time?.hour, context.agent?.created_days, context.amount, context.destination],
      ['2026-03-03', 0, 1, 500, { host: 'api.example.com', port: 443 }],
    );
    assert.deepEqual([context.tool?.risk_rating, context.agent?.labels, context.capability], ['LOW', { team: 'red' }, 'pay']);
  });

  test('has what the rules saw then instead of current values', () => {
    const explanation = explained(
      condition('agent.labels.team', { actual: 'blue' }),
      condition('request.source_ip', { actual: '10.0.0.1' }),
      condition('tool.risk_rating', { actual: 'HIGH' }),
    );
    const { context, lacks } = recalled({ explanation });
    assert.deepEqual(
      [context.agent?.labels, context.request?.source_ip, context.tool?.risk_rating, context.tool?.kind],
      [{ team: 'blue' }, '10.0.0.1', 'HIGH', 'SDK'],
    );
    assert.equal(lacks('request.source_ip'), false);
    assert.deepEqual(today.agent?.labels, { team: 'red' });
  });

  test('lacks what was not stored, which differs from what did not exist', () => {
    const { lacks } = recalled({ amount: null, destination: null });
    assert.deepEqual([lacks('request.source_ip'), lacks('approval.present')], [true, true]);
    for (const field of ['amount', 'destination.host', 'parameters.none', 'currency', 'agent.labels.none', 'time.hour', 'delegation.depth'])
      assert.equal(lacks(field), false, field);
    const missing = { actual: undefined, unknown_because: 'missing', outcome: 'unknown' };
    assert.equal(recalled({ explanation: explained(condition('request.source_ip', missing)) }).lacks('request.source_ip'), false);
  });

  test('lacks what only the former agent or tool could state if they are gone', () => {
    const { lacks } = recalled({}, { agent: undefined, tool: undefined });
    assert.deepEqual(
      [lacks('agent.labels.team'), lacks('agent.created_days'), lacks('tool.risk_rating'), lacks('tool.name')],
      [true, true, true, false],
    );
  });

  test('uses nothing from a trace that was shortened or masked', () => {
    const explanation = explained(
      condition('agent.labels.key', { actual: MASKED }),
      condition('agent.name', { actual: 'x'.repeat(200) }),
      condition('agent.capabilities', { actual: ['a', '… 9 more'] }),
    );
    const { context } = recalled({ explanation });
    assert.deepEqual([context.agent?.labels, context.agent?.name, context.agent?.capabilities], [{ team: 'red' }, 'clerk', ['pay']]);
  });

  test('lacks masked parameters, in lists too', () => {
    const { lacks } = recalled({ parameters: { customer: { iban: MASKED, name: 'n' }, items: [{ email: MASKED, sku: 'a' }] } });
    for (const field of ['parameters.customer.iban', 'parameters.customer', 'parameters.items.*.email', 'parameters.items.0.email'])
      assert.equal(lacks(field), true, field);
    for (const field of ['parameters.customer.name', 'parameters.order']) assert.equal(lacks(field), false, field);
  });

  test('has an amount in another currency as it was converted then, or lacks it without a rate', () => {
    const conversions = [{ currency: 'EUR', amount: 450, rates: [] }];
    assert.equal(recalled({ currency: 'USD', explanation: { conversions } }).context.amount, 450);
    const without = recalled({ currency: 'USD' });
    assert.deepEqual([without.context.amount, without.lacks('amount')], [undefined, true]);
  });

  test('knows the delegation it rested on', () => {
    const authority = { source: 'DELEGATION', depth: 2, root_principal: { type: 'USER', id: 'usr_1' } };
    assert.deepEqual(recalled({ explanation: { authority } }).context.delegation, { depth: 2, root_principal: 'usr_1' });
    assert.equal(recalled({ explanation: { authority: { source: 'DELEGATION' } } }).lacks('delegation.depth'), true);
    assert.deepEqual(recalled({ explanation: { authority: { source: 'GRANT' } } }).context.delegation, { depth: 0 });
  });

  test('never throws on an explanation of any shape', () => {
    for (const explanation of [
      null,
      5,
      'x',
      [],
      { matched_rules: 5 },
      { matched_rules: [null, { conditions: [7, {}] }], stages: [1], conversions: [{}] },
    ])
      assert.equal(recalled({ explanation }).context.tool?.name, 'pay');
  });
});
