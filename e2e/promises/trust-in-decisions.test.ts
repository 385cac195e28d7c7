import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, type GovernedOptions, newGoverned } from '@svc/testing/agents/governed.ts';
import { newEvidenceKey, newStatement } from '@svc/testing/evidence/signed-evidence.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

const reason = 'test';
const KINDS = ['security_review', 'test_result', 'provenance'] as const;

type Scene = Governed & {
  readonly addToken: (kind: string, seconds?: number, claims?: object) => Promise<{ readonly id: string }>;
  readonly addProvenance: (artifact: string) => Promise<{ readonly id: string }>;
  readonly providerId: string;
  readonly send: (method: string, path: string, body?: object) => Promise<{ readonly id: string }>;
};

let made = 0;
/** Creates a governed agent whose provider signs with a key of its own. */
const newScene = async (policy: GovernedOptions = {}): Promise<Scene> => {
  const governed = await newGoverned(planes, policy);
  const { owner, agent } = governed;
  const key = newEvidenceKey();
  const send: Scene['send'] = async (method, path, body) => {
    const answer = await owner(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  const provider = { name: 'Security', kind: 'KEYS', keys: [key.jwk], evidence_kinds: [...KINDS], max_level: 3 };
  const { id: providerId } = await send('POST', '/v1/trust/providers', provider);
  const add = (body: object, seconds: number) =>
    send('POST', '/v1/trust/evidence', {
      ...{ agent_id: agent.id, provider_id: providerId, expires_at: new Date(Date.now() + seconds * 1_000).toISOString() },
      ...body,
    });
  return {
    ...governed,
    providerId,
    send,
    addToken: (kind, seconds = 86_400, claims = {}) => {
      made += 1;
      const exp = Math.floor(Date.now() / 1_000) + 100 * 86_400;
      const document = key.token({ sub: agent.id, evidence_kind: kind, exp, made, ...claims });
      return add({ kind, format: 'JWS', document }, seconds);
    },
    addProvenance: (artifact) => {
      const document = key.envelope(newStatement(artifact, 'https://slsa.dev/provenance/v1'));
      return add({ kind: 'provenance', format: 'DSSE', document }, 86_400);
    },
  };
};

const readCode = async (answer: ReturnType<Governed['act']>): Promise<string> => {
  const { status, json } = await answer;
  return status === 200 ? 'ALLOWED' : json.error.code;
};
const askBoth = ({ act }: Scene) => Promise.all([readCode(act({}, { gateway: 0 })), readCode(act({}, { gateway: 1 }))]);
const INSUFFICIENT = ['TRUST_EVIDENCE_INSUFFICIENT', 'TRUST_EVIDENCE_INSUFFICIENT'];
const ALLOWED = ['ALLOWED', 'ALLOWED'];

test('a requirement of the environment or the tool refuses until the evidence exists, states what is missing, and is in the explanation', async () => {
  const scene = await newScene();
  const { act, tenant, tool, agent, owner, send, addToken } = scene;
  assert.deepEqual(await askBoth(scene), ALLOWED);
  await send('PUT', `/v1/tools/${tool.id}/trust`, { requires: { level: 3, evidence: ['security_review'] }, reason });
  assert.deepEqual(await askBoth(scene), INSUFFICIENT);
  const refused = await act({});
  assert.equal(refused.status, 403);
  const { details, message } = refused.json.error;
  assert.deepEqual([details.required_by, details.level, details.missing_kinds], ['TOOL', 0, ['security_review']], refused.text);
  assert.match(message, /requires trust evidence/);
  const { explanation } = details.decision;
  const finding = explanation.stages.find(({ stage }: { stage: string }) => stage === 'trust');
  assert.deepEqual([finding.outcome, finding.code], ['refused', 'TRUST_EVIDENCE_INSUFFICIENT'], JSON.stringify(explanation.stages));
  const record = await owner('GET', `/v1/actions/${details.decision.action_id}`);
  assert.equal(record.json.code, 'TRUST_EVIDENCE_INSUFFICIENT', record.text);
  await addToken('security_review');
  assert.deepEqual(await askBoth(scene), ALLOWED);
  await send('PUT', `/v1/environments/${tenant.environment_id}/trust`, { requires: { level: 1, evidence: ['test_result'] }, reason });
  const missing = await act({});
  assert.equal(missing.json.error.details.required_by, 'ENVIRONMENT', missing.text);
  const trust = (await owner('GET', `/v1/agents/${agent.id}/trust`)).json;
  assert.deepEqual(
    trust.requirements.map(({ of, is_met }: { of: string; is_met: boolean }) => [of, is_met]),
    [
      ['ENVIRONMENT', false],
      ['TOOL', true],
    ],
  );
  await addToken('test_result');
  assert.deepEqual(await askBoth(scene), ALLOWED);
  const simulated = await owner('POST', '/v1/policies/simulate', { agent_id: agent.id, tool: 'pay' });
  assert.equal(simulated.status, 200, simulated.text);
});

test('a statement of a person does not replace a signed kind, and old evidence does not count', async () => {
  const scene = await newScene();
  const { tool, agent, send, addToken } = scene;
  const manual = await send('POST', '/v1/trust/providers', { name: 'People', kind: 'MANUAL', evidence_kinds: [...KINDS], max_level: 2 });
  await addToken('test_result');
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const statement = { agent_id: agent.id, provider_id: manual.id, kind: 'security_review', format: 'NONE', note: 'Fine.', expires_at };
  await send('POST', '/v1/trust/evidence', statement);
  await send('PUT', `/v1/tools/${tool.id}/trust`, { requires: { level: 3, evidence: ['security_review'] }, reason });
  assert.deepEqual(await askBoth(scene), INSUFFICIENT);
  await addToken('security_review', 86_400, { iat: Math.floor(Date.now() / 1_000) - 40 * 86_400 });
  assert.deepEqual(await askBoth(scene), ALLOWED);
  await send('PUT', `/v1/tools/${tool.id}/trust`, { requires: { level: 3, evidence: ['security_review'], max_age_days: 30 }, reason });
  assert.deepEqual(await askBoth(scene), INSUFFICIENT);
  await addToken('security_review');
  assert.deepEqual(await askBoth(scene), ALLOWED);
});

test('OBSERVE does not relax it', async () => {
  const scene = await newScene();
  const { tenant, send } = scene;
  await send('PUT', `/v1/environments/${tenant.environment_id}/trust`, { requires: { level: 1 }, reason });
  await send('POST', `/v1/environments/${tenant.environment_id}/gateway-mode`, { mode: 'OBSERVE', reason });
  assert.deepEqual(await askBoth(scene), INSUFFICIENT);
});

test('revoking, disabling and swapping affect the next decision on every gateway, also with requests in flight', async () => {
  for (let round = 0; round < 8; round += 1) {
    const scene = await newScene();
    const { act, agent, tool, send, addToken, addProvenance, providerId } = scene;
    await send('PUT', `/v1/agents/${agent.id}/trust/artifacts`, { artifact_digests: ['a'.repeat(64)] });
    const { id } = round % 4 === 0 ? await addToken('security_review') : await addProvenance('a'.repeat(64));
    await send('PUT', `/v1/tools/${tool.id}/trust`, { requires: { level: 3 }, reason });
    assert.deepEqual(await askBoth(scene), ALLOWED);
    const flying = Array.from({ length: 10 }, (_, n) => readCode(act({}, { gateway: n % 2 })));
    if (round % 4 === 2) await send('POST', `/v1/trust/providers/${providerId}/disable`, { reason });
    else if (round % 4 === 3) await send('PUT', `/v1/agents/${agent.id}/trust/artifacts`, { artifact_digests: ['b'.repeat(64)] });
    else await send('POST', `/v1/trust/evidence/${id}/revoke`, { reason });
    assert.deepEqual(await askBoth(scene), INSUFFICIENT, `round ${round}`);
    for (const code of await Promise.all(flying)) assert.match(code, /^(ALLOWED|TRUST_EVIDENCE_INSUFFICIENT)$/);
    assert.deepEqual(await askBoth(scene), INSUFFICIENT);
  }
});

test('evidence ends at its expiry by the clock of decisions, and each event is written once', async () => {
  const scene = await newScene();
  const { act, tool, owner, send, addToken, providerId } = scene;
  await send('PUT', `/v1/tools/${tool.id}/trust`, { requires: { level: 3 }, reason });
  const { id } = await addToken('security_review', 4);
  assert.deepEqual(await askBoth(scene), ALLOWED);
  const { expires_at } = (await owner('GET', `/v1/trust/evidence/${id}`)).json;
  await waitUntil('both gateways refuse', async () => (await askBoth(scene)).join() === INSUFFICIENT.join());
  assert.ok(Date.now() >= Date.parse(expires_at) - 250);
  const refused = await act({});
  assert.deepEqual(refused.json.error.details.expired, [{ id, kind: 'security_review', expired_at: expires_at }], refused.text);
  const soon = await addToken('test_result', 3_600);
  await send('POST', `/v1/trust/providers/${providerId}/disable`, { reason });
  const readTypes = async (subject: string) =>
    (await owner('GET', `/v1/audit-events?subject_id=${subject}`)).json.data.map(({ type }: { type: string }) => type).sort();
  await waitUntil('every event was written', async () => {
    const [types, later] = [await readTypes(id), await readTypes(soon.id)];
    return types.includes('trust.evidence_expired') && later.includes('trust.evidence_revoked');
  });
  assert.deepEqual(await readTypes(id), ['trust.evidence_added', 'trust.evidence_expired']);
  assert.deepEqual(await readTypes(soon.id), ['trust.evidence_added', 'trust.evidence_revoked']);
  const evidence = (await owner('GET', `/v1/trust/evidence/${soon.id}`)).json;
  assert.deepEqual([evidence.status, evidence.revoked_reason], ['REVOKED', `The provider was disabled: ${reason}`]);
});

test('rules read the level and the kinds, and never count a failed result as support', async () => {
  const unreviewed = { not: { field: 'trust.evidence', op: 'contains', value: 'security_review' } };
  const scene = await newScene({
    rules: [
      { id: 'trusted', effect: 'ALLOW', reason: 'Trusted.', when: { field: 'trust.level', op: 'gte', value: 3 } },
      {
        id: 'reviewed',
        effect: 'REQUIRE_APPROVAL',
        reason: 'Not reviewed.',
        when: { all: [{ field: 'trust.level', op: 'gte', value: 1 }, unreviewed] },
      },
    ],
    tests: [{ name: 'trusted', given: { trust: { level: 3, evidence: ['security_review'] } }, then: { effect: 'ALLOW' } }],
  });
  const { act, addToken } = scene;
  assert.equal(await readCode(act({})), 'ACTION_BLOCKED');
  await addToken('test_result');
  assert.equal(await readCode(act({})), 'APPROVAL_REQUIRED');
  await addToken('security_review');
  assert.deepEqual(await askBoth(scene), ALLOWED);
  await addToken('test_result', 86_400, { result: 'FAILED' });
  assert.deepEqual(await askBoth(scene), ['ACTION_BLOCKED', 'ACTION_BLOCKED']);
});
