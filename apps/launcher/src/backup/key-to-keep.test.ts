import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { masterKeyId } from '@svc/keyring/sealed/installation-key.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { KeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { readLauncherSettings } from '../settings/settings.ts';
import { describeKeyToKeep } from './key-to-keep.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'svc-key-to-keep-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = path.join(dataDir, name);
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
};
const getId = (text: string): string => {
  const read = readMasterKey(text);
  assert.ok(read.ok);
  return masterKeyId(read.key);
};
const said = (kept: KeptKeys, env: Readonly<Record<string, string>> = {}): string => {
  const { settings, faults } = readLauncherSettings({ DATA_DIR: dataDir, ...env }, '/');
  assert.deepEqual(faults, []);
  return describeKeyToKeep(kept, settings);
};
const openedBy = (...keys: readonly (readonly [string, 'KEY' | 'COMMAND'])[]): KeptKeys => ({
  state: 'wrapped',
  keys: keys.map(([id, kind]) => ({
    id,
    kind,
    wrapped: Buffer.alloc(1),
    made_at: '',
    made_by: '',
    reason: '',
    retired_at: undefined,
    retired_by: undefined,
  })),
  installation: undefined,
});

const [old, present] = [newMasterKey(), newMasterKey()];
const file = path.join(dataDir, 'master.key');

test('a backup states which master key opens it, by the name of its setting', () => {
  const kept = openedBy([getId(present), 'KEY']);
  assert.match(said(kept, { SVC_MASTER_KEY: present }), /not in it: keep what SVC_MASTER_KEY was set to too,/);
  const named = write('elsewhere.key', present);
  assert.match(said(kept, { SVC_MASTER_KEY_FILE: named }), new RegExp(`not in it: keep ${named} too,`));
  write('master.key', present);
  assert.match(said(kept), new RegExp(`not in it: keep ${file} too,`));
  assert.match(said({ state: 'direct', keys: [], installation: undefined }), new RegExp(`keep ${file} too,`));
  const byCommand = openedBy([getId(old), 'COMMAND']);
  assert.match(said(byCommand, { SVC_MASTER_KEY_COMMAND: '/bin/false' }), /keep what SVC_MASTER_KEY_COMMAND unwraps with too,/);
});

test('it never names a replaced master key, wherever the settings still name it', () => {
  write('master.key', old);
  const kept = openedBy([getId(present), 'KEY']);
  const instead = `opens nothing here any more: keep the master key ${getId(present)}, in another place. Without it nothing can be restored.`;
  assert.equal(said(kept), `The master key is not in it, and ${file} ${instead}`);
  assert.equal(said(kept, { SVC_MASTER_KEY: old }), `The master key is not in it, and what SVC_MASTER_KEY was set to ${instead}`);
  assert.match(said(kept, { SVC_MASTER_KEY_COMMAND: '/bin/false' }), /unwraps with opens nothing here any more: keep the master key/);
  assert.match(said(openedBy(['x', 'COMMAND'])), /any more: keep what the command unwraps with, in another place\./);
  assert.match(said(openedBy([getId(old), 'KEY'], [getId(present), 'KEY'])), new RegExp(`keep ${file} too`));
});

test('without a master key it states what opens it', () => {
  rmSync(file, { force: true });
  assert.match(
    said(openedBy(['0123', 'KEY'], ['4567', 'KEY'])),
    /not in it: keep the master key 0123, or the master key 4567, in another place\./,
  );
  assert.match(said({ state: 'direct', keys: [], installation: undefined }), /keep the one that the service is started with, in/);
});
