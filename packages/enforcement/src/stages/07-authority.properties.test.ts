import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAttenuationFaults, findReductionFaults } from '@svc/domain/agents/delegations/attenuation.ts';
import { findChainFault } from '@svc/domain/agents/delegations/chain-standing.ts';
import type { Chain, DelegationBounds, DelegationLink } from '@svc/domain/agents/delegations/delegation.ts';
import { deriveAuthority } from '@svc/domain/agents/delegations/effective-authority.ts';
import { meet } from '@svc/domain/agents/delegations/meet.ts';
import { ownGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import { readyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { closesCircle, isChainFault, walkChain } from '@svc/domain/agents/delegations/walk-chain.ts';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import type { Claim } from '../facts/claims.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { authority } from './07-authority.ts';

/*
 * A small world in which every request can be tried. A second implementation decides what is permitted without comparing delegations: it
 * checks one request against each link separately. Destinations are listed by hand, money uses fractions.
 */

const HOUR = 3_600_000;
const CAPS = ['c.0', 'c.1', 'c.2'];
const TOOLS = ['t.0', 't.1'];
const PLACES = ['a.ex.com', 'b.a.ex.com', 'ex.com', 'c.ex.com', 'notex.com', 'a.ex.com:8443'];
const WHERE = Object.fromEntries(PLACES.map((place) => [place, { host: place.split(':')[0], port: Number(place.split(':')[1] ?? 443) }]));
/** Destinations that an entry permits. */
const ENTRIES: Record<string, readonly string[]> = {
  'a.ex.com': ['a.ex.com'],
  'A.EX.COM.': ['a.ex.com'],
  '*.ex.com': ['a.ex.com', 'b.a.ex.com', 'c.ex.com'],
  '*.a.ex.com': ['b.a.ex.com'],
  'ex.com': ['ex.com'],
  'notex.com': ['notex.com'],
  '*.ex.com:8443': ['a.ex.com:8443'],
  'a.ex.com:8443': ['a.ex.com:8443'],
};
const AMOUNTS = [0, 1, 99, 100, 101, 110, 111, 900];
const MONEY = ['USD', 'EUR', 'CHF'];
const WINDOWS = [null, 1_800, 2_500, 3_600, 7_200];
const AGENTS = [0, 1, 2, 3];
const RATE = { id: 'fxr_1', base_currency: 'EUR', quote_currency: 'USD', rate: '1.1', effective_at: '2020-01-01T00:00:00.000Z' };
const rates = newRateTable('USD', [{ ...RATE, source: 'MANUAL' }]);

type Want = { cap: string; tool: string; env: string; place: string; amount: number; money: string };
type Agent = { works: boolean; caps: string[] };
type Use = { at: number; amount: number; money: string };
/** `maker` is the agent that delegated its own grants, at the root of a chain without a person. */
type Node = {
  index: number;
  above: Node | null;
  maker: number | null;
  agent: number;
  bounds: DelegationBounds;
  over: boolean;
  uses: Use[];
};
type World = { now: number; nodes: Node[]; agents: Agent[]; taken: Map<string, { at: number; amount: number }[]> };

/** Converts to minor units of another currency, rounded up; infinite without a rate. */
const worth = (amount: number, from: string, to: string): number => {
  if (from === to) return amount;
  if (from === 'EUR' && to === 'USD') return Math.ceil((amount * 11) / 10);
  return from === 'USD' && to === 'EUR' ? Math.ceil((amount * 10) / 11) : Number.POSITIVE_INFINITY;
};

const lists = (list: readonly string[] | null, one: string): boolean => list === null || list.includes(one);
const opens = (list: readonly string[] | null, place: string): boolean =>
  list === null || list.some((entry) => ENTRIES[entry]?.includes(place) === true);

const pays = ({ ceiling }: DelegationBounds, amount: number, money: string): boolean =>
  ceiling.max_amount === null || worth(amount, money, ceiling.currency ?? '') <= ceiling.max_amount;

/** True if one delegation on its own permits the request. */
const saysYes = (bounds: DelegationBounds, want: Want): boolean =>
  lists(bounds.scope.capabilities, want.cap) &&
  lists(bounds.scope.tools, want.tool) &&
  lists(bounds.scope.environments, want.env) &&
  opens(bounds.scope.destinations, want.place) &&
  pays(bounds, want.amount, want.money);

const runs = (world: World, { over, bounds }: Node): boolean =>
  !over && (bounds.expires_at === null || world.now < Date.parse(bounds.expires_at));

const getLine = (node: Node): Node[] => (node.above === null ? [node] : [node, ...getLine(node.above)]);

const isDelegated = (world: World, agent: number): boolean =>
  world.nodes.some((node) => node.above === null && node.maker === null && node.agent === agent && !node.over);

/** A chain from grants is valid only if no person delegated to its maker or to the acting agent. */
const grantsHold = (world: World, line: readonly Node[], want: Want): boolean => {
  const maker = line.at(-1)?.maker ?? null;
  if (maker === null) return true;
  const [last, ...handers] = line.map(({ agent }) => agent);
  const giver = world.agents[maker];
  const actsFree = !world.nodes.some((node) => node.above === null && node.maker === null && node.agent === last && runs(world, node));
  return (
    Boolean(giver?.works && giver.caps.includes(want.cap)) && actsFree && ![maker, ...handers].some((agent) => isDelegated(world, agent))
  );
};

/**
 * Second implementation: every delegation from here up is active, permits the request, and allows that many levels below, through agents
 * that hold the capability and are active.
 */
const may = (world: World, node: Node, want: Want): boolean =>
  world.agents[node.agent]?.caps.includes(want.cap) === true &&
  grantsHold(world, getLine(node), want) &&
  getLine(node).every((link, steps) => {
    const agent = world.agents[link.agent];
    const passes =
      steps === 0 || (link.bounds.can_redelegate && link.bounds.max_depth >= steps && agent?.works && agent.caps.includes(want.cap));
    return Boolean(passes) && runs(world, link) && saysYes(link.bounds, want);
  });

/* The rest calls the code under test, like handlers, snapshots and decisions do. */

const getId = (node: Node): string => `del_${node.index}`;

const getHolder = (world: World, agent: number): DelegationLink['delegate'] => ({
  status: world.agents[agent]?.works ? 'ACTIVE' : 'SUSPENDED',
  capabilities: world.agents[agent]?.caps ?? [],
  is_delegated: isDelegated(world, agent),
});

const getLink = (world: World, node: Node): DelegationLink => {
  const giver = node.above ? node.above.agent : node.maker;
  return {
    ...node.bounds,
    id: getId(node),
    parent_id: node.above ? getId(node.above) : giver === null ? null : `agt_${giver}`,
    delegator: giver === null ? { type: 'USER', id: 'usr_1' } : { type: 'AGENT', id: `agt_${giver}` },
    delegate_agent_id: `agt_${node.agent}`,
    status: node.over ? 'REVOKED' : 'ACTIVE',
    delegate: getHolder(world, node.agent),
  };
};

const listLinks = (world: World): Map<string, DelegationLink> =>
  new Map(
    [...AGENTS.map((agent) => ownGrants(`agt_${agent}`, getHolder(world, agent))), ...world.nodes.map((node) => getLink(world, node))].map(
      (link) => [link.id, link],
    ),
  );

const getChain = (links: ReadonlyMap<string, DelegationLink>, node: Node): Chain => {
  const chain = walkChain(getId(node), links);
  if (isChainFault(chain)) return assert.fail(`${getId(node)} ${chain.fault}`);
  return chain;
};

type Asker = (want: Want, named?: Node) => { passed: boolean; claims: readonly Claim[] };

/** Runs the stage for one agent over the chains of its snapshot. */
const getAsker = (world: World, agent: number, links = listLinks(world)): Asker => {
  const held = world.agents[agent]?.caps ?? [];
  const own = world.nodes.filter((node) => node.agent === agent).map((node) => walkChain(getId(node), links));
  const ready = own.flatMap((chain) => (isChainFault(chain) ? [] : [readyChain(held, chain)]));
  const snapshot = {
    chains: new Map(ready.map((chain) => [chain.id, chain])),
    root_chains: ready.filter(({ chain }) => chain.length === 1),
  };
  return (want, named) => {
    if (!held.includes(want.cap)) return { passed: false, claims: [] };
    const environment = { environment_id: want.env, rates, requires_delegation: false };
    const request = named ? { delegation_id: getId(named) } : {};
    const tool = { id: `id of ${want.tool}`, name: want.tool, required_capability: want.cap };
    const derived = { destination: WHERE[want.place], amount: want.amount, currency: want.money };
    const facts = { now: new Date(world.now), environment, agent: snapshot, request } as unknown as Facts;
    const answer = authority.check(facts, { tool, derived } as unknown as Learned);
    return { passed: answer.outcome === 'passed', claims: answer.outcome === 'passed' ? (answer.learned?.claims ?? []) : [] };
  };
};

type Draw = (below: number) => number;
const pick = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(items.length)] as Item;
const some = (draw: Draw, items: readonly string[]): string[] => items.filter(() => draw(2) === 0);

/** Draws a list equal to the one above, a part of it, or an unrelated one. */
const listLike = (draw: Draw, above: readonly string[] | null, items: readonly string[]): readonly string[] | null => {
  const way = draw(8);
  if (way < 4) return above;
  if (way < 7) return some(draw, above ?? items);
  return draw(3) === 0 ? null : some(draw, items);
};

const ceilingLike = (draw: Draw, above: DelegationBounds['ceiling']): DelegationBounds['ceiling'] => {
  if (draw(8) < 4) return above;
  const money = draw(3) !== 0;
  return {
    max_amount: money ? pick(draw, AMOUNTS) : null,
    currency: money ? pick(draw, ['USD', 'EUR']) : null,
    max_calls: draw(3) === 0 ? null : 1 + draw(4),
    window_seconds: draw(2) === 0 ? above.window_seconds : pick(draw, WINDOWS),
  };
};

const boundsLike = (
  draw: Draw,
  { scope, ceiling, expires_at, can_redelegate, max_depth }: DelegationBounds,
  start: number,
): DelegationBounds => ({
  scope: {
    capabilities: listLike(draw, scope.capabilities, CAPS),
    tools: listLike(draw, scope.tools, TOOLS),
    environments: listLike(draw, scope.environments, ['e.0', 'e.1']),
    destinations: listLike(draw, scope.destinations, Object.keys(ENTRIES)),
  },
  ceiling: ceilingLike(draw, ceiling),
  expires_at: draw(8) < 5 ? expires_at : new Date(start + draw(6) * HOUR).toISOString(),
  can_redelegate: draw(8) < 7 ? can_redelegate : draw(2) === 0,
  max_depth: draw(8) < 7 ? Math.max(0, max_depth - 1) : draw(4),
});

const WIDEST: DelegationBounds = {
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: { max_amount: null, currency: null, max_calls: null, window_seconds: null },
  expires_at: null,
  can_redelegate: true,
  max_depth: 4,
};
const START = Date.parse('2026-03-01T00:00:00.000Z');

/** Returns the maximum calls or sum within one range if every window is used up as soon as it opens. */
const mostWithin = (span: number | null, most: number, window: number | null): number => {
  if (window === null) return most;
  if (span === null) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = 0; at < span; at += window) sum += most;
  return sum;
};

/** Asserts that a part of `above` is within it: for every request that it permits, and for all calls together. */
const assertWithin = (above: DelegationBounds, inner: DelegationBounds): void => {
  const [outer, own] = [above.scope, inner.scope];
  const ask = (what: string, isYes: boolean, isYesAbove: boolean) => assert.ok(!isYes || isYesAbove, `wider: ${what}`);
  for (const cap of CAPS) ask(cap, lists(own.capabilities, cap), lists(outer.capabilities, cap));
  for (const tool of TOOLS) ask(tool, lists(own.tools, tool), lists(outer.tools, tool));
  for (const env of ['e.0', 'e.1']) ask(env, lists(own.environments, env), lists(outer.environments, env));
  for (const place of PLACES) ask(place, opens(own.destinations, place), opens(outer.destinations, place));
  for (const amount of AMOUNTS) for (const money of ['USD', 'EUR']) ask(money, pays(inner, amount, money), pays(above, amount, money));
  assert.ok(above.expires_at === null || (inner.expires_at !== null && inner.expires_at <= above.expires_at), 'ends later');
  const { max_calls, window_seconds } = above.ceiling;
  if (max_calls !== null) {
    const { max_calls: own, window_seconds: window } = inner.ceiling;
    assert.ok(own !== null && mostWithin(window_seconds, own, window) <= max_calls, 'calls more often');
  }
};

const counts = { made: 0, handed: 0, refused: 0, reduced: 0, met: 0, below: 0, passed: 0, used: 0, exhausted: 0 };

/** Returns the parent of a new delegation: none if a person creates it, otherwise another delegation or the grants of its maker. */
const chainAbove = (world: World, { above, maker }: Node): Chain | null => {
  if (above) return getChain(listLinks(world), above);
  return maker === null ? null : [ownGrants(`agt_${maker}`, getHolder(world, maker))];
};

const make = (world: World, draw: Draw): void => {
  const above = draw(4) === 0 ? null : (world.nodes[draw(world.nodes.length + 1)] ?? null);
  const bounds = boundsLike(draw, above?.bounds ?? WIDEST, START);
  const maker = above === null && draw(3) === 0 ? draw(AGENTS.length) : null;
  const node: Node = { index: world.nodes.length, above, maker, agent: draw(AGENTS.length), bounds, over: false, uses: [] };
  const chain = chainAbove(world, node);
  if (chain) {
    const exchange = { rates, now: new Date(world.now) };
    const isRefused =
      findChainFault(chain, exchange.now) ||
      closesCircle(chain, `agt_${node.agent}`) ||
      findAttenuationFaults(chain, bounds, exchange).length > 0;
    counts[isRefused ? 'refused' : 'below'] += 1;
    if (isRefused) return;
    const line = above ? getLine(above) : [];
    for (const link of line) assertWithin(link.bounds, bounds);
    assert.ok(line.every((link, steps) => link.agent !== node.agent && link.bounds.max_depth > steps + bounds.max_depth));
  }
  counts[maker === null ? 'made' : 'handed'] += 1;
  world.nodes.push(node);
};

const reduce = (world: World, draw: Draw): void => {
  const node = world.nodes[draw(world.nodes.length || 1)];
  if (!node) return;
  const exchange = { rates, now: new Date(world.now) };
  const asked = boundsLike(draw, { ...node.bounds, max_depth: node.bounds.max_depth + 1 }, START);
  const isSmaller = findReductionFaults(node.bounds, asked, exchange).length === 0;
  const both = meet(node.bounds, asked, exchange);
  if (isSmaller) assertWithin(node.bounds, asked);
  if ('ok' in both) {
    for (const one of [node.bounds, asked]) {
      assertWithin(one, both.ok);
      assert.ok(both.ok.max_depth <= one.max_depth && (one.can_redelegate || !both.ok.can_redelegate), 'is passed on further');
    }
  }
  counts[isSmaller ? 'reduced' : 'met'] += 1;
  if (isSmaller) node.bounds = asked;
  else if ('ok' in both) node.bounds = { ...both.ok, scope: respell(both.ok.scope) };
};

/** An intersection returns entries in canonical form, as in the table above. */
const respell = (scope: DelegationBounds['scope']): DelegationBounds['scope'] => {
  for (const entry of scope.destinations ?? []) assert.ok(ENTRIES[entry], `a meet invents ${entry}`);
  return scope;
};

const wantOf = (draw: Draw): Want => ({
  cap: pick(draw, CAPS),
  tool: pick(draw, TOOLS),
  env: pick(draw, ['e.0', 'e.1']),
  place: pick(draw, PLACES),
  amount: pick(draw, AMOUNTS),
  money: pick(draw, MONEY),
});

/** Returns a request that the delegation itself permits, if it permits any. */
const likelyWant = ({ bounds: { scope, ceiling } }: Node): Want => {
  const entry = scope.destinations?.[0];
  return {
    cap: scope.capabilities?.[0] ?? 'c.0',
    tool: scope.tools?.[0] ?? 't.0',
    env: scope.environments?.[0] ?? 'e.0',
    place: (entry && ENTRIES[entry]?.[0]) ?? 'a.ex.com',
    amount: 0,
    money: ceiling.currency ?? 'USD',
  };
};

/** Returns requests that differ from that one in a single member. */
const listProbes = (node: Node, draw: Draw): Want[] => {
  const likely = likelyWant(node);
  return [
    ...CAPS.map((cap) => ({ ...likely, cap })),
    ...TOOLS.map((tool) => ({ ...likely, tool })),
    ...PLACES.map((place) => ({ ...likely, place })),
    ...AMOUNTS.map((amount) => ({ ...likely, amount, money: pick(draw, MONEY) })),
    { ...likely, env: 'e.1' },
    wantOf(draw),
  ];
};

const recent = <One extends { at: number }>(all: readonly One[], now: number, window: number | null): One[] =>
  all.filter(({ at }) => window === null || at + window * 1_000 > now);

const fits = (world: World, claim: Claim): boolean => {
  const before = recent(world.taken.get(claim.counter) ?? [], world.now, claim.window_seconds);
  const sum = before.reduce((all, { amount }) => all + amount, claim.amount);
  return (claim.max_calls === null || before.length < claim.max_calls) && (claim.max_amount === null || sum <= claim.max_amount);
};

/** Performs one action under a delegation, with all of its claims or none; no link above is ever used beyond its ceiling. */
const act = (world: World, node: Node, want: Want, ask: Asker): void => {
  const { passed, claims } = ask(want, node);
  assert.equal(passed, may(world, node, want));
  if (!passed) return;
  if (!claims.every((claim) => fits(world, claim))) {
    counts.exhausted += 1;
    return;
  }
  counts.used += 1;
  for (const { counter, amount } of claims) world.taken.set(counter, [...(world.taken.get(counter) ?? []), { at: world.now, amount }]);
  for (const link of getLine(node)) {
    const { max_calls, max_amount, currency, window_seconds } = link.bounds.ceiling;
    // Uses that were not counted are in no later ceiling.
    const isSummed = max_amount !== null && window_seconds !== null;
    if (isSummed) link.uses.push({ at: world.now, amount: want.amount, money: want.money });
    else if (max_calls !== null) link.uses.push({ at: world.now, amount: 0, money: 'USD' });
    const used = recent(link.uses, world.now, window_seconds);
    if (max_calls !== null) assert.ok(used.length <= max_calls, 'more calls than a link above has');
    if (isSummed) {
      const sum = used.reduce((all, use) => all + worth(use.amount, use.money, currency ?? ''), 0);
      assert.ok(sum <= max_amount, 'more spent than a link above has');
    }
  }
};

const actOften = (world: World, draw: Draw): void => {
  const node = world.nodes[draw(world.nodes.length || 1)];
  if (!node) return;
  const ask = getAsker(world, node.agent);
  for (let times = 1 + draw(5); times > 0; times -= 1) {
    act(world, node, draw(4) === 0 ? wantOf(draw) : { ...likelyWant(node), amount: pick(draw, AMOUNTS) }, ask);
  }
};

const assertAll = (world: World, draw: Draw): void => {
  const links = listLinks(world);
  const askers = AGENTS.map((agent) => getAsker(world, agent, links));
  const roots = world.nodes.filter((node) => node.above === null && node.maker === null && runs(world, node));
  for (const node of world.nodes) {
    const ask = askers[node.agent] as Asker;
    const own = roots.filter(({ agent }) => agent === node.agent);
    for (const want of listProbes(node, draw)) {
      const { passed } = ask(want, node);
      assert.equal(passed, may(world, node, want), JSON.stringify(want));
      if (passed && node.above) {
        counts.passed += 1;
        assert.ok((askers[node.above.agent] as Asker)(want, node.above).passed, 'exceeds the delegation above');
      }
      const byRoots = own.length === 0 ? world.agents[node.agent]?.caps.includes(want.cap) : own.some((root) => may(world, root, want));
      assert.equal(ask(want).passed, byRoots, 'without naming one');
    }
    const { capabilities } = deriveAuthority(world.agents[node.agent]?.caps ?? [], getChain(links, node), new Date(world.now)).bounds;
    const lists = (node: Node): readonly string[] => node.bounds.scope.capabilities ?? CAPS;
    const giver = getLine(node).at(-1)?.maker ?? null;
    const holders = [...getLine(node).map((link) => link.agent), ...(giver === null ? [] : [giver])];
    const left = CAPS.filter(
      (cap) =>
        getLine(node).every((link) => lists(link).includes(cap)) && holders.every((agent) => world.agents[agent]?.caps.includes(cap)),
    );
    assert.deepEqual([...capabilities].sort(), left);
  }
};

const step = (world: World, draw: Draw): void => {
  const way = draw(16);
  const node = world.nodes[draw(world.nodes.length || 1)];
  const agent = world.agents[draw(AGENTS.length)];
  if (way < 7) make(world, draw);
  else if (way < 10) reduce(world, draw);
  else if (way < 13) actOften(world, draw);
  else if (way === 13 && node) node.over = true;
  else if (way === 14) world.now += draw(4) * (HOUR / 2);
  else if (way === 15 && agent) {
    if (draw(2) === 0) agent.works = !agent.works;
    else agent.caps = agent.caps.length === CAPS.length ? some(draw, CAPS) : CAPS;
  }
};

/** Draws every number of a sequence from these bytes, so that a failing sequence can be shrunk. */
const drawFrom = (bytes: Uint8Array): Draw => {
  let at = 0;
  return (below) => (bytes[at++ % bytes.length] ?? 0) % below;
};

/** Drawn with a new seed in each run, so that coverage grows over runs. */
const RUNS = countRepetitions({ short: 4_000, long: 20_000 });

test('no sequence of creates, reductions, revocations, uses and clock moves lets an authority exceed one above it', () => {
  const bytes = fc.uint8Array({ minLength: 80, maxLength: 176, size: 'max' });
  fc.assert(
    fc.property(bytes, (given) => {
      const draw = drawFrom(given);
      const world: World = { now: START, nodes: [], agents: AGENTS.map(() => ({ works: true, caps: CAPS })), taken: new Map() };
      for (let steps = Math.floor(given.length / 12); steps > 0; steps -= 1) step(world, draw);
      assertAll(world, draw);
    }),
    { numRuns: RUNS },
  );
  // The sequences reach the situations that they are meant for.
  for (const [what, count] of Object.entries(counts)) assert.ok(count > RUNS / 50, `${what}: ${count}`);
});
