import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { RECEIVERS } from '@svc/domain/events/notification-channels/kinds/receivers.ts';
import { judgePost, removeUrl } from './judge-post.ts';

const receiver = RECEIVERS.SLACK;

test('a response of a receiver is shown without its URL, verbatim or escaped', () => {
  const url = 'https://hooks.slack.com/services/T00000/abcdefgh/caf%C3%A9-long?key=0123456789';
  assert.equal(removeUrl('no abcdefgh, café-long, caf%C3%A9-long or 0123456789 here', url), 'no …, …, … or … here');
  const refused = judgePost(
    { kind: 'answered', status: 404, headers: {}, body: 'no_service', bytes: 10, duration_ms: 1 },
    { receiver, url },
  );
  assert.deepEqual(refused, { reason: 'The receiver returned 404: no_service.', gone: true, askedMs: null });
});

test('the stored part of a response is whole characters, wherever it is cut', () => {
  const url = 'https://hooks.slack.com/services/T00000/abcdefgh';
  for (let before = LIMITS.channels.errorCharsMax - 40; before <= LIMITS.channels.errorCharsMax; before += 1) {
    const body = `${'a'.repeat(before)}😀😀`;
    assert.ok(removeUrl(body, url).isWellFormed(), `after ${before}`);
    const refused = judgePost({ kind: 'answered', status: 500, headers: {}, body, bytes: 1, duration_ms: 1 }, { receiver, url });
    assert.ok(refused?.reason.isWellFormed(), `after ${before}`);
  }
});
