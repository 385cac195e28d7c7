import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const VERIFIER = path.resolve(import.meta.dirname, '../../../../../verifier/verify.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'receipts-'));

let planes: Planes;
let worker: RunningProcess;
before(async () => {
  const database = await createFreshDatabase();
  planes = await startPlanes({ database });
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
});
after(async () => {
  await worker.stop();
  await planes.stop();
  await planes.database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Verifies a receipt as an auditor who has the public key and no access to the service. */
const check = (receipt: string, key: string): Promise<{ readonly code: number; readonly said: string }> => {
  const file = path.join(folder, 'receipt.jws');
  writeFileSync(file, receipt);
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFIER, '--receipt', file, '--key', key], { env: {} }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });
};

const readReceipt = async ({ owner }: Governed, actionId: string): Promise<TestResponse> => {
  let answer: TestResponse | undefined;
  await waitUntil('the decision is sealed', async () => {
    answer = await owner('GET', `/v1/actions/${actionId}/receipt`);
    return answer.status !== 409;
  });
  return answer as TestResponse;
};

test('getActionReceipt returns a receipt that can be verified offline with the key, and none for an unknown action', async () => {
  const governed = await newGoverned(planes);
  const body = { agent_id: governed.agent.id, tool: governed.tool.name, parameters: { n: 1 } };
  const { action_id } = (await governed.owner('POST', '/v1/actions/evaluate', body)).json;
  const { json } = await readReceipt(governed, action_id);
  assert.equal(json.action_id, action_id);
  const [{ verifier_key }] = (await governed.owner('GET', '/v1/audit-log')).json.keys;
  const fine = await check(json.receipt, verifier_key);
  assert.match(fine.said, new RegExp(`^Intact: ${action_id}: action\\.allowed at .*, by \\w+; sealed as \\d+ of \\d+\\.\n$`));
  assert.equal(fine.code, 0);
  const [header, payload = '', signature] = json.receipt.split('.');
  const said = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const bent = Buffer.from(JSON.stringify({ ...said, event: { ...said.event, type: 'action.blocked' } })).toString('base64url');
  assert.equal((await check(`${header}.${bent}.${signature}`, verifier_key)).code, 1);
  const stranger = await newTenant(planes);
  const theirs = await governed.owner('GET', '/v1/actions/act_7ZZZZZZZZZZZZZZZZZZZZZZZZZ/receipt');
  assert.equal(theirs.status, 404);
  const foreign = await call(planes.controlUrl, 'GET', `/v1/actions/${action_id}/receipt`, { token: stranger.token });
  assert.equal(foreign.status, 404);
  const log = await call(planes.controlUrl, 'GET', '/v1/audit-log', { token: stranger.token });
  const wrongLog = await check(json.receipt, log.json.keys[0].verifier_key);
  assert.match(wrongLog.said, /is of another log/);
  assert.equal(wrongLog.code, 1);
});
