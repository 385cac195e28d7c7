import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTIFICATION_KINDS } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { classifyFailure, reasonToDisable, waitMs } from './after-post.ts';
import { buildPost } from './build-post.ts';
import { findChannelUrlFault, maskChannelUrl } from './channel-address.ts';
import { RECEIVERS } from './kinds/receivers.ts';

const receiver = RECEIVERS.SLACK;
const { postCharsMax, retryDelaysSeconds, disableAfterFailingSeconds } = LIMITS.channels;

test('bounds a post with any contents, and never cuts inside an escape', () => {
  const facts = {
    name: '<&>'.repeat(200),
    agent: '&'.repeat(120),
    tool: '<'.repeat(120),
    who: '>'.repeat(400),
    expires_at: 'soon',
    ends_at: 'soon',
  };
  const messages = [null, ...NOTIFICATION_KINDS].flatMap((kind) =>
    Array.from({ length: 4 }, () => ({ kind, facts, gathered: 1, is_rest: false, link: 'https://g.example/x' })),
  );
  const text = buildPost(receiver, 'An *organization*', messages);
  assert.ok(text.length <= postCharsMax);
  assert.doesNotMatch(text.replace(/&(amp|lt|gt);/g, '').replace(/<https:\/\/g\.example\/x\|View>/g, ''), /[&<>]/);
  assert.match(text, /4 actions wait for approval\./);
});

test('leaves space for every waiting kind, however long a name is', () => {
  const each = { gathered: 1, is_rest: false, link: 'https://g.example/x' };
  for (let length = 1; length <= 120; length += 1) {
    const facts = { name: '&'.repeat(length), agent: '&'.repeat(length), tool: 'pay', expires_at: 'soon' };
    const waiting = Array.from({ length: 5 }, () => ({ kind: 'approval_waiting' as const, facts, ...each }));
    const text = buildPost(receiver, 'An organization', [...waiting, { kind: 'emergency', facts, ...each }]);
    assert.equal(text.match(/View/g)?.length, 2, `${length}`);
    assert.ok(text.length <= postCharsMax);
  }
});

test('shows a URL without the part that grants access', () => {
  assert.equal(maskChannelUrl('https://hooks.slack.com/services/T0/B0/0123456789abcdefWXYZ'), 'hooks.slack.com/…WXYZ');
  assert.equal(maskChannelUrl('https://chat.example:8065/hooks/short'), 'chat.example:8065/…');
  assert.equal(
    findChannelUrlFault(receiver, 'https://chat.example:8065/hooks/x', { allowsHttp: false, hosts: ['CHAT.example:8065'] }),
    undefined,
  );
  assert.match(
    findChannelUrlFault(receiver, 'https://chat.example/hooks/x', { allowsHttp: false, hosts: ['chat.example:8065'] }) ?? '',
    /SVC_NOTIFICATION_HOSTS/,
  );
  assert.match(findChannelUrlFault(receiver, 'http://hooks.slack.com:443/x', { allowsHttp: true, hosts: [] }) ?? '', /https/);
});

test("waits as the table states plus at most a third, and obeys a receiver's request up to an hour", () => {
  retryDelaysSeconds.forEach((seconds, index) => {
    assert.deepEqual([waitMs(index + 1, null, 0), waitMs(index + 1, null, 1)], [seconds * 1_000, seconds * 1_300]);
  });
  assert.equal(waitMs(99, null, 0), (retryDelaysSeconds.at(-1) ?? 0) * 1_000);
  const asked = (retryAfter: string) => classifyFailure(receiver, 429, retryAfter, '').askedMs;
  assert.deepEqual([asked('30'), asked('99999'), asked('soon')], [30_000, 3_600_000, null]);
  assert.equal(waitMs(1, 0, 0), LIMITS.channels.everyMs);
});

test('disables a channel after a day without success, or after three consecutive reports that it is gone', () => {
  const since = (ms: number) => new Date(ms).toISOString();
  const dayMs = disableAfterFailingSeconds * 1_000;
  assert.equal(reasonToDisable({ gone_answers: 2, failing_since: since(1) }, dayMs), undefined);
  assert.equal(reasonToDisable({ gone_answers: 0, failing_since: since(0) }, dayMs), 'FAILING');
  assert.equal(reasonToDisable({ gone_answers: 3, failing_since: since(dayMs) }, dayMs), 'RECEIVER_GONE');
});
