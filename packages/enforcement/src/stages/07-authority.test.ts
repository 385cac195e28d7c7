import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chain, DelegationLink } from '@svc/domain/agents/delegations/delegation.ts';
import { ownGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import { readyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import { explainAuthority } from '../explanation/explain-authority.ts';
import type { LostClaim } from '../facts/claims.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { authority } from './07-authority.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const RATE = { id: 'fxr_1', base_currency: 'EUR', quote_currency: 'USD', rate: '1.1', effective_at: '2020-01-01T00:00:00.000Z' };

type Change = { scope?: Partial<DelegationLink['scope']>; ceiling?: Partial<DelegationLink['ceiling']> } & Partial<
  Omit<DelegationLink, 'scope' | 'ceiling'>
>;

const link = (id: number, { scope, ceiling, ...more }: Change = {}): DelegationLink => ({
  id: `del_${id}`,
  parent_id: null,
  delegator: id === 1 ? { type: 'USER', id: 'usr_1' } : { type: 'AGENT', id: `agt_${id - 1}` },
  delegate_agent_id: `agt_${id}`,
  status: 'ACTIVE',
  expires_at: null,
  can_redelegate: true,
  max_depth: 5,
  delegate: { status: 'ACTIVE', capabilities: ['pay'] },
  ...more,
  scope: { capabilities: null, tools: null, environments: null, destinations: null, ...scope },
  ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null, ...ceiling },
});

type Request = { delegation_id?: string; amount?: number; currency?: string; lost?: readonly LostClaim[]; requires_delegation?: boolean };

const ask = (chains: readonly Chain[], { delegation_id, amount, currency, lost, requires_delegation = false }: Request = {}) => {
  const ready = chains.map((chain) => readyChain(['pay', 'read'], chain));
  const facts = {
    now: NOW,
    environment: { environment_id: 'env_1', rates: newRateTable('USD', [{ ...RATE, source: 'MANUAL' }]), requires_delegation },
    agent: {
      capabilities: new Set(['pay', 'read']),
      tool_ids: new Set(['tool_1']),
      chains: new Map(ready.map((chain) => [chain.id, chain])),
      root_chains: ready.filter(({ chain }) => chain.length === 1),
    },
    request: delegation_id === undefined ? {} : { delegation_id },
    lost,
  } as unknown as Facts;
  const learned = {
    tool: { id: 'tool_1', name: 'payout', required_capability: 'pay' },
    derived: { destination: { host: 'api.example.com', port: 443 }, amount: amount ?? null, currency: amount ? (currency ?? 'USD') : null },
  } as unknown as Learned;
  const answer = authority.check(facts, learned);
  if (answer.outcome === 'held') return assert.fail('nobody is asked');
  return { answer, learned: answer.learned, explained: explainAuthority(facts, { ...learned, ...answer.learned }) };
};

const getRefusal = (chains: readonly Chain[], request?: Request) => {
  const { answer } = ask(chains, request);
  return answer.outcome === 'refused' ? [answer.code, answer.details?.at, answer.details?.field] : answer.outcome;
};

const NAMED = { delegation_id: 'del_2' };
const chainWith = (first: Change, second: Change = {}): Chain => [link(1, first), link(2, second)];

describe('a request that names a delegation', () => {
  test('requires its whole chain, with a claim on each link with limits', () => {
    const ceiling = { max_amount: 1_000, currency: 'EUR', max_calls: 9, window_seconds: 60 };
    const { answer, learned, explained } = ask([chainWith({ ceiling }, { ceiling: { max_calls: 2 } })], { ...NAMED, amount: 100 });
    assert.equal(answer.outcome, 'passed');
    assert.deepEqual(
      learned?.claims?.map(({ label: _, ...claim }) => claim),
      [
        { ...ceiling, counter: 'delegation:del_1', amount: 91, code: 'AUTHORITY_EXCEEDED', source: { delegation_id: 'del_1' } },
        {
          counter: 'delegation:del_2',
          window_seconds: null,
          max_calls: 2,
          max_amount: null,
          currency: null,
          amount: 0,
          code: 'AUTHORITY_EXCEEDED',
          source: { delegation_id: 'del_2' },
        },
      ],
    );
    assert.deepEqual(
      [explained.source, explained.delegation_id, explained.depth, explained.root_principal, explained.named],
      ['DELEGATION', 'del_2', 2, { type: 'USER', id: 'usr_1' }, true],
    );
  });

  test('explains what each link of its chain removed', () => {
    const chain = chainWith(
      { scope: { capabilities: ['pay'] }, ceiling: { max_amount: 50, currency: 'USD' } },
      { scope: { tools: ['payout'] } },
    );
    assert.deepEqual(ask([chain], NAMED).explained.chain, [
      {
        delegation_id: 'del_1',
        delegator: { type: 'USER', id: 'usr_1' },
        delegate_agent_id: 'agt_1',
        narrows: [{ field: 'scope.capabilities', removed: { items: ['read'] }, left: { items: ['pay'] } }],
        ceiling: { max_amount: 50, currency: 'USD' },
        expires_at: null,
      },
      {
        delegation_id: 'del_2',
        delegator: { type: 'AGENT', id: 'agt_1' },
        delegate_agent_id: 'agt_2',
        narrows: [{ field: 'scope.tools', removed: null, left: { items: ['payout'] } }],
        ceiling: {},
        expires_at: null,
      },
    ]);
  });

  test('gets the same refusal for an unknown delegation and one to another agent', () => {
    const { answer, explained } = ask([], NAMED);
    assert.deepEqual(answer.outcome === 'refused' && [answer.code, answer.details], ['DELEGATION_INVALID', { delegation_id: 'del_2' }]);
    assert.deepEqual([explained.source, explained.chain], ['DELEGATION', []]);
  });

  test('is refused if its chain is broken', () => {
    const facts = {
      now: NOW,
      request: NAMED,
      agent: { chains: new Map([['del_2', { fault: 'does not exist', delegation_id: 'del_1' }]]) },
    };
    const answer = authority.check(facts as unknown as Facts, {});
    assert.deepEqual(answer.outcome === 'refused' && [answer.code, answer.details?.at], ['DELEGATION_INVALID', 'del_1']);
  });

  test('is refused by a link that was revoked, has expired by the clock of the decision, or may not be passed on', () => {
    const refused = (first: Change, second?: Change) => getRefusal([chainWith(first, second)], NAMED);
    assert.deepEqual(refused({ status: 'REVOKED' }), ['DELEGATION_INVALID', 'del_1', undefined]);
    assert.deepEqual(refused({ expires_at: NOW.toISOString() }), ['DELEGATION_EXPIRED', 'del_1', undefined]);
    assert.equal(refused({ expires_at: new Date(NOW.getTime() + 1).toISOString() }), 'passed');
    assert.deepEqual(refused({ can_redelegate: false }), ['DELEGATION_INVALID', 'del_2', undefined]);
    assert.deepEqual(refused({ delegate: { status: 'ISOLATED', capabilities: ['pay'] } }), ['DELEGATION_INVALID', 'del_1', undefined]);
  });

  test('is within every link in every dimension, or gets the first link that does not cover it and the dimension', () => {
    const refused = (first: Change, request: Request = {}) => getRefusal([chainWith(first)], { ...NAMED, ...request });
    const outside = (field: string) => ['AUTHORITY_EXCEEDED', 'del_1', field];
    assert.deepEqual(refused({ scope: { capabilities: ['read'] } }), outside('scope.capabilities'));
    assert.deepEqual(refused({ scope: { tools: ['refund'] } }), outside('scope.tools'));
    assert.equal(refused({ scope: { tools: ['tool_1'] } }), 'passed');
    assert.deepEqual(refused({ scope: { environments: [] } }), outside('scope.environments'));
    assert.deepEqual(refused({ scope: { destinations: ['*.api.example.com', 'example.com'] } }), outside('scope.destinations'));
    assert.deepEqual(refused({ delegate: { status: 'ACTIVE', capabilities: ['read'] } }), outside('delegate.capabilities'));
    const ceiling = { max_amount: 100, currency: 'USD' };
    assert.deepEqual(refused({ ceiling }, { amount: 101 }), outside('ceiling.max_amount'));
    assert.equal(refused({ ceiling }, { amount: 90, currency: 'EUR' }), 'passed');
    assert.deepEqual(refused({ ceiling }, { amount: 91, currency: 'EUR' }), outside('ceiling.max_amount'));
    assert.deepEqual(refused({ ceiling }, { amount: 1, currency: 'CHF' }), ['UNPROCESSABLE', 'del_1', 'ceiling.max_amount']);
    assert.equal(refused({ ceiling }), 'passed');
  });
});

describe('a request without a delegation', () => {
  const root = (id: number, change: Change = {}): Chain => [link(id, { delegator: { type: 'USER', id: 'usr_1' }, ...change })];

  test('uses the grants of the agent while no person has delegated to it', () => {
    const { answer, explained } = ask([chainWith({})]);
    assert.deepEqual([answer, explained.source], [{ outcome: 'passed' }, 'GRANT']);
    assert.equal(getRefusal([root(1, { status: 'REVOKED' })]), 'passed');
  });

  test('is refused without a valid delegation if the environment requires one', () => {
    const wanting = { requires_delegation: true };
    assert.deepEqual(getRefusal([], wanting), ['AUTHORITY_EXCEEDED', null, 'delegation_id']);
    assert.deepEqual(getRefusal([root(1, { expires_at: NOW.toISOString() })], wanting), ['AUTHORITY_EXCEEDED', null, 'delegation_id']);
    assert.equal(getRefusal([root(1)], wanting), 'passed');
  });

  test('uses any root delegation that covers it, and gets what each lacks if none does', () => {
    const narrow = root(1, { scope: { capabilities: ['read'] } });
    const { explained } = ask([narrow, root(3)]);
    assert.deepEqual([explained.delegation_id, explained.named], ['del_3', false]);
    assert.deepEqual(getRefusal([narrow]), ['AUTHORITY_EXCEEDED', 'del_1', 'scope.capabilities']);
    const { answer } = ask([narrow, root(3, { scope: { tools: [] } })]);
    assert.ok(answer.outcome === 'refused' && answer.details);
    const tried = answer.details.tried as { delegation_id: string; field: string }[];
    assert.deepEqual(
      tried.map((one) => [one.delegation_id, one.field]),
      [
        ['del_1', 'scope.capabilities'],
        ['del_3', 'scope.tools'],
      ],
    );
  });

  test('continues with the next root delegation if the count of one is exhausted, and is refused by the last', () => {
    const chains = [root(1, { ceiling: { max_calls: 1 } }), root(3, { ceiling: { max_calls: 1 } })];
    const counters = (request: Request) => ask(chains, request).learned?.claims?.map(({ counter }) => counter);
    const lostAt = (id: number): LostClaim => {
      const claim = ask(chains.filter(([one]) => one.id === `del_${id}`)).learned?.claims?.[0];
      assert.ok(claim);
      return { claim, bound: 'max_calls', frees_at: null, retry_after_seconds: null };
    };
    assert.deepEqual(counters({}), ['delegation:del_1']);
    assert.deepEqual(counters({ lost: [lostAt(1)] }), ['delegation:del_3']);
    assert.deepEqual(counters({ lost: [lostAt(1), lostAt(3)] }), ['delegation:del_3']);
    const ofRule = { ...lostAt(3), claim: { ...lostAt(3).claim, counter: 'limit:pol_1:r:usr_1' } };
    assert.deepEqual(counters({ lost: [lostAt(1), ofRule] }), ['delegation:del_3'], 'what had no room before is passed over still');
    const { at, field, allowed } = ask(chains, { lost: [lostAt(1), lostAt(3)] }).explained.refused as Record<string, unknown>;
    assert.deepEqual([at, field, allowed], ['del_3', 'ceiling.max_calls', 1]);
  });
});

describe('own grants of another agent', () => {
  const handedOn: Chain = [ownGrants('agt_1', { status: 'ACTIVE', capabilities: ['pay'] }), link(2)];

  test('can be delegated, and count as no delegation', () => {
    const { answer, explained } = ask([handedOn], NAMED);
    assert.deepEqual([answer.outcome, explained.depth, explained.root_principal], ['passed', 1, { type: 'AGENT', id: 'agt_1' }]);
    assert.deepEqual(ask([handedOn]).answer, { outcome: 'passed' });
  });

  test('cannot bypass a delegation of a person to the agent, or an environment that requires one', () => {
    assert.deepEqual(getRefusal([handedOn, [link(1)]], NAMED), ['DELEGATION_INVALID', undefined, undefined]);
    assert.deepEqual(getRefusal([handedOn], { ...NAMED, requires_delegation: true }), ['DELEGATION_INVALID', undefined, undefined]);
  });
});
