import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depthLeft, findChainFault } from './chain-standing.ts';
import { CHAIN_LINKS_MAX, type Chain, type DelegationLink } from './delegation.ts';
import { ownGrants } from './own-grants.ts';
import { closesCircle, isChainFault, walkChain } from './walk-chain.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');

const link = (id: number, more: Partial<DelegationLink> = {}): DelegationLink => ({
  id: `del_${id}`,
  parent_id: id === 1 ? null : `del_${id - 1}`,
  delegator: id === 1 ? { type: 'USER', id: 'usr_1' } : { type: 'AGENT', id: `agt_${id - 1}` },
  delegate_agent_id: `agt_${id}`,
  status: 'ACTIVE',
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null },
  expires_at: null,
  can_redelegate: true,
  max_depth: CHAIN_LINKS_MAX,
  delegate: { status: 'ACTIVE', capabilities: [] },
  ...more,
});

const walk = (...links: DelegationLink[]) => walkChain(links.at(-1)?.id ?? '', new Map(links.map((one) => [one.id, one])));

const chain = (...links: DelegationLink[]): Chain => {
  const walked = walk(...links);
  if (isChainFault(walked)) return assert.fail(walked.fault);
  return walked;
};

test('walks a chain from the delegation up to the person at its root, and reads it from there down', () => {
  assert.deepEqual(
    chain(link(1), link(2), link(3)).map(({ id }) => id),
    ['del_1', 'del_2', 'del_3'],
  );
});

test('rejects a chain with a missing link, a foreign link, a cycle, or a root without a person and grants', () => {
  const getFault = (...links: DelegationLink[]) => {
    const walked = walk(...links);
    return isChainFault(walked) ? [walked.delegation_id, walked.fault] : 'a chain';
  };
  assert.deepEqual(getFault(link(2), link(3)), ['del_1', 'does not exist']);
  assert.deepEqual(getFault(link(1), link(2, { delegator: { type: 'AGENT', id: 'agt_9' } })), [
    'del_2',
    'was not created by its delegator',
  ]);
  assert.deepEqual(getFault(link(1), link(2), link(3, { delegate_agent_id: 'agt_1' })), [
    'del_1',
    'leads to an agent that is already in the chain',
  ]);
  assert.deepEqual(getFault(link(1, { parent_id: 'del_2' }), link(2)), ['del_2', 'leads to an agent that is already in the chain']);
  assert.deepEqual(getFault(link(1, { delegator: { type: 'AGENT', id: 'agt_0' } })), [
    'del_1',
    'does not start with a person or a grant of an agent',
  ]);
  const { delegate } = link(1);
  const handedOn = link(1, { delegator: { type: 'AGENT', id: 'agt_0' }, parent_id: 'agt_0' });
  assert.deepEqual(getFault(ownGrants('agt_0', delegate), handedOn), 'a chain');
});

test('bounds the length of a chain', () => {
  const links = Array.from({ length: CHAIN_LINKS_MAX + 1 }, (_, index) => link(index + 1));
  assert.equal(isChainFault(walk(...links)), true);
  assert.equal(isChainFault(walk(...links.slice(0, -1))), false);
});

test('rejects a new link back to any agent of the chain', () => {
  const above = chain(link(1), link(2));
  assert.deepEqual(
    ['agt_1', 'agt_2', 'agt_3'].map((agent) => closesCircle(above, agent)),
    [true, true, false],
  );
});

test('holds while every link is active, unexpired, and passed on by working agents', () => {
  const getRefusal = (...links: DelegationLink[]) => {
    const found = findChainFault(chain(...links), NOW);
    return found && [found.code, found.delegation_id];
  };
  assert.equal(getRefusal(link(1), link(2), link(3)), undefined);
  assert.deepEqual(getRefusal(link(1, { status: 'REVOKED' }), link(2)), ['DELEGATION_INVALID', 'del_1']);
  assert.deepEqual(getRefusal(link(1), link(2, { status: 'EXPIRED' })), ['DELEGATION_EXPIRED', 'del_2']);
  assert.deepEqual(getRefusal(link(1, { expires_at: NOW.toISOString() }), link(2)), ['DELEGATION_EXPIRED', 'del_1']);
  assert.equal(getRefusal(link(1, { expires_at: '2026-03-01T00:00:00.001Z' }), link(2)), undefined);
  assert.deepEqual(getRefusal(link(1, { expires_at: 'never' })), ['DELEGATION_EXPIRED', 'del_1']);
  // A revocation is reported before an expiry: a new expiry would not help.
  assert.deepEqual(getRefusal(link(1, { status: 'EXPIRED' }), link(2, { status: 'REVOKED' })), ['DELEGATION_INVALID', 'del_2']);
  for (const status of ['PAUSED', 'SUSPENDED', 'ISOLATED', 'EXPIRED', 'DECOMMISSIONED', 'REVOKED'] as const) {
    const stopped = { delegate: { status, capabilities: [] } };
    assert.deepEqual(getRefusal(link(1, stopped), link(2)), ['DELEGATION_INVALID', 'del_1']);
    // The acting agent's status is checked before and has its own refusal.
    assert.equal(getRefusal(link(1), link(2, stopped)), undefined);
  }
});

test('holds from grants while no person delegated to an agent that passed them on', () => {
  const free = { status: 'ACTIVE', capabilities: [] } as const;
  const bound = { ...free, is_delegated: true };
  const getRefusal = (first: DelegationLink['delegate'], second: DelegationLink['delegate'], third: DelegationLink['delegate']) =>
    findChainFault([ownGrants('agt_0', first), link(1, { delegate: second }), link(2, { delegate: third })], NOW)?.delegation_id;
  assert.deepEqual(
    [getRefusal(free, free, free), getRefusal(bound, free, free), getRefusal(free, bound, free)],
    [undefined, 'agt_0', 'del_1'],
  );
  // The acting agent's right to use grants of another is checked with its request.
  assert.equal(getRefusal(free, free, bound), undefined);
  assert.equal(findChainFault([link(1, { delegate: bound }), link(2)], NOW), undefined);
});

test('holds nothing below a link that may no longer be passed on', () => {
  const getRefusal = (...links: DelegationLink[]) => findChainFault(chain(...links), NOW)?.delegation_id;
  assert.equal(getRefusal(link(1, { can_redelegate: false }), link(2)), 'del_2');
  assert.equal(getRefusal(link(1, { max_depth: 1 }), link(2)), undefined);
  assert.equal(getRefusal(link(1, { max_depth: 1 }), link(2), link(3)), 'del_3');
  assert.deepEqual(
    [
      depthLeft([link(1, { max_depth: 3 })]),
      depthLeft([link(1, { max_depth: 3 }), link(2)]),
      depthLeft([link(1, { can_redelegate: false })]),
    ],
    [3, 2, 0],
  );
});
