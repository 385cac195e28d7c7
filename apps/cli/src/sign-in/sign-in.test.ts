import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { beginSignIn, enrolPasskey } from '@svc/testing/people/second-factors.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { approve } from '@svc/testing/people/terminal.ts';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const at = createScene();
let svc: Svc;
before(() => {
  svc = openSvc();
});
after(() => svc.remove());

const url = (): string => at.planes.controlUrl;
const credentials = (): string => join(svc.configFolder, 'credentials.json');
const signIn = (profile: string) =>
  svc.run(['login', '--url', url(), '--profile', profile, '--email', at.tenant.email, '--password-stdin'], {
    input: `${at.tenant.password}\n`,
  });

const AHEAD = `const Real = Date;
const ahead = 86_400_000;
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Real.now() + ahead] : parts));
  }
  static now() {
    return Real.now() + ahead;
  }
};`;

/** The environment of a terminal over SSH, on a machine whose clock is a day ahead. */
const overSsh = (): Readonly<Record<string, string>> => {
  const file = join(svc.folder, 'clock.mjs');
  writeFileSync(file, AHEAD);
  return { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22', NODE_OPTIONS: `--import ${file}` };
};

test('signs in with a password from standard input, remembers the address and keeps the token in a private file', async () => {
  const login = await signIn('default');
  assert.deepEqual([login.code, login.stdout.includes(at.tenant.password)], [0, false], login.stderr);
  assert.equal(statSync(credentials()).mode & 0o777, 0o600);
  assert.equal(statSync(svc.configFolder).mode & 0o777, 0o700);
  assert.ok(!readFileSync(join(svc.configFolder, 'config.json'), 'utf8').includes('svc_ses_'));
  const whoami = await svc.run(['whoami', '--json']);
  assert.deepEqual([whoami.json.user.email, whoami.json.url, whoami.json.credential], [at.tenant.email, url(), 'stored']);
  assert.equal((await svc.run(['agents', 'list', '--json'])).json.total, 0);
});

test('refuses a credentials file that other users can read, and names the remedy', async () => {
  chmodSync(credentials(), 0o644);
  const refused = await svc.run(['whoami']);
  chmodSync(credentials(), 0o600);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /mode 0644/);
  assert.match(refused.stderr, /chmod 600/);
  assert.equal((await svc.run(['whoami'])).code, 0);
});

test('names the file that cannot be read or written, and the remedy', async () => {
  const blocked = join(svc.folder, 'blocked');
  writeFileSync(blocked, '');
  const env = { SVC_CONFIG_DIR: blocked, SVC_URL: url() };
  const unwritable = await svc.run(['login', '--token-stdin'], { env, input: at.tenant.token });
  assert.deepEqual([unwritable.code, unwritable.stdout], [1, '']);
  assert.match(unwritable.stderr, /credentials\.json cannot be written[\s\S]*SVC_CONFIG_DIR/);
  const folder = join(svc.folder, 'odd');
  mkdirSync(join(folder, 'credentials.json'), { recursive: true, mode: 0o700 });
  const unreadable = await svc.run(['whoami', '--json'], { env: { ...env, SVC_CONFIG_DIR: folder } });
  assert.equal(JSON.parse(unreadable.stderr).error.code, 'FILE_NOT_READABLE');
});

test('never sends a stored token to another address', async () => {
  const other = await svc.run(['whoami', '--url', 'http://127.0.0.1:9']);
  assert.deepEqual([other.code, /not signed in/.test(other.stderr)], [4, true]);
});

test('signs in by device code without a terminal, over SSH and with a wrong clock', async () => {
  const started = svc.start(['login', '--url', url(), '--profile', 'device'], { env: overSsh() });
  try {
    const line = await started.line(/enter the code/);
    const user_code = /[A-Z]{4}-[A-Z]{4}/.exec(line)?.[0] ?? '';
    const found = await at.send('GET', `/v1/auth/cli/requests?user_code=${user_code}`);
    assert.equal(found.json.flow, 'DEVICE');
    assert.match(found.json.client.version, /^\d+\.\d+\.\d+$/);
    await at.send('POST', `/v1/auth/cli/requests/${found.json.request_id}/approve`, { user_code });
    await started.line(/Signed in to/);
  } finally {
    await started.stop();
  }
  const whoami = await svc.run(['whoami', '--profile', 'device', '--json']);
  assert.equal(whoami.json.user.email, at.tenant.email);
});

test('signs in over a loopback redirect, and accepts its own request only', async () => {
  const started = svc.start(['login', '--browser', '--url', url(), '--profile', 'loopback'], { env: { BROWSER: 'true' } });
  try {
    const request_id = /request_id=(cli_\w+)/.exec(await started.line(/request_id=/))?.[1] ?? '';
    const user_code = /[A-Z]{4}-[A-Z]{4}/.exec(await started.line(/compare the code/))?.[0] ?? '';
    const approved = await approve(url(), at.tenant.token, {
      request_id,
      user_code,
      verification_uri: '',
      poll_after_seconds: 1,
      expires_at: '',
      code_verifier: '',
    });
    const redirect = new URL(approved.json.redirect_uri);
    const foreign = new URL(redirect);
    foreign.searchParams.set('state', 'cli_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    assert.equal((await fetch(foreign)).status, 404);
    assert.equal((await fetch(redirect)).status, 200);
    await started.line(/Signed in to/);
  } finally {
    await started.stop();
  }
});

test('reports a revoked session, removes its token and exits with 4', async () => {
  assert.equal((await signIn('revoked')).code, 0);
  const { token } = JSON.parse(readFileSync(credentials(), 'utf8')).revoked;
  await call(url(), 'POST', '/v1/auth/logout', { token });
  const ended = await svc.run(['agents', 'list', '--profile', 'revoked']);
  assert.equal(ended.code, 4);
  assert.match(ended.stderr, /session has ended/);
  assert.equal(JSON.parse(readFileSync(credentials(), 'utf8')).revoked, undefined);
});

test('steps up in a browser by a passkey, by the printed address where there is no display; once, for that session', async () => {
  const person = await signUp(url());
  await stepUp(url(), person);
  const { authenticator } = await enrolPasskey(url(), person);
  const { mfa_challenge } = await beginSignIn(url(), person);
  const { public_key } = await mustCall(url(), 'POST', '/v1/auth/mfa/challenge', { body: { mfa_challenge, method: 'PASSKEY' } });
  const passkey = authenticator.get(public_key);
  const { token } = await mustCall(url(), 'POST', '/v1/auth/mfa/verify', { body: { mfa_challenge, passkey } });
  const env = { ...overSsh(), SVC_URL: url(), SVC_TOKEN: token };
  const started = svc.start(['step-up', '--browser', '--json'], { env });
  try {
    const address = /https?:\S+/.exec(await started.line(/Open .* in any browser/))?.[0] ?? '';
    const session = new URL(address).searchParams.get('session_id');
    const user_code = /[A-Z]{4}-[A-Z]{4}/.exec(await started.line(/compare the code/))?.[0] ?? '';
    const path = `/v1/auth/sessions/${session}/step-up-request`;
    const shown = await mustCall(url(), 'GET', path, { token: person.token });
    assert.equal(shown.user_code, user_code);
    const approve = (by: string) => call(url(), 'POST', `${path}/approve`, { token: by, body: { user_code } });
    assert.equal((await approve(at.tenant.token)).status, 404, 'another person');
    assert.equal((await approve(person.token)).json.error.code, 'STEP_UP_REQUIRED', 'a step-up from before the request');
    const options = await mustCall(url(), 'POST', '/v1/auth/mfa/passkeys/options', { token: person.token, body: { purpose: 'STEP_UP' } });
    await mustCall(url(), 'POST', '/v1/auth/step-up', { token: person.token, body: { passkey: authenticator.get(options.public_key) } });
    assert.equal((await approve(person.token)).status, 200);
    await started.line(/step_up_expires_at":"2/);
    assert.equal((await approve(person.token)).status, 404, 'a second use');
  } finally {
    await started.stop();
  }
});

test('logs out at the service and here', async () => {
  assert.equal((await signIn('leaving')).code, 0);
  const { token } = JSON.parse(readFileSync(credentials(), 'utf8')).leaving;
  assert.equal((await svc.run(['logout', '--profile', 'leaving'])).code, 0);
  assert.equal((await call(url(), 'GET', '/v1/auth/session', { token })).status, 401);
  assert.equal((await svc.run(['whoami', '--profile', 'leaving'])).code, 4);
});

test('takes an API key from the environment, before a stored session', async () => {
  const { json: roles } = await at.send('GET', '/v1/roles');
  const viewer = roles.find(({ name }: { name: string }) => name === 'viewer' || name === 'Viewer');
  const { json: key } = await at.send('POST', '/v1/api-keys', { name: 'ci', role_id: viewer.id });
  const env = { SVC_TOKEN: key.token, SVC_URL: url() };
  const whoami = await svc.run(['whoami', '--json'], { env });
  assert.deepEqual([whoami.json.user, whoami.json.credential], [null, 'environment']);
  const wrong = await svc.run(['whoami'], { env: { ...env, SVC_TOKEN: `${key.token.slice(0, -1)}x` } });
  assert.deepEqual([wrong.code, /SVC_TOKEN is not accepted/.test(wrong.stderr)], [4, true]);
});

test('does not send a credential of the environment to the address that a project file names', async () => {
  writeFileSync(join(svc.folder, 'svc.json'), JSON.stringify({ url: 'http://127.0.0.1:9' }));
  try {
    const refused = await svc.run(['whoami'], { env: { SVC_TOKEN: 'svc_key_secret' } });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /not sent to an address from that file/);
  } finally {
    writeFileSync(join(svc.folder, 'svc.json'), '{}');
  }
});

test('signs in with SVC_EMAIL and SVC_PASSWORD, and keeps that session apart', async () => {
  const env = { SVC_URL: url(), SVC_EMAIL: at.tenant.email, SVC_PASSWORD: at.tenant.password };
  const first = await svc.run(['whoami', '--json'], { env });
  assert.equal(first.json.credential, 'environment password');
  const sessions = async (): Promise<number> => (await at.send('GET', '/v1/auth/sessions')).json.length;
  const before = await sessions();
  assert.equal((await svc.run(['whoami'], { env })).code, 0);
  assert.equal(await sessions(), before);
});
