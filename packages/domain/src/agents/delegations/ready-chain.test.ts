import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain, DelegationLink } from './delegation.ts';
import { type PreparedLinks, readyChain } from './ready-chain.ts';

const DEPTH = 15;
const LEAVES = 900;
const names = Array.from({ length: 20 }, (_, n) => `capability.${n}`);

/** Counts how often its lists are read, which is what preparing a link costs. */
const counted = (n: number, reads: { count: number }): DelegationLink => ({
  id: `del_${n}`,
  parent_id: null,
  delegator: { type: 'USER', id: 'usr_1' },
  delegate_agent_id: `agt_${n}`,
  scope: {
    capabilities: names,
    tools: null,
    environments: null,
    get destinations() {
      reads.count += 1;
      return ['*.example.com'];
    },
  },
  ceiling: { max_amount: null, currency: null, max_calls: 10, window_seconds: null },
  expires_at: null,
  can_redelegate: true,
  max_depth: 15,
  status: 'ACTIVE',
  delegate: { status: 'ACTIVE', capabilities: names },
});

test('prepares no link of an agent in many deep chains before a decision, and each link above once', () => {
  const reads = { count: 0 };
  const [first, ...above] = Array.from({ length: DEPTH - 1 }, (_, n) => counted(n, reads));
  assert.ok(first);
  const prepared: PreparedLinks = new Map();
  const chains = Array.from({ length: LEAVES }, (_, n): Chain => [first, ...above, counted(DEPTH + n, reads)]);
  const ready = chains.map((chain) => readyChain(names, chain, prepared));
  assert.equal(reads.count, 0);
  const links = ready.map((one) => one.links);
  assert.deepEqual([links[0]?.length, links[0] === ready[0]?.links], [DEPTH, true]);
  assert.equal(links.at(-1)?.[0], links[0]?.[0]);
  // The length of a list is read as well, so each link is read twice at most.
  assert.ok(reads.count <= 2 * (DEPTH - 1 + LEAVES), String(reads.count));
  assert.deepEqual([links[0]?.at(-1)?.held, links[0]?.[0]?.held?.size], [null, names.length]);
});
