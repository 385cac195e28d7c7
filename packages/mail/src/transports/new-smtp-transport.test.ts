import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type MailServer, startMailServer, startSilentServer } from '@svc/testing/peers/mail-server.ts';
import { newSmtpTransport } from './new-smtp-transport.ts';

const from = 'Governance <governance@example.com>';
const mail = { id: 'mal_1', to: 'ada@example.com', subject: 'Grüße', text: 'Your code\n\n    314159\n', html: '<p>314159</p>' };
const never = new AbortController().signal;

describe('a mail server', () => {
  let server: MailServer;
  before(async () => {
    server = await startMailServer();
  });
  beforeEach(() => {
    server.answer('takes');
    server.received.length = 0;
  });
  after(() => server.close());
  const send = (to = mail.to, signal = never) => newSmtpTransport({ url: server.url, from }).send({ ...mail, to }, signal);

  test('receives plain text and HTML for one recipient, from the configured sender, marked as automatic', async () => {
    assert.equal(await send(), undefined);
    const [{ to, raw } = { to: '', raw: '' }, ...more] = server.received;
    assert.deepEqual([to, more], ['ada@example.com', []]);
    for (const part of [
      /^From: Governance <governance@example.com>\r$/m,
      /^To: ada@example.com\r$/m,
      /^Message-ID: <mal_1@example.com>\r$/m,
      /^Auto-Submitted: auto-generated\r$/m,
      /^Content-Type: multipart\/alternative;/m,
      /^Content-Type: text\/plain; charset=utf-8/m,
      /^Content-Type: text\/html; charset=utf-8/m,
    ])
      assert.match(raw, part);
  });

  test('receives one recipient, for any form of the address', async () => {
    for (const to of ['a@example.com,b@example.com', 'a@example.com;b@example.com', '<a@example.com>,b@example.com', 'x <a@b.example>']) {
      server.received.length = 0;
      await send(to);
      assert.ok(server.received.length <= 1, to);
      for (const received of server.received) assert.ok(!received.to.includes(', '), `${to} went to ${received.to}`);
    }
  });

  test('is reported by a fixed word when it refuses: final for the recipient or the mail, not for the sender', async () => {
    const outcomes = [
      [
        { refuses: 'recipient', status: 550 },
        { fault: 'refused', smtpCode: 550, isFinal: true },
      ],
      [
        { refuses: 'mail', status: 554 },
        { fault: 'refused', smtpCode: 554, isFinal: true },
      ],
      [
        { refuses: 'sender', status: 550 },
        { fault: 'refused', smtpCode: 550, isFinal: false },
      ],
      [
        { refuses: 'recipient', status: 451 },
        { fault: 'put off', smtpCode: 451, isFinal: false },
      ],
    ] as const;
    for (const [answer, fault] of outcomes) {
      server.answer(answer);
      assert.deepEqual(await send(), fault, JSON.stringify(answer));
    }
  });

  test('is given up in time when it hangs, disconnects or is absent, without an exception', async () => {
    const silent = await startSilentServer();
    const hung = newSmtpTransport({ url: `smtp://127.0.0.1:${silent.port}`, from }).send(mail, AbortSignal.timeout(200));
    assert.deepEqual(await hung, { fault: 'no response in time', smtpCode: null, isFinal: false });
    await silent.close();
    const nobody = await newSmtpTransport({ url: `smtp://127.0.0.1:${silent.port}`, from }).send(mail, never);
    assert.deepEqual(nobody, { fault: 'unreachable', smtpCode: null, isFinal: false });
    server.answer('hangs after the mail');
    assert.equal((await send(mail.to, AbortSignal.timeout(200)))?.fault, 'no response in time');
    server.answer('goes at once');
    assert.equal((await send())?.isFinal, false);
  });
});

test('uses the encryption that a server offers, and requires a trusted certificate', async () => {
  const server = await startMailServer({ disabledCommands: [] });
  try {
    assert.deepEqual(await newSmtpTransport({ url: server.url, from }).send(mail, never), {
      fault: 'no encryption',
      smtpCode: null,
      isFinal: false,
    });
    assert.equal(server.received.length, 0);
  } finally {
    await server.close();
  }
});

test('sends a password to a mail server that requests it, and never unencrypted to another machine', async () => {
  const seen: string[] = [];
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      seen.push(`${username}:${password}`);
      if (password === 'p@ss') done(null, { user: username });
      else done(Object.assign(new Error('no'), { responseCode: 535 }));
    },
  });
  try {
    const at = (host: string, password: string) => newSmtpTransport({ url: `smtp://mailer:${password}@${host}:${server.port}`, from });
    assert.equal(await at('127.0.0.1', 'p%40ss').send(mail, never), undefined);
    assert.deepEqual([server.received[0]?.user, seen], ['mailer', ['mailer:p@ss']]);
    assert.equal((await at('127.0.0.1', 'wrong').send(mail, never))?.fault, 'authentication failed');
    // An unusual name of this machine counts as another machine; this one leads here all the same.
    assert.equal((await at('[::ffff:127.0.0.1]', 'p%40ss').send(mail, never))?.fault, 'no encryption');
    assert.equal(seen.length, 2);
  } finally {
    await server.close();
  }
});
