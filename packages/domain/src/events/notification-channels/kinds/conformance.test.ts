import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNEL_KINDS, type ChannelKind } from '@svc/contract/events/notification-channels.ts';
import { NOTIFICATION_KINDS } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { classifyFailure } from '../after-post.ts';
import { buildPost, type ChannelMessage } from '../build-post.ts';
import { findChannelUrlFault, maskChannelUrl } from '../channel-address.ts';
import { RECEIVERS } from './receivers.ts';

const { postCharsMax, urlLengthMax } = LIMITS.channels;

type Example = {
  readonly url: string;
  /** The message that a person sees, from the body of a request. */
  readonly read: (body: string) => string;
  /** Returns the text of a message without the markup of the kind. */
  readonly plain: (message: string) => string;
};

const LINK = 'https://gateway.example/x|y';

/** An example of every kind: one without an example does not compile. */
const EXAMPLES: Readonly<Record<ChannelKind, Example>> = {
  SLACK: {
    url: 'https://hooks.slack.com/services/T0000/B0000/0123456789abcdefWXYZ',
    read: (body) => JSON.parse(body).text,
    plain: (message) => message.replace(/&(amp|lt|gt);/g, '').replaceAll('<https://gateway.example/x%7Cy|View>', ''),
  },
};

/** Names that try to mention, link, format, break the line and end the message. */
const ATTACK =
  '<!channel> <@U1> @here @everyone\n<https://e.example|x> [a](b) **b** www.e.example mailto:a \u202e& "}] whsec_0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghij';
const facts = { name: ATTACK, agent: ATTACK, tool: ATTACK, who: ATTACK, expires_at: 'soon', ends_at: 'soon' };
const listMessages = (count: number, more: object = {}): ChannelMessage[] =>
  [null, ...NOTIFICATION_KINDS].flatMap((kind) =>
    Array.from({ length: count }, () => ({ kind, facts, gathered: 1, is_rest: false, link: LINK, ...more })),
  );

for (const kind of CHANNEL_KINDS) {
  const receiver = RECEIVERS[kind];
  const { url, read, plain } = EXAMPLES[kind];
  const rules = { allowsHttp: true, hosts: [] };

  describe(`the kind ${kind}`, () => {
    test('accepts the webhooks of its service, and those of other hosts only if the operator lists them', () => {
      assert.equal(findChannelUrlFault(receiver, url, rules), undefined);
      const { pathname } = new URL(url);
      const elsewhere = `https://chat.example:8065${pathname}`;
      for (const host of receiver.hosts) assert.ok(findChannelUrlFault(receiver, elsewhere, rules)?.includes(host));
      assert.equal(findChannelUrlFault(receiver, elsewhere, { ...rules, hosts: ['chat.example:8065'] }), undefined);
      const [host = ''] = receiver.hosts;
      for (const other of [`https://${host}.evil.example${pathname}`, `https://evil.example/${host}`, `https://${host}:8443${pathname}`])
        assert.notEqual(findChannelUrlFault(receiver, other, rules), undefined, other);
    });

    test('rejects a URL without TLS, with a fragment, with a broken escape, or that is too long or none', () => {
      const wrong = [url.replace('https:', 'http:'), `${url}#a`, `${url}/%zz`, `${url}/${'a'.repeat(urlLengthMax)}`, 'ftp://a', ''];
      for (const each of wrong) assert.match(findChannelUrlFault(receiver, each, rules) ?? '', /^[A-Z].*\.$/, each);
    });

    test('shows a URL without the part that grants access', () => {
      const { hostname, pathname } = new URL(url);
      const shown = maskChannelUrl(url);
      assert.ok(shown.startsWith(`${hostname}/`));
      for (const part of pathname.split('/').filter((each) => each.length > 4)) assert.ok(!shown.includes(part), shown);
    });

    test('writes names that mention no one, link nowhere, break no line and reveal no secret', () => {
      const body = receiver.body(buildPost(receiver, ATTACK, listMessages(1)));
      assert.ok(Buffer.byteLength(body) < 10 * postCharsMax);
      const message = read(body);
      const left = plain(message);
      assert.doesNotMatch(left, /[<>\u202e]|@(here|everyone|U1)|:\/\/|\]\(|www\.|mailto:|whsec_0/);
      for (const line of left.split('\n'))
        assert.ok(line === '' || line.startsWith('• ') || line.startsWith(receiver.heading('').slice(0, 1)), line);
    });

    test('writes every kind of notification, alone and as a count, within the bound', () => {
      for (const messages of [listMessages(1), listMessages(4), listMessages(1, { is_rest: true, gathered: 900 })]) {
        const message = read(receiver.body(buildPost(receiver, 'An organization', messages)));
        assert.ok(message.length <= postCharsMax);
        assert.equal(message.split('View').length - 1, NOTIFICATION_KINDS.length + 1);
      }
    });

    test('writes a test message that identifies itself', () => {
      const test = [{ kind: null, facts: {}, gathered: 1, is_rest: false, link: LINK }];
      assert.match(read(receiver.body(buildPost(receiver, 'An organization', test))), /An organization[\s\S]*This is a test/);
    });

    test('distinguishes a webhook that is gone from a service that is busy or broken', () => {
      assert.ok(receiver.gone.size > 0);
      for (const status of receiver.gone)
        assert.deepEqual(classifyFailure(receiver, status, undefined, 'Why.'), { reason: 'Why.', gone: true, askedMs: null });
      for (const status of [400, 408, 429, 500, 502, 503])
        assert.equal(classifyFailure(receiver, status, undefined, '').gone, false, `${status}`);
      assert.equal(classifyFailure(receiver, 429, '30', '').askedMs, 30_000);
    });
  });
}
