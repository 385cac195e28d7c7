import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openRecordScene, type RecordScene } from '@svc/testing/agents/record-scene.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const VERIFIER = path.resolve(import.meta.dirname, '../../../../../verifier/verify.mjs');
const RULES = [
  { id: 'refunds', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gte', value: 50 }, reason: 'Large refunds need a person.' },
  { id: 'card', effect: 'MASK', mask: { parameters: ['card'] }, reason: 'Cards are masked.' },
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lt', value: 50 }, reason: 'Small refunds are allowed.' },
];
const TESTS = [{ name: 'large', given: { amount: 95 }, then: { effect: 'REQUIRE_APPROVAL' } }];
/** Number of parts of records that an export of this scene contains, by type. */
const PARTS: Readonly<Record<string, number>> = {
  ...{ organization: 1, workspace: 1, environment: 1, member: 1 },
  ...{ agent: 1, tool: 2, tool_version: 2, policy: 1, policy_version: 1 },
  ...{ action: 10, approval: 2 },
};
const folder = mkdtempSync(path.join(tmpdir(), 'records-'));

let scene: RecordScene;
before(async () => {
  scene = await openRecordScene({ rules: RULES, tests: TESTS }, { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_TIMEOUT_MS: '2000' });
});
after(async () => {
  await scene.stop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** Runs the verifier as an auditor who has the public key and no access to the service. */
const check = async (...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> => {
  const [{ verifier_key }] = (await scene.governed.owner('GET', '/v1/audit-log')).json.keys;
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, ...words, '--key', verifier_key], { env: {} }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });
};

const exported = async (body: object = {}): Promise<string[]> => {
  await scene.sealed();
  const answer = await scene.governed.owner('POST', '/v1/audit-events/export', { records: true, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.text.trimEnd().split('\n');
};

/** States the SHA-256 of changed lines in the unsigned manifest, as an attacker with the file would. */
const restate = (lines: readonly string[]): string[] => {
  const sha256 = createHash('sha256')
    .update(
      lines
        .slice(0, -1)
        .map((line) => `${line}\n`)
        .join(''),
    )
    .digest('hex');
  const { manifest } = JSON.parse(lines.at(-1) ?? '');
  return [...lines.slice(0, -1), JSON.stringify({ manifest: { ...manifest, sha256 } })];
};
const checkLines = (lines: readonly string[]) => check(write('export.jsonl', `${lines.join('\n')}\n`));

const newHttpTool = async (name: string, url: string): Promise<void> => {
  const { tenant, agent } = scene.governed;
  const { token, environment_id, controlUrl } = tenant;
  const declared = { name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [`${new URL(url).host}:80`] };
  const body = { ...declared, execution: { method: 'POST', url } };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: agent.id } });
};

test('exportAuditEvents with records: the offline verifier compares every row with the event that covers it', async () => {
  const { governed, owner, newRefund, hold, whileTampered } = scene;
  const refund = await newRefund();
  const held = await hold();
  await newHttpTool('unreachable', 'http://nobody.invalid/');
  const failed = await governed.act({ tool: 'unreachable', parameters: {}, amount: 5, currency: 'USD' });
  assert.equal(failed.json.error.code, 'EXECUTION_FAILED', failed.text);
  const card = '4111 1111 1111 1111';
  const masked = await governed.act({ parameters: { card, order: 'A-3' }, amount: 5, currency: 'USD' });
  assert.equal(masked.json.decision, 'MASK', masked.text);
  const stuck = await governed.act({ parameters: {}, amount: 5, currency: 'USD' });
  await owner.query("update actions set status = 'EXECUTING', held_until = now() - interval '1 second' where id = $1", [
    stuck.json.action_id,
  ]);
  await waitUntil('the action is closed as unknown', async () => {
    const { rows } = await owner.query('select status from actions where id = $1', [stuck.json.action_id]);
    return rows[0].status === 'UNKNOWN';
  });
  const lines = await exported();
  const fine = await checkLines(lines);
  assert.equal(fine.code, 0, fine.said);
  const records = lines.filter((line) => line.startsWith('{"record":')).map((line) => JSON.parse(line).record);
  const counts: Record<string, number> = {};
  for (const { type, documents } of records) counts[type] = (counts[type] ?? 0) + documents.length;
  assert.deepEqual(counts, PARTS);
  const parts = Object.values(PARTS).reduce((sum, count) => sum + count, 0);
  assert.match(fine.said, new RegExp(`^Intact: .* ${parts} parts of records match the events that cover them\\.\n$`));
  assert.deepEqual(
    lines.filter((line) => line.includes(card)),
    [],
  );

  const ofRefund = records.filter(({ id }) => id === refund).flatMap(({ documents }) => documents);
  const decision = ofRefund.find(({ digest }) => digest === 'decision_digest').columns;
  assert.deepEqual([decision.amount, JSON.parse(decision.parameters).order], ['95', 'A-17']);
  assert.match(decision.request_hmac, /^[0-9a-f]{64}$/);

  const edits: readonly (readonly [string, (line: string) => string | undefined, RegExp])[] = [
    [
      'an amount',
      (line) => line.replace('"amount":"95"', '"amount":"9500"'),
      /^Changed: the action act_\w+ on line \d+ is not what decision_digest/,
    ],
    ['a result', (line) => (line.startsWith('{"record"') ? line.replace('re_1', 're_2') : line), /is not what outcome_digest/],
    ['a salt', (line) => line.replace(/"salt":"../, '"salt":"zz'), /^Changed: the action/m],
    ['an id', (line) => (line.startsWith('{"record"') ? line.replaceAll(refund, held.actionId) : line), /^(Changed|Inserted): /],
    [
      'a line taken out',
      (line) => (line.startsWith('{"record"') && line.includes(refund) ? undefined : line),
      /^Cut: no record is here of action act_/m,
    ],
    [
      'a state that hides it',
      (line) => {
        if (!line.startsWith('{"record"') || !line.includes(refund)) return line;
        return JSON.stringify({ record: { ...JSON.parse(line).record, documents: [], state: 'ERASED' } });
      },
      /^Deleted: the action/,
    ],
  ];
  for (const [name, edit, says] of edits) {
    const edited = lines.flatMap((line) => edit(line) ?? []);
    assert.notDeepEqual(edited, lines, name);
    const { code, said } = await checkLines(restate(edited));
    assert.equal(code, 1, `${name}: ${said}`);
    assert.match(said, says, name);
  }
  const [first, second] = [refund, held.actionId].map((id) => lines.findIndex((line) => line.startsWith('{"record"') && line.includes(id)));
  const swapped = lines.with(first ?? 0, lines[second ?? 0] ?? '').with(second ?? 0, lines[first ?? 0] ?? '');
  const anywhere = await checkLines(restate(swapped));
  assert.equal(anywhere.code, 0, `lines of records may be in any order: ${anywhere.said}`);

  for (const statement of ['update actions set amount = 9500 where id = $1', 'delete from actions where id = $1']) {
    const tampered = await whileTampered(async () => {
      await owner.query(statement, [refund]);
      return exported();
    });
    const { code, said } = await checkLines(tampered);
    assert.equal(code, 1, said);
    assert.match(said, /^(Changed|Deleted): the action act_/);
  }
});

test('the log and its exports state the digest of each record that an event changed', async () => {
  const { governed } = scene;
  const { id } = governed.agent;
  const changed = await governed.owner('PATCH', `/v1/agents/${id}`, { description: 'Refunds orders.' });
  assert.equal(changed.status, 200, changed.text);
  const { text } = await governed.owner('GET', '/v1/audit-events?type=agent.updated');
  const [event] = JSON.parse(text).data;
  const [digest, ...others] = event.data.record_digests;
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(digest).toSorted(), ['digest', 'digest_revision', 'digest_version', 'id', 'type']);
  assert.deepEqual([digest.type, digest.id], ['agent', id]);
  assert.match(digest.digest, /^[0-9a-f]{64}$/);
  const lines = (await exported({ filter: { type: ['agent.updated'] } })).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.flatMap(({ data }) => data?.record_digests ?? []),
    [digest],
  );
});

test('exportAuditEvents exports records in JSONL only, and to callers that may read actions', async () => {
  const { governed } = scene;
  const csv = await governed.owner('POST', '/v1/audit-events/export', { records: true, format: 'CSV' });
  assert.deepEqual([csv.status, csv.json.error.details.faults[0].pointer], [400, '/records']);
  const { token, controlUrl } = governed.tenant;
  const role = await newControlClient(controlUrl, token).createRole({
    body: { name: 'Exporter', permissions: ['audit:read', 'audit:export'] },
  });
  const key = await newControlClient(controlUrl, token).createApiKey({ body: { name: 'exporter', role_id: role.id } });
  const refused = await call(controlUrl, 'POST', '/v1/audit-events/export', { token: key.token, body: { records: true } });
  assert.deepEqual([refused.status, refused.json.error.details?.permissions], [403, ['action:read']], refused.text);
});

test('a filtered export with records has the records of its events', async () => {
  const lines = await exported({ filter: { type: ['action.completed'] } });
  const records = lines.filter((line) => line.startsWith('{"record":')).map((line) => JSON.parse(line).record);
  assert.deepEqual(
    records.map(({ documents }) => documents.map(({ digest }: { digest: string }) => digest)),
    [['outcome_digest']],
  );
});

test('getActionReceipt states the digests of the record, and the verifier compares the disclosed record with them', async () => {
  const { governed, owner, newRefund, sealed, whileTampered } = scene;
  const id = await newRefund();
  await sealed();
  const { json, text } = await governed.owner('GET', `/v1/actions/${id}/receipt`);
  assert.deepEqual([json.record.status, json.record.documents.length], ['INTACT', 1], text);
  const { record, event } = JSON.parse(Buffer.from(json.receipt.split('.')[1], 'base64url').toString());
  for (const name of ['decision_digest', 'outcome_digest', 'request_hmac', 'digest_version'])
    assert.equal(record[name], event.data[name], name);
  assert.deepEqual([record.type, record.id, record.status], ['action', id, 'INTACT']);
  const receipt = write('receipt.jws', json.receipt);
  const fine = await check('--receipt', receipt, '--record', write('answer.json', text));
  assert.deepEqual([fine.code, fine.said.includes('1 parts of the record match.')], [0, true], fine.said);
  const bent = await check('--receipt', receipt, '--record', write('bent.json', text.replace('"amount":"95"', '"amount":"9500"')));
  assert.equal(bent.code, 1);
  assert.match(bent.said, /^Changed: the record is not what decision_digest of the receipt covers\./);
  const tampered = await whileTampered(async () => {
    await owner.query('update actions set amount = 9500 where id = $1', [id]);
    return governed.owner('GET', `/v1/actions/${id}/receipt`);
  });
  assert.equal(tampered.json.record.status, 'CHANGED');
  const told = await check('--receipt', write('tampered.jws', tampered.json.receipt));
  assert.equal(told.code, 1);
  assert.match(told.said, /^Changed: the record was not what was decided any more/);
});
