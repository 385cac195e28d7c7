import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFailure } from './failures.ts';
import { type McpSession, newSessions } from './sessions.ts';

const key = { server: 'mcp_1', credentialGeneration: 1 };

/** Begins sessions with numbers. */
const counted = () => {
  let count = 0;
  return {
    count: () => count,
    begin: async (): Promise<McpSession> => {
      count += 1;
      return { protocolVersion: '2025-11-25', sessionId: String(count) };
    },
  };
};

const read = async ({ sessionId }: McpSession) => ({ kind: 'result', sessionId }) as const;

test('keeps a session for ten minutes after its last use', async () => {
  let at = 0;
  const sessions = newSessions({ now: () => at });
  const { begin, count } = counted();
  for (const minute of [0, 9, 18]) {
    at = minute * 60_000;
    assert.deepEqual(await sessions.use(key, begin, read), { kind: 'result', sessionId: '1' });
  }
  at = 29 * 60_000;
  assert.deepEqual(await sessions.use(key, begin, read), { kind: 'result', sessionId: '2' });
  assert.equal(count(), 2);
});

test('separates servers, generations of a credential and agents', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin } = counted();
  const keys = [
    key,
    { ...key, server: 'mcp_2' },
    { ...key, credentialGeneration: 2 },
    { ...key, agent: 'agt_1' },
    { ...key, agent: 'agt_2' },
  ];
  const seen = await Promise.all(keys.map((each) => sessions.use(each, begin, read)));
  assert.equal(new Set(seen.map((answer) => 'sessionId' in answer && answer.sessionId)).size, keys.length);
});

test('begins a lost session once more, and not a third time', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin, count } = counted();
  const requests: (string | undefined)[] = [];
  const lost = await sessions.use(key, begin, async ({ sessionId }) => {
    requests.push(sessionId);
    return { kind: 'session_lost' };
  });
  assert.deepEqual([lost.kind, requests, count(), sessions.count()], ['session_lost', ['1', '2'], 2, 0]);
});

test('a request that loses an old session leaves the new one of others', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin, count } = counted();
  const isOld = async ({ sessionId }: McpSession) => ({ kind: sessionId === '1' ? 'session_lost' : 'result' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => sessions.use(key, begin, isOld)));
  assert.deepEqual([new Set(answers.map(({ kind }) => kind)), count()], [new Set(['result']), 2]);
});

test('keeps no failure', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin } = counted();
  const failure = newFailure('TIMEOUT', 'Too slow.');
  assert.deepEqual(await sessions.use(key, async () => failure, read), failure);
  await assert.rejects(
    sessions.use(key, () => Promise.reject(new Error('broken')), read),
    /broken/,
  );
  assert.equal((await sessions.use(key, begin, read)).kind, 'result');
});

test('forgets the session that was unused for longest when there are too many', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin } = counted();
  for (let number = 0; number < 5_000; number += 1) await sessions.use({ ...key, server: `mcp_${number}` }, begin, read);
  assert.equal(sessions.count(), 4_096);
});

test('a late answer that an old session is lost leaves the session that began meanwhile', async () => {
  const sessions = newSessions({ now: () => 0 });
  const { begin, count } = counted();
  const { promise: isLate, resolve: answerLate } = Promise.withResolvers<void>();
  const late = sessions.use(key, begin, async ({ sessionId }) => {
    if (sessionId !== '1') return { kind: 'result' };
    await isLate;
    return { kind: 'session_lost' };
  });
  const prompt = await sessions.use(key, begin, async ({ sessionId }) => ({ kind: sessionId === '1' ? 'session_lost' : 'result' }));
  answerLate();
  assert.deepEqual([prompt.kind, (await late).kind, count()], ['result', 'result', 2]);
});
