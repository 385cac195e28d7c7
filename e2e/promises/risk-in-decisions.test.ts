import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const TOOL = { destination_allowlist: ['*.example.com'], destination_from: '/url', parameters_schema: { type: 'object' } };
const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
  {
    id: 'no-secrets',
    effect: 'BLOCK',
    reason: 'A secret leaves.',
    when: { field: 'risk.signals', op: 'contains', value: 'secret_in_parameters' },
  },
  { id: 'risky', effect: 'REQUIRE_APPROVAL', reason: 'Too risky.', when: { field: 'risk.score', op: 'gte', value: 15 } },
];
const newScene = () => newGoverned(planes, { tool: TOOL, rules: RULES });
const parameters = (text: string) => ({ url: 'https://api.example.com/in', text });

test('a signal refuses nothing by itself: only a rule that reads it does, and the decision states which', async () => {
  const { act, owner } = await newScene();
  const calm = await act({ parameters: parameters('hello') });
  assert.equal(calm.status, 200, calm.text);
  const blocked = await act({ parameters: parameters(SECRET) });
  assert.equal(blocked.json.error.code, 'ACTION_BLOCKED');
  const { decision } = blocked.json.error.details;
  const [signal] = decision.explanation.risk.signals;
  assert.deepEqual([signal.name, signal.family, signal.counted, signal.subject], ['secret_in_parameters', 'content', 40, '/text']);
  assert.equal(decision.explanation.risk.score, 40);
  assert.ok(!blocked.text.includes(SECRET));
  const record = await owner('GET', `/v1/actions/${decision.action_id}`);
  assert.deepEqual(record.json.explanation.risk, decision.explanation.risk);
  const held = await act({ parameters: parameters('account DE89 3704 0044 0532 0130 00') });
  assert.equal(held.json.error.code, 'APPROVAL_REQUIRED', held.text);
});

test('evaluate and simulate see the same signals, and reading writes nothing', async () => {
  const { agent, owner, act } = await newScene();
  const database = await planes.database.client();
  try {
    const before = await readTables(database);
    const request = { agent_id: agent.id, tool: 'pay', parameters: parameters(SECRET) };
    const dry = await owner('POST', '/v1/actions/evaluate', { ...request, dry_run: true });
    assert.equal(dry.json.explanation.risk.signals[0].name, 'secret_in_parameters', dry.text);
    const simulated = await owner('POST', '/v1/policies/simulate', { ...request, destination: 'api.example.com' });
    assert.equal(simulated.json.explanation.risk.signals[0].name, 'secret_in_parameters', simulated.text);
    assert.equal(simulated.json.explanation.risk.complete, false);
    const dryAct = await act({ parameters: parameters(SECRET), dry_run: true });
    assert.equal(dryAct.json.error.details.decision.explanation.risk.score, 40);
    assert.deepEqual(await readTables(database), before);
  } finally {
    await database.end();
  }
});
