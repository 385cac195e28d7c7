import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { readControlSettings } from './settings.ts';

const readWith = (env: Record<string, string>) =>
  readControlSettings({ DATABASE_URL: 'postgres://db/x', SVC_MASTER_KEY: TEST_MASTER_KEY, ...env });

const signupWith = (env: Record<string, string>): unknown => {
  const settings = readWith({ SVC_MAIL: 'none', ...env });
  return 'faults' in settings ? settings.faults : settings.signup;
};

test('the public address has no user, query or fragment, and an http scheme', () => {
  for (const name of ['SVC_GATEWAY_URL', 'SVC_BASE_URL']) {
    for (const text of [
      'https://a.example?x=1',
      'https://a.example/#x',
      'https://u:hunter2@a.example',
      'ftp://a.example',
      'a.example:80',
    ]) {
      const faults = String(signupWith({ [name]: text }));
      assert.match(faults, new RegExp(`^${name} must be an http or https address without a user, a query or a fragment`), text);
      assert.doesNotMatch(faults, /hunter2/);
    }
    assert.equal(signupWith({ [name]: 'http://127.0.0.1:4100/behind/' }), 'open');
  }
});

test('sign-up is open by default only if the service is reachable from this machine alone', () => {
  for (const env of [{}, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '127.0.0.2' }, { SVC_BASE_URL: 'http://127.0.0.1:4000' }])
    assert.equal(signupWith(env), 'open', JSON.stringify(env));
  for (const env of [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '10.0.0.7' },
    { HOST: '127.0.0.1.example' },
    { SVC_BASE_URL: 'https://governance.example' },
    { SVC_TRUST_PROXY: 'true' },
  ])
    assert.equal(signupWith(env), 'closed', JSON.stringify(env));
});

test('sign-up follows its setting in any deployment, and an unknown value prevents the start', () => {
  assert.equal(signupWith({ HOST: '0.0.0.0', SVC_SIGNUP: 'open' }), 'open');
  assert.equal(signupWith({ SVC_SIGNUP: 'invited' }), 'invited');
  assert.match(String(signupWith({ SVC_SIGNUP: 'yes' })), /SVC_SIGNUP is "yes", but must be one of closed, invited, open/);
});

const mailWith = (env: Record<string, string>): unknown => {
  const settings = readWith(env);
  return 'faults' in settings ? settings.faults : settings.mailKind;
};

const PUBLIC = [{ HOST: '0.0.0.0' }, { SVC_BASE_URL: 'https://governance.example' }, { SVC_TRUST_PROXY: 'true' }];

test('mails stay on this machine if it alone is reachable; otherwise the start requires a mail server or an explicit none', () => {
  assert.equal(mailWith({}), 'outbox');
  for (const env of PUBLIC) {
    const [fault, ...more] = mailWith(env) as string[];
    assert.match(
      fault ?? '',
      /^This control plane is reachable from other machines .* set SMTP_URL to your mail server.* or SVC_MAIL=none/,
    );
    assert.deepEqual(more, []);
    assert.match(String(mailWith({ ...env, SVC_MAIL: 'outbox' })), /^SVC_MAIL is "outbox", which can be read only on this machine/);
    assert.equal(mailWith({ ...env, SVC_MAIL: 'none' }), 'none');
    assert.equal(mailWith({ ...env, SMTP_URL: 'smtps://mail.example' }), 'smtp');
  }
});

test('a Redis address with a malformed database number prevents the start, without repeating a password', () => {
  for (const path of ['/none', '/-1', '/1x', '/?db=x']) {
    const faults = String(signupWith({ REDIS_URL: `redis://:hunter2@redis.example:6379${path}` }));
    assert.match(faults, /^REDIS_URL must end in a database number/, path);
    assert.doesNotMatch(faults, /hunter2/);
  }
  for (const path of ['', '/', '/0', '/15']) assert.equal(signupWith({ REDIS_URL: `rediss://redis.example${path}` }), 'open', path);
});

test('a malformed mail server or sender and a missing server prevent the start, without repeating a password', () => {
  for (const url of ['mail.example:25', 'http://mail.example', 'smtp://', 'smtp://u:hunter2@mail.example?tls=no']) {
    assert.match(String(mailWith({ SMTP_URL: url })), /^SMTP_URL must be an address such as smtps:/, url);
    assert.doesNotMatch(String(mailWith({ SMTP_URL: url })), /hunter2/);
  }
  for (const from of ['nobody', 'a@b, c@d', 'x <a@b> <c@d>', 'a b@c'])
    assert.match(String(mailWith({ SVC_MAIL_FROM: from })), /^SVC_MAIL_FROM is ".*", but must be a sender such as/, from);
  assert.match(String(mailWith({ SVC_MAIL: 'smtp' })), /^SVC_MAIL is "smtp", but SMTP_URL is not set/);
});
