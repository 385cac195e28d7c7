import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgePost, withoutUrl } from './judge-post.ts';

test('what a receiver says is told without its URL, be it repeated as it stands or with its escapes read', () => {
  const url = 'https://hooks.slack.com/services/T00000/abcdefgh/caf%C3%A9-long?key=0123456789';
  assert.equal(withoutUrl('no abcdefgh, café-long, caf%C3%A9-long or 0123456789 here', url), 'no …, …, … or … here');
  const refused = judgePost({ kind: 'answered', status: 404, headers: {}, body: 'no_service', bytes: 10, duration_ms: 1 }, url);
  assert.deepEqual(refused, { reason: 'The receiver answered 404: no_service.', gone: true, askedMs: null });
});
