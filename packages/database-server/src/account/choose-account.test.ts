import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { chooseNamedAccount, chooseServerAccount } from './choose-account.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-account-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
const { uid, gid } = statSync(home);

test('an ordinary user runs the server itself', () => {
  assert.equal(chooseServerAccount(path.join(home, 'postgres'), { uid: 4242, gid: 4242 }), undefined);
});

test('reports the owner of a foreign cluster to an ordinary user before anything is tried on it', () => {
  assert.throws(
    () => chooseServerAccount(home, { uid: uid + 1, gid }),
    new RegExp(`belongs to user id ${uid}, not to you \\(${uid + 1}\\)`),
  );
});

test('root never runs the server as root', () => {
  const account = chooseServerAccount('/proc/none/postgres', { uid: 0, gid: 0 });
  assert.ok(account !== undefined && account.uid !== 0);
});

test('runs initdb under a named account: itself, else `nobody`, else any other, in the group of the server', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n';
  assert.deepEqual(chooseNamedAccount({ uid: 1, gid: 7 }, passwd), { uid: 1, gid: 7 });
  assert.deepEqual(chooseNamedAccount({ uid: 60978, gid: 60978 }, passwd), { uid: 65534, gid: 60978 });
  assert.deepEqual(chooseNamedAccount({ uid: 60978, gid: 60978 }, 'root:x:0:0\nbin:x:2:2'), { uid: 2, gid: 60978 });
  assert.throws(() => chooseNamedAccount({ uid: 60978, gid: 60978 }, 'root:x:0:0\n'), /has no other user/);
});
