import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { EVIDENCE_KINDS } from '@svc/contract/risk/trust/vocabulary.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type EvidenceKey, formatInDays, getGenuineBundle, newEvidenceKey, newStatement } from '@svc/testing/evidence/signed-evidence.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });
const reason = 'test';
const ARTIFACT = 'a'.repeat(64);
const OTHER_ARTIFACT = 'b'.repeat(64);
const exp = () => Math.floor(Date.now() / 1_000) + 30 * 86_400;

let providers = 0;
const newProvider = async (body: object): Promise<string> => {
  providers += 1;
  const answer = await s.send('POST', '/v1/trust/providers', {
    name: `Provider ${providers}`,
    evidence_kinds: [...EVIDENCE_KINDS],
    ...body,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
};
const keyProvider = (key: EvidenceKey, more: object = {}) => newProvider({ kind: 'KEYS', keys: [key.jwk], max_level: 3, ...more });
const sigstoreProvider = (identities: readonly object[], more: object = {}) =>
  newProvider({ kind: 'SIGSTORE', identities, trusted_root: getGenuineBundle().trustedRoot, max_level: 4, ...more });

const newKey = async (): Promise<string> =>
  (await s.send('POST', '/v1/api-keys', { name: 'Key', role_id: getBuiltInRole('admin').id })).json.token;

type Evidence = { readonly agent_id: string; readonly provider_id: string; readonly kind: string; readonly format: string } & {
  readonly [member: string]: unknown;
};
const add = (body: Evidence, token?: string) => s.send('POST', '/v1/trust/evidence', { expires_at: formatInDays(60), ...body }, token);
const readTrust = async (agentId: string) => (await s.send('GET', `/v1/agents/${agentId}/trust`)).json;
const setArtifacts = (agentId: string, artifact_digests: readonly string[]) =>
  s.send('PUT', `/v1/agents/${agentId}/trust/artifacts`, { artifact_digests });

const failedCheck = async (body: Evidence): Promise<string> => {
  const added = await add(body);
  assert.equal(added.json.error?.code, 'UNPROCESSABLE', added.text);
  const verdict = (await s.send('POST', '/v1/trust/evidence/verify', { expires_at: formatInDays(60), ...body })).json;
  assert.deepEqual([verdict.accepted, verdict.level], [false, null]);
  assert.deepEqual(verdict.checks, added.json.error.details.checks);
  assert.deepEqual(
    verdict.checks.map(({ ok }: { ok: boolean }) => ok),
    [...verdict.checks.slice(1).map(() => true), false],
  );
  return verdict.checks.at(-1).check;
};

test('addTrustEvidence and getAgentTrust: a person gives level 1 to an agent that they registered, and level 2 to others', async () => {
  const agent = await newAgent(s.tenant);
  const provider_id = await newProvider({ kind: 'MANUAL', max_level: 2 });
  const body = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'NONE', note: 'Reviewed.' };
  const own = await add(body);
  assert.deepEqual([own.status, own.json.level, own.json.status, own.json.bound_by], [201, 1, 'VALID', 'AGENT_ID'], own.text);
  await s.owner.query("update agent_keys set made_by = 'usr_other' where agent_id = $1", [agent.id]);
  const other = await add(body);
  assert.equal(other.json.level, 2, other.text);
  // A user cannot hide behind an API key that they created.
  const key = (await s.send('POST', '/v1/api-keys', { name: 'Own', role_id: getBuiltInRole('admin').id })).json.api_key.id;
  await s.owner.query('update agent_keys set made_by = $2 where agent_id = $1', [agent.id, key]);
  assert.equal((await add(body)).json.level, 1);
  const trust = await readTrust(agent.id);
  assert.deepEqual([trust.level, trust.kinds[0].kind, trust.evidence.length], [2, 'security_review', 3]);
  assert.equal((await s.eventsOf(own.json.id))[0]?.type, 'trust.evidence_added');
});

test('an API key adds signed documents and makes no statements, and loosens nothing', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const token = await newKey();
  const manual = await newProvider({ kind: 'MANUAL', max_level: 2 });
  const statement = { agent_id: agent.id, provider_id: manual, kind: 'security_review', format: 'NONE', note: 'Reviewed.' };
  assert.equal((await add(statement, token)).json.error?.code, 'PERMISSION_DENIED');
  const provider_id = await keyProvider(key);
  const token1 = key.token({ sub: agent.id, evidence_kind: 'test_result', result: 'FAILED', exp: exp() });
  const failed = await add({ agent_id: agent.id, provider_id, kind: 'test_result', format: 'JWS', document: token1 }, token);
  assert.deepEqual([failed.status, failed.json.lowers, failed.json.result], [201, true, 'FAILED'], failed.text);
  const refused = await s.send('POST', `/v1/trust/evidence/${failed.json.id}/revoke`, { reason }, token);
  assert.equal(refused.json.error?.code, 'STEP_UP_REQUIRED', refused.text);
  const disabled = await s.send('POST', `/v1/trust/providers/${provider_id}/disable`, { reason }, token);
  assert.equal(disabled.json.error?.code, 'STEP_UP_REQUIRED', disabled.text);
  const created = await s.send('POST', '/v1/trust/providers', { name: 'x', kind: 'MANUAL', evidence_kinds: ['sbom'], max_level: 1 }, token);
  assert.equal(created.json.error?.code, 'STEP_UP_REQUIRED', created.text);
});

test('a signed token gives level 3, an independent provider level 4, and max_level and level bound both', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  const token = (claims: object = {}) => key.token({ sub: agent.id, evidence_kind: 'security_review', exp: exp(), ...claims });
  const body = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'JWS' };
  assert.equal((await add({ ...body, document: token() })).json.level, 3);
  assert.equal((await add({ ...body, document: token({ n: 1 }), level: 2 })).json.level, 2);
  const independent = await keyProvider(key, { independent: true, max_level: 4 });
  assert.equal((await add({ ...body, provider_id: independent, document: token({ n: 2 }) })).json.level, 4);
  const low = await keyProvider(key, { max_level: 1 });
  assert.equal((await add({ ...body, provider_id: low, document: token({ n: 3 }) })).json.level, 1);
  const notIndependent = await s.send('POST', '/v1/trust/providers', {
    ...{ name: 'Too high', kind: 'KEYS', keys: [key.jwk], evidence_kinds: ['sbom'], max_level: 4 },
  });
  assert.deepEqual([notIndependent.status, notIndependent.json.error.details.faults[0].pointer], [400, '/max_level']);
});

test('each of the nine kinds is accepted in its own form', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  const card = { name: 'Agent', url: 'https://agent.example.com', version: '1' };
  const cardDigest = (await import('@svc/testing/evidence/signed-evidence.ts')).sha256Hex(JSON.stringify(card));
  await setArtifacts(agent.id, [ARTIFACT, cardDigest]);
  const statement = (type: string, predicate: object = {}) => ({
    format: 'DSSE',
    document: key.envelope(newStatement(ARTIFACT, type, predicate)),
  });
  const token = (evidence_kind: string) => ({ format: 'JWS', document: key.token({ sub: agent.id, evidence_kind, exp: exp() }) });
  const forms: Readonly<Record<(typeof EVIDENCE_KINDS)[number], { format: string; document: string }>> = {
    attestation: statement('https://slsa.dev/verification_summary/v1', { verificationResult: 'PASSED' }),
    security_review: token('security_review'),
    certificate: token('certificate'),
    test_result: statement('https://in-toto.io/attestation/test-result/v0.1', { result: 'PASSED' }),
    provenance: statement('https://slsa.dev/provenance/v1'),
    sbom: statement('https://cyclonedx.org/bom/v1.6'),
    vex: statement('https://openvex.dev/ns/v0.2.0', { statements: [{ vulnerability: { name: 'CVE-1' }, status: 'fixed' }] }),
    agent_card: { format: 'JWS', document: key.card(card) },
    model_card: token('model_card'),
  };
  for (const kind of EVIDENCE_KINDS) {
    const added = await add({ agent_id: agent.id, provider_id, kind, ...forms[kind] });
    assert.deepEqual([added.status, added.json.kind, added.json.level], [201, kind, 3], `${kind} ${added.text}`);
  }
  const trust = await readTrust(agent.id);
  assert.deepEqual([trust.level, trust.kinds.length, trust.is_lowered], [3, 9, false]);
});

test('a failed result or an open vulnerability keeps the level at 1 until a person revokes it', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  await setArtifacts(agent.id, [ARTIFACT]);
  await add({
    agent_id: agent.id,
    provider_id,
    kind: 'provenance',
    format: 'DSSE',
    document: key.envelope(newStatement(ARTIFACT, 'https://slsa.dev/provenance/v1')),
  });
  assert.equal((await readTrust(agent.id)).level, 3);
  const affected = {
    statements: [
      { vulnerability: { name: 'CVE-2' }, status: 'affected' },
      { vulnerability: { name: 'CVE-2' }, status: 'under_investigation' },
    ],
  };
  const document = key.envelope(newStatement(ARTIFACT, 'https://openvex.dev/ns/v0.2.0', affected));
  const vex = await add({ agent_id: agent.id, provider_id, kind: 'vex', format: 'DSSE', document });
  assert.equal(vex.json.lowers, true, vex.text);
  const lowered = await readTrust(agent.id);
  assert.deepEqual([lowered.level, lowered.is_lowered, lowered.kinds.map(({ kind }: { kind: string }) => kind)], [1, true, ['provenance']]);
  assert.match(lowered.next_steps[0], /failed result or an open vulnerability/);
  const revoked = await s.send('POST', `/v1/trust/evidence/${vex.json.id}/revoke`, { reason });
  assert.deepEqual([revoked.status, revoked.json.status], [200, 'REVOKED'], revoked.text);
  const [, event] = await s.eventsOf(vex.json.id);
  assert.deepEqual([event?.type, event?.severity], ['trust.evidence_revoked', 'critical']);
  assert.equal((await readTrust(agent.id)).level, 3);
});

test('a bundle of a signing service is verified offline, and its identity is compared exactly', async () => {
  const agent = await newAgent(s.tenant);
  const { bundle, artifact, identity } = getGenuineBundle();
  await setArtifacts(agent.id, [artifact]);
  const body = { agent_id: agent.id, kind: 'provenance', format: 'SIGSTORE_BUNDLE', document: bundle };
  const provider_id = await sigstoreProvider([identity]);
  const exact = await add({ ...body, provider_id });
  assert.deepEqual([exact.status, exact.json.level, exact.json.bound_to], [201, 4, artifact], exact.text);
  assert.deepEqual(exact.json.proof.identity, { ...identity, is_exact: true });
  assert.equal(exact.json.issued_at, '2023-02-01T00:00:00.000Z');
  const other = await newAgent(s.tenant);
  await setArtifacts(other.id, [artifact]);
  const prefixed = await sigstoreProvider([{ issuer: identity.issuer, subject_prefix: 'https://github.com/sigstore-conformance/' }]);
  assert.equal((await add({ ...body, agent_id: other.id, provider_id: prefixed })).json.level, 3);
});

test('lookalike identities match nothing: patterns, prefixes, suffixes, case and other letters', async () => {
  const agent = await newAgent(s.tenant);
  const { bundle, artifact, identity } = getGenuineBundle();
  const { issuer, subject } = identity;
  await setArtifacts(agent.id, [artifact]);
  const lookalikes = [
    { issuer, subject: '.*' },
    { issuer, subject: 'https://github.com/sigstore-conformance/' },
    { issuer, subject: `${subject}/` },
    { issuer, subject: subject.slice(0, -1) },
    { issuer, subject: subject.toUpperCase() },
    { issuer: `${issuer}/`, subject },
    { issuer: 'https://token.actions.githubusercontent.com.evil.example', subject },
    { issuer: '.*', subject },
    { issuer, subject_prefix: 'https://github.com/sigstore-conformance-evil/' },
    { issuer, subject_prefix: 'https://github.com/sigstore/' },
  ];
  for (const one of lookalikes) {
    const provider_id = await sigstoreProvider([one]);
    const body = { agent_id: agent.id, provider_id, kind: 'provenance', format: 'SIGSTORE_BUNDLE', document: bundle };
    assert.equal(await failedCheck(body), 'IDENTITY', JSON.stringify(one));
  }
  const refused = [
    { issuer, subject: subject.replace('a', 'а') },
    { issuer, subject: `${subject}\u200b` },
    { issuer, subject, subject_prefix: subject },
    { issuer },
    { issuer, subject_prefix: 'https://' },
    { issuer, subject_prefix: 'https://github.com/' },
    { issuer, subject_prefix: 'https://github.com/acme' },
    { issuer, subject_prefix: 'https://github.com/acme/../' },
    { issuer, subject_prefix: 'https://github.com/acme/%2e%2e/' },
    { issuer, subject_prefix: 'admin@' },
  ];
  for (const one of refused) {
    const body = {
      name: 'Refused',
      kind: 'SIGSTORE',
      identities: [one],
      trusted_root: getGenuineBundle().trustedRoot,
      evidence_kinds: ['sbom'],
      max_level: 4,
    };
    const answer = await s.send('POST', '/v1/trust/providers', body);
    assert.equal(answer.json.error?.code, 'VALIDATION_FAILED', `${JSON.stringify(one)} ${answer.text}`);
  }
});

const flip = (text: string, at: number): string => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

test('verifyTrustEvidence and addTrustEvidence: no mutation of a genuine bundle is accepted', async () => {
  const agent = await newAgent(s.tenant);
  const { bundle, artifact, identity } = getGenuineBundle();
  await setArtifacts(agent.id, [artifact]);
  const provider_id = await sigstoreProvider([identity]);
  const body = { agent_id: agent.id, provider_id, kind: 'provenance', format: 'SIGSTORE_BUNDLE' };
  // biome-ignore lint/suspicious/noExplicitAny: a bundle is mutated member by member
  const mutated = (change: (bundle: any) => void): string => {
    const copy = JSON.parse(bundle);
    change(copy);
    return JSON.stringify(copy);
  };
  const statement = (payload: string) => JSON.parse(Buffer.from(payload, 'base64').toString());
  const documents = [
    mutated((b) => (b.dsseEnvelope.signatures[0].sig = flip(b.dsseEnvelope.signatures[0].sig, 20))),
    mutated((b) => (b.dsseEnvelope.payload = flip(b.dsseEnvelope.payload, 40))),
    mutated((b) => (b.dsseEnvelope.payloadType = 'application/json')),
    mutated((b) => {
      const changed = statement(b.dsseEnvelope.payload);
      changed.subject[0].digest.sha256 = ARTIFACT;
      b.dsseEnvelope.payload = Buffer.from(JSON.stringify(changed)).toString('base64');
    }),
    mutated((b) => b.dsseEnvelope.signatures.push(b.dsseEnvelope.signatures[0])),
    mutated((b) => (b.dsseEnvelope.signatures = [])),
    mutated((b) => (b.verificationMaterial.tlogEntries = [])),
    mutated((b) => (b.verificationMaterial.tlogEntries[0].integratedTime = '1900000000')),
    mutated((b) => (b.verificationMaterial.tlogEntries[0].logId.keyId = Buffer.alloc(32).toString('base64'))),
    mutated((b) => (b.verificationMaterial.tlogEntries[0].canonicalizedBody = Buffer.from('{}').toString('base64'))),
    mutated((b) => b.verificationMaterial.tlogEntries.push(...Array(9).fill(b.verificationMaterial.tlogEntries[0]))),
    mutated((b) => delete b.verificationMaterial.x509CertificateChain),
    mutated((b) => (b.verificationMaterial.x509CertificateChain.certificates = [])),
    mutated((b) => {
      const [first] = b.verificationMaterial.x509CertificateChain.certificates;
      first.rawBytes = flip(first.rawBytes, 100);
    }),
    mutated((b) => (b.verificationMaterial = { publicKey: { hint: 'x' }, tlogEntries: b.verificationMaterial.tlogEntries })),
    mutated((b) => (b.mediaType = 'application/vnd.dev.sigstore.bundle+json;version=9')),
    mutated((b) => delete b.dsseEnvelope),
    bundle.replace('"payloadType"', '"payloadType":"application/json","payloadType"'),
    `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
    '[]',
    'null',
    '"x"',
    'not json',
    '{}',
  ];
  for (const [at, document] of documents.entries())
    assert.match(await failedCheck({ ...body, document }), /^(DOCUMENT|SIGNATURE)$/, String(at));
  assert.equal((await readTrust(agent.id)).level, 0);
});

test('no forged or swapped token is accepted', async () => {
  const agent = await newAgent(s.tenant);
  const other = await newAgent(s.tenant);
  const { key_thumbprint } = await readTrust(other.id);
  const key = newEvidenceKey();
  const stranger = newEvidenceKey();
  const provider_id = await keyProvider(key);
  const body = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'JWS' };
  const claims = { sub: agent.id, evidence_kind: 'security_review', exp: exp() };
  const genuine = key.token(claims);
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const cases: readonly (readonly [string, string])[] = [
    [stranger.token(claims), 'SIGNATURE'],
    [stranger.token(claims, { jwk: stranger.jwk }), 'SIGNATURE'],
    [key.token(claims, { jku: 'https://evil.example/keys' }), 'SIGNATURE'],
    [key.token(claims, { x5u: 'https://evil.example/cert' }), 'SIGNATURE'],
    [key.token(claims, { crit: ['b64'], b64: false }), 'SIGNATURE'],
    [key.token(claims, { kid: 'other' }), 'SIGNATURE'],
    [key.token(claims, { alg: 'none' }), 'SIGNATURE'],
    [key.token(claims, { alg: 'HS256' }), 'SIGNATURE'],
    [`${encoded({ alg: 'none', kid: key.jwk.kid })}.${payload}.`, 'SIGNATURE'],
    [`${header}.${payload}.`, 'SIGNATURE'],
    [`${header}.${encoded({ ...claims, sub: other.id })}.${signature}`, 'SIGNATURE'],
    [`${header}.${payload}.${flip(signature, 10)}`, 'SIGNATURE'],
    [`${genuine}.x`, 'SIGNATURE'],
    ['', 'VALIDATION'],
    [key.token({ ...claims, sub: other.id }), 'BINDING'],
    [key.token({ ...claims, sub: undefined }), 'BINDING'],
    [key.token({ ...claims, sub: agent.id.toLowerCase() }), 'BINDING'],
    [key.token({ ...claims, cnf: { jkt: key_thumbprint } }), 'BINDING'],
    [key.token({ ...claims, sub: ` ${agent.id}` }), 'BINDING'],
    [key.token({ ...claims, evidence_kind: 'test_result' }), 'KIND'],
    [key.token({ ...claims, evidence_kind: undefined }), 'KIND'],
    [key.token({ ...claims, exp: now - 1 }), 'TIME'],
    [key.token({ ...claims, nbf: now + 600 }), 'TIME'],
    [key.token({ ...claims, iat: now + 600 }), 'TIME'],
    [key.token({ ...claims, exp: undefined }), 'DOCUMENT'],
    [key.token({ ...claims, exp: '2030' }), 'DOCUMENT'],
    [key.token({ ...claims, cnf: 'x' }), 'DOCUMENT'],
    [key.token([claims]), 'DOCUMENT'],
  ];
  for (const [document, check] of cases) {
    if (check === 'VALIDATION') assert.equal((await add({ ...body, document })).status, 400);
    else assert.equal(await failedCheck({ ...body, document }), check, document.slice(0, 60));
  }
  assert.equal((await add({ ...body, document: genuine })).status, 201);
  assert.equal((await readTrust(other.id)).level, 0);
});

test('setAgentArtifacts, getTrustEvidence and listTrustEvidence: evidence about an artifact or a key ends when the agent no longer has it', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  const envelope = { kind: 'provenance', format: 'DSSE', document: key.envelope(newStatement(ARTIFACT, 'https://slsa.dev/provenance/v1')) };
  assert.equal(await failedCheck({ agent_id: agent.id, provider_id, ...envelope }), 'BINDING');
  await setArtifacts(agent.id, [ARTIFACT]);
  const artifact = (await add({ agent_id: agent.id, provider_id, ...envelope })).json;
  const { key_thumbprint } = await readTrust(agent.id);
  const document = key.token({ cnf: { jkt: key_thumbprint }, evidence_kind: 'certificate', exp: exp() });
  const bound = (await add({ agent_id: agent.id, provider_id, kind: 'certificate', format: 'JWS', document })).json;
  assert.deepEqual([artifact.bound_by, bound.bound_by, bound.bound_to], ['ARTIFACT', 'AGENT_KEY', key_thumbprint]);
  const readStatus = async (id: string) => (await s.send('GET', `/v1/trust/evidence/${id}`)).json.status;
  await setArtifacts(agent.id, [OTHER_ARTIFACT]);
  assert.deepEqual([await readStatus(artifact.id), await readStatus(bound.id)], ['UNBOUND', 'VALID']);
  const rotated = await s.send('POST', `/v1/agents/${agent.id}/rotate-credentials`, {});
  assert.equal(rotated.status, 200, rotated.text);
  assert.equal(await readStatus(bound.id), 'UNBOUND');
  assert.equal((await readTrust(agent.id)).level, 0);
  await setArtifacts(agent.id, [ARTIFACT]);
  assert.equal(await readStatus(artifact.id), 'VALID');
  const listed = (await s.send('GET', `/v1/trust/evidence?agent_id=${agent.id}&status=UNBOUND`)).json;
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    [bound.id],
  );
});

test('revokeTrustEvidence: a statement is added once, in any envelope and also after it was revoked', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  await setArtifacts(agent.id, [ARTIFACT]);
  const document = key.envelope(newStatement(ARTIFACT, 'https://slsa.dev/provenance/v1'));
  const body = { agent_id: agent.id, provider_id, kind: 'provenance', format: 'DSSE' };
  const { id } = (await add({ ...body, document })).json;
  assert.equal((await add({ ...body, document })).json.error?.code, 'ALREADY_EXISTS');
  await s.send('POST', `/v1/trust/evidence/${id}/revoke`, { reason });
  const spaced = JSON.stringify({ extra: 1, ...JSON.parse(document) }, null, 2);
  for (const again of [document, spaced]) assert.equal((await add({ ...body, document: again })).json.error?.code, 'ALREADY_EXISTS');
  assert.equal((await s.send('POST', `/v1/trust/evidence/${id}/revoke`, { reason })).json.error?.code, 'INVALID_STATE_TRANSITION');
  assert.equal((await readTrust(agent.id)).level, 0);
});

test('disableTrustProvider: a disabled provider counts for nothing at once, and verifies nothing', async () => {
  const agent = await newAgent(s.tenant);
  const key = newEvidenceKey();
  const provider_id = await keyProvider(key);
  const body = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'JWS' };
  const token = (n: number) => key.token({ sub: agent.id, evidence_kind: 'security_review', exp: exp(), n });
  const { id } = (await add({ ...body, document: token(1) })).json;
  assert.equal((await readTrust(agent.id)).level, 3);
  const disabled = await s.send('POST', `/v1/trust/providers/${provider_id}/disable`, { reason });
  assert.deepEqual([disabled.status, disabled.json.status], [200, 'DISABLED'], disabled.text);
  assert.equal((await s.eventsOf(provider_id)).at(-1)?.type, 'trust.evidence_revoked');
  assert.deepEqual([(await readTrust(agent.id)).level, (await s.send('GET', `/v1/trust/evidence/${id}`)).json.status], [0, 'REVOKED']);
  assert.equal(await failedCheck({ ...body, document: token(2) }), 'PROVIDER');
});

test('limits of size, number, nesting and expiry are refused with a pointer', async () => {
  const agent = await newAgent(s.tenant);
  const provider_id = await newProvider({ kind: 'MANUAL', max_level: 2 });
  const body = { agent_id: agent.id, provider_id, kind: 'security_review', format: 'NONE', note: 'Reviewed.' };
  const faulty: readonly (readonly [object, string])[] = [
    [{ ...body, expires_at: new Date(Date.now() - 1).toISOString() }, '/expires_at'],
    [{ ...body, expires_at: formatInDays(401) }, '/expires_at'],
    [{ ...body, expires_at: 'tomorrow' }, '/expires_at'],
    [{ ...body, note: ' ' }, '/note'],
    [{ ...body, document: 'x' }, '/document'],
    [{ ...body, format: 'JWS' }, '/document'],
    [{ ...body, level: 5 }, '/level'],
    [{ ...body, kind: 'reputation' }, '/kind'],
    [{ ...body, format: 'JWS', document: 'x'.repeat(196_609) }, '/document'],
  ];
  for (const [sent, pointer] of faulty) {
    const answer = await add(sent as Evidence);
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.json.error.details.faults[0].pointer, pointer, answer.text);
  }
  const missing = await s.send('POST', '/v1/trust/evidence', body);
  assert.equal(missing.json.error?.code, 'VALIDATION_FAILED');
  const large = await add({ ...body, format: 'JWS', document: 'x'.repeat(10_000_000) });
  assert.deepEqual([large.status, large.json.error?.code], [400, 'INVALID_REQUEST'], large.text.slice(0, 200));
  assert.equal((await setArtifacts(agent.id, ['A'.repeat(64)])).status, 400);
  assert.equal(
    (
      await setArtifacts(
        agent.id,
        Array.from({ length: 17 }, (_, n) => n.toString(16).padStart(64, '0')),
      )
    ).status,
    400,
  );
});

test('createTrustProvider, getTrustProvider and listTrustProviders: weak and wrong keys, and roots without a first day, are refused', async () => {
  const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const ec = (curve: string) => generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' });
  const { jwk } = newEvidenceKey();
  const provider = (keys: readonly object[], more: object = {}) =>
    s.send('POST', '/v1/trust/providers', { name: 'Keys', kind: 'KEYS', keys, evidence_kinds: ['sbom'], max_level: 3, ...more });
  for (const keys of [
    [rsa(1024)],
    [{ ...ec('P-256'), alg: 'ES384' }],
    [ec('P-521')],
    [{ kty: 'OKP', crv: 'Ed25519', x: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    [{ ...jwk, d: 'secret' }],
    [jwk, jwk],
    [],
  ]) {
    const answer = await provider(keys);
    assert.equal(answer.json.error?.code, 'VALIDATION_FAILED', answer.text);
    assert.match(answer.json.error.details.faults[0].pointer, /^\/keys/);
  }
  for (const good of [rsa(2048), ec('P-256'), ec('P-384')]) {
    providers += 1;
    const answer = await provider([good], { name: `Good ${providers}` });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual((await s.send('GET', `/v1/trust/providers/${answer.json.id}`)).json, answer.json);
    assert.deepEqual((await s.send('GET', '/v1/trust/providers?status=ACTIVE&limit=1')).json, [answer.json]);
  }
  const { trustedRoot, identity } = getGenuineBundle();
  const root = structuredClone(trustedRoot) as { tlogs: { publicKey: { validFor?: object } }[] };
  delete root.tlogs[0]?.publicKey.validFor;
  for (const trusted_root of [root, {}, { tlogs: [] }, { mediaType: 1 }, { tlogs: 'x' }]) {
    const body = { name: 'Root', kind: 'SIGSTORE', identities: [identity], trusted_root, evidence_kinds: ['sbom'], max_level: 4 };
    const answer = await s.send('POST', '/v1/trust/providers', body);
    assert.deepEqual([answer.status, answer.json.error?.details?.faults?.[0]?.pointer], [400, '/trusted_root'], answer.text);
  }
});

test('another tenant cannot see or use agents, providers and evidence', async () => {
  const agent = await newAgent(s.tenant);
  const provider_id = await newProvider({ kind: 'MANUAL', max_level: 2 });
  const body = {
    agent_id: agent.id,
    provider_id,
    kind: 'security_review',
    format: 'NONE',
    note: 'Reviewed.',
    expires_at: formatInDays(30),
  };
  const { id } = (await add(body)).json;
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  const theirs = (method: string, path: string, sent?: object) =>
    call(s.planes.controlUrl, method, path, { token: other.token, ...(sent === undefined ? {} : { body: sent }) });
  const own = await newControlClient(s.planes.controlUrl, other.token).createTrustProvider({
    body: { name: 'Theirs', kind: 'MANUAL', evidence_kinds: ['security_review'], max_level: 2 },
  });
  for (const answer of [
    await theirs('GET', `/v1/trust/providers/${provider_id}`),
    await theirs('GET', `/v1/trust/evidence/${id}`),
    await theirs('GET', `/v1/agents/${agent.id}/trust`),
    await theirs('PUT', `/v1/agents/${agent.id}/trust/artifacts`, { artifact_digests: [] }),
    await theirs('POST', `/v1/trust/evidence/${id}/revoke`, { reason }),
    await theirs('POST', `/v1/trust/providers/${provider_id}/disable`, { reason }),
    await theirs('POST', '/v1/trust/evidence', { ...body, provider_id: own.id }),
    await theirs('POST', '/v1/trust/evidence', body),
    await theirs('POST', '/v1/trust/evidence/verify', body),
  ])
    assert.deepEqual([answer.status, answer.json.error?.code], [404, 'NOT_FOUND'], answer.text);
  assert.deepEqual((await theirs('GET', '/v1/trust/evidence')).json, []);
  // A caller limited to a workspace registers no provider for the whole organization.
  const key = await s.send('POST', '/v1/api-keys', {
    name: 'Part',
    role_id: getBuiltInRole('admin').id,
    workspace_id: s.tenant.workspace_id,
  });
  assert.equal(
    (await s.send('POST', `/v1/trust/providers/${provider_id}/disable`, { reason }, key.json.token)).json.error?.code,
    'PERMISSION_DENIED',
  );
});

test('getToolTrust, requireToolTrust, getEnvironmentTrust and requireEnvironmentTrust: only a person with a step-up loosens', async () => {
  const token = await newKey();
  const tool = await s.send('POST', '/v1/tools', {
    name: 'trusting',
    environment_id: s.tenant.environment_id,
    required_capability: 'x',
    kind: 'SDK',
  });
  const requires = { level: 3, evidence: ['sbom'], max_age_days: 30 };
  for (const path of [`/v1/tools/${tool.json.id}/trust`, `/v1/environments/${s.tenant.environment_id}/trust`]) {
    assert.deepEqual((await s.send('GET', path)).json, { requires: null });
    const tightened = await s.send('PUT', path, { requires, reason }, token);
    assert.deepEqual([tightened.status, tightened.json], [200, { requires }], tightened.text);
    for (const looser of [null, { ...requires, level: 2 }, { ...requires, max_age_days: 31 }, { level: 3, max_age_days: 30 }]) {
      const refused = await s.send('PUT', path, { requires: looser, reason }, token);
      assert.equal(refused.json.error?.code, 'STEP_UP_REQUIRED', refused.text);
    }
    assert.deepEqual((await s.send('GET', path)).json, { requires });
    assert.deepEqual((await s.send('PUT', path, { requires: null, reason })).json, { requires: null });
  }
});
