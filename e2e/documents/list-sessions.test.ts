import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listGuidesUpTo } from './list-sessions.ts';
import { SESSIONS } from './play-session.ts';

const guide = (name: string): string => `docs/guides/${name}.md`;

test('a guide runs after those that it continues', () => {
  assert.deepEqual(listGuidesUpTo(guide('money')), ['first-governed-tool', 'write-a-policy', 'approvals', 'money'].map(guide));
  assert.deepEqual(listGuidesUpTo(guide('command-line-sign-in')), ['first-governed-tool', 'command-line-sign-in'].map(guide));
  assert.deepEqual(listGuidesUpTo('docs/operating/running.md'), ['docs/operating/running.md']);
});

test('every guide states what it continues, so that it can run without the others of its session', () => {
  const guides = [...new Set(Object.values(SESSIONS).flat(2))].filter((file) => file.startsWith('docs/guides/'));
  for (const file of guides) assert.equal(listGuidesUpTo(file)[0], guide('first-governed-tool'), file);
});
