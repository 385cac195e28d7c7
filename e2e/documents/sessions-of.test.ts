import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSIONS } from './play-session.ts';
import { upTo } from './sessions-of.ts';

const guide = (name: string): string => `docs/guides/${name}.md`;

test('a guide is played after those that it says it goes on from', () => {
  assert.deepEqual(upTo(guide('money')), ['first-governed-tool', 'write-a-policy', 'approvals', 'money'].map(guide));
  assert.deepEqual(upTo(guide('command-line-sign-in')), ['first-governed-tool', 'command-line-sign-in'].map(guide));
  assert.deepEqual(upTo('docs/operating/running.md'), ['docs/operating/running.md']);
});

test('every guide says what it goes on from, so that it can be played without the others of its session', () => {
  const guides = [...new Set(Object.values(SESSIONS).flat(2))].filter((file) => file.startsWith('docs/guides/'));
  for (const file of guides) assert.equal(upTo(file)[0], guide('first-governed-tool'), file);
});
