import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newSharedWaits } from './shared-waits.ts';

const { heldPerAgentMax, heldPerOrganizationMax, heldMax } = LIMITS.mcpServers;
const LONG_MS = 60_000;

const newWaits = () => newSharedWaits({ wait: () => new Promise(() => undefined), end: () => undefined, count: () => 0 });
const held = (organizationId: string, agentId: string) => ({ organizationId, agentId, approvalId: 'apr_1' });

/** Holds calls of one agent until the signal. */
const hold = (waits: ReturnType<typeof newWaits>, count: number, waited: ReturnType<typeof held>, signal: AbortSignal) =>
  Array.from({ length: count }, () => waits(waited, LONG_MS, signal));

test('limits calls per agent, organization and process, and a finished call frees its slot', async () => {
  const waits = newWaits();
  const ending = new AbortController();
  const { signal } = ending;
  const leaving = new AbortController();
  const gone = hold(waits, heldPerAgentMax, held('a', 'a1'), leaving.signal);
  assert.equal(await waits(held('a', 'a1'), LONG_MS, signal), false);
  /** Holds calls of several agents, each of its given organization. */
  const fill = (count: number, organizationOf: (at: number) => string): void => {
    for (let at = 0, left = count; left > 0; at += 1, left -= heldPerAgentMax)
      hold(waits, Math.min(left, heldPerAgentMax), held(organizationOf(at), `${organizationOf(at)} ${at}`), signal);
  };
  fill(heldPerOrganizationMax - heldPerAgentMax, () => 'a');
  assert.equal(await waits(held('a', 'a9'), LONG_MS, signal), false);
  fill(heldMax - heldPerOrganizationMax, (at) => `b${at}`);
  assert.equal(await waits(held('c', 'c1'), LONG_MS, signal), false);
  leaving.abort();
  assert.deepEqual([...new Set(await Promise.all(gone))], [true]);
  assert.equal(await waits(held('a', 'a1'), 1, signal), true);
  ending.abort();
});
