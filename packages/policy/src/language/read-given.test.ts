import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { readGiven } from './read-given.ts';

const whole: PolicyContext = {
  principal: { type: 'AGENT', id: 'agt_1' },
  agent: { id: 'agt_1', name: 'bot', labels: { team: 'support', 'cost.center': '7' }, capabilities: ['a', 'b'], created_days: 3 },
  environment: { type: 'PRODUCTION', mode: 'ENFORCE' },
  workspace: { id: 'wsp_1' },
  tool: { name: 'refund.create', capability: 'payments.refund', risk_rating: 'HIGH', dangerous: false, kind: 'HTTP' },
  capability: 'payments.refund',
  amount: 50_000,
  currency: 'EUR',
  parameters: { customer: { iban: 'DE89' }, items: [{ sku: 'A1' }] },
  destination: { host: 'api.example.com', port: 443, ip: '203.0.113.7' },
  delegation: { depth: 2, root_principal: 'usr_1' },
  approval: { present: true },
  time: { hour: 8, clock: '08:30', weekday: 'MON', date: '2026-03-02' },
  request: { source_ip: '2001:db8::1' },
};

const getFaults = (given: Record<string, unknown>): Record<string, string> => {
  const read = readGiven(given);
  assert.ok(!read.ok, 'the given context is refused');
  return Object.fromEntries(read.faults.map((fault) => [fault.pointer, fault.message]));
};

test('reads a whole context back unchanged', () => {
  assert.deepEqual(readGiven(whole), { ok: true, context: whole });
});

test('reads dotted names, nested objects and a mix of both alike', () => {
  const context = { tool: { name: 'x', dangerous: true }, agent: { id: 'agt_1', labels: { 'a.b': 'c' } }, amount: 5 };
  assert.deepEqual(readGiven(context), { ok: true, context });
  assert.deepEqual(readGiven({ 'tool.name': 'x', 'tool.dangerous': true, 'agent.id': 'agt_1', 'agent.labels.a.b': 'c', amount: 5 }), {
    ok: true,
    context,
  });
  assert.deepEqual(readGiven({ tool: { name: 'x' }, 'tool.dangerous': true, agent: { id: 'agt_1', 'labels.a.b': 'c' }, amount: 5 }), {
    ok: true,
    context,
  });
});

test('reads dotted parameters as objects, with escaped keys', () => {
  const read = readGiven({ 'parameters.customer.iban': 'DE89', 'parameters.customer.name': null, 'parameters.a~1b': [1] });
  assert.deepEqual(read, { ok: true, context: { parameters: { customer: { iban: 'DE89', name: null }, 'a.b': [1] } } });
});

test('reads inherited names as own members and changes nothing else', () => {
  const read = readGiven(JSON.parse('{"parameters.__proto__.admin": true, "parameters.constructor": 1, "agent.labels.__proto__": "x"}'));
  assert.ok(read.ok);
  assert.ok(Object.hasOwn(read.context.parameters ?? {}, '__proto__'));
  assert.ok(Object.hasOwn(read.context.agent?.labels ?? {}, '__proto__'));
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test('leaves its input unchanged', () => {
  const given = { parameters: Object.freeze({ a: 1 }), tool: Object.freeze({ name: 'x' }), 'tool.kind': 'SDK' };
  assert.deepEqual(readGiven(given), { ok: true, context: { parameters: { a: 1 }, tool: { name: 'x', kind: 'SDK' } } });
  assert.deepEqual(given.tool, { name: 'x' });
});

test('rejects each value of the wrong type at its pointer', () => {
  const faults = getFaults({
    amount: 1.5,
    currency: 'euro',
    tool: { name: 5, risk_rating: 'high', dangerous: 'no' },
    'principal.type': 'ROBOT',
    agent: { capabilities: 'a', labels: { team: 1 }, created_days: -1 },
    destination: { port: 70_000, host: null },
    time: { hour: 24, clock: '8:30', weekday: 'Monday', date: '2026-02-30' },
    request: { source_ip: '::1::2' },
    approval: { present: 'yes' },
    parameters: [],
  });
  assert.deepEqual(Object.keys(faults).sort(), [
    '/agent/capabilities',
    '/agent/created_days',
    '/agent/labels/team',
    '/amount',
    '/approval/present',
    '/currency',
    '/destination/host',
    '/destination/port',
    '/parameters',
    '/principal.type',
    '/request/source_ip',
    '/time/clock',
    '/time/date',
    '/time/hour',
    '/time/weekday',
    '/tool/dangerous',
    '/tool/name',
    '/tool/risk_rating',
  ]);
  assert.match(faults['/agent/capabilities'] ?? '', /list of strings/);
  assert.match(faults['/tool/risk_rating'] ?? '', /LOW, MEDIUM, HIGH, CRITICAL/);
});

test('rejects an unknown name, a part that is no object and a value given twice', () => {
  assert.match(getFaults({ 'tool.nmae': 'x' })['/tool.nmae'] ?? '', /Did you mean "tool.name"/);
  assert.match(getFaults({ tool: 'x' })['/tool'] ?? '', /object of its fields/);
  assert.match(getFaults({ tool: { name: 'x' }, 'tool.name': 'x' })['/tool.name'] ?? '', /given twice/);
  assert.match(getFaults({ parameters: {}, 'parameters.a': 1 })['/parameters.a'] ?? '', /not both/);
  assert.match(getFaults({ 'parameters.a': 1, 'parameters.a.b': 2 })['/parameters.a.b'] ?? '', /given twice/);
  assert.match(getFaults({ 'parameters.items.0': 1 })['/parameters.items.0'] ?? '', /lists as a whole/);
  assert.match(getFaults({ 'parameters.*': 1 })['/parameters.*'] ?? '', /lists as a whole/);
});

test('starts pointers at the position that the caller names', () => {
  const read = readGiven({ amount: 'x' }, '/tests/3/given');
  assert.ok(!read.ok);
  assert.equal(read.faults[0]?.pointer, '/tests/3/given/amount');
});
