import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { Governance } from '../governance.ts';

const NAMES = ['SVC_GATEWAY_URL', 'SVC_AGENT_ID', 'SVC_AGENT_KEY_FILE', 'SVC_AGENT_KEY', 'SVC_AGENT_KEY_GENERATION'] as const;

test('a client comes from the environment, and a key file that others can read is rejected', async (t) => {
  const peer = await startPeer();
  const folder = mkdtempSync(join(tmpdir(), 'sdk-environment-'));
  const before = NAMES.map((name) => process.env[name]);
  const set = (values: Partial<Record<(typeof NAMES)[number], string>>): void => {
    for (const name of NAMES) delete process.env[name];
    Object.assign(process.env, values);
  };
  t.after(async () => {
    set(Object.fromEntries(NAMES.map((name, index) => [name, before[index]]).filter(([, value]) => value !== undefined)));
    rmSync(folder, { recursive: true });
    await peer.close();
  });
  const file = join(folder, 'agent.key');
  writeFileSync(file, peer.privateKey, { mode: 0o600 });
  const named = { SVC_GATEWAY_URL: peer.url, SVC_AGENT_ID: peer.agentId };
  for (const key of [{ SVC_AGENT_KEY_FILE: file }, { SVC_AGENT_KEY: peer.privateKey, SVC_AGENT_KEY_GENERATION: '1' }]) {
    set({ ...named, ...key });
    assert.equal((await Governance.fromEnv().act('x')).decision, 'ALLOW');
    assert.throws(() => Governance.testing({}), /has an agent's key/);
  }
  assert.equal(Governance.fromEnv({ agentId: 'agt_other' }).agentId, 'agt_other');
  for (const wrong of [
    { ...named },
    { ...named, SVC_AGENT_KEY_FILE: file, SVC_AGENT_KEY: peer.privateKey },
    { ...named, SVC_AGENT_KEY_FILE: folder },
    { ...named, SVC_AGENT_KEY: peer.privateKey, SVC_AGENT_KEY_GENERATION: 'two' },
    { SVC_AGENT_KEY: peer.privateKey },
  ]) {
    set(wrong);
    assert.throws(
      () => Governance.fromEnv(),
      (error: Error) => error instanceof TypeError && !error.message.includes(peer.privateKey.slice(20)),
    );
  }
  chmodSync(file, 0o644);
  set({ ...named, SVC_AGENT_KEY_FILE: file });
  assert.throws(() => Governance.fromEnv(), /chmod 600/);
});
