import type { Risk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { type AgentKind, HONEST_KINDS, SELDOM_TOOLS } from './honest-agents.ts';
import { BENCH_THRESHOLDS, type BenchAction, newBenchAgent } from './run-agent.ts';

const START_MS = Date.parse('2026-03-02T00:00:00.000Z');
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 24;
/** Days in which an agent is learned, which are not counted. */
const LEARNED_AFTER_DAYS = 3;
const BURST_SHARE = 0.1;
const BURST_FACTOR = 2.2;
/** The spread of amounts: the logarithm is about normal with this deviation. */
const AMOUNT_DEVIATION = 0.5;

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
const newRandom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
type Random = () => number;

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)] as Item;

/** About normal: a sum of uniform numbers, so that it needs no tails beyond what people do. */
const readNormal = (random: Random): number => Array.from({ length: 6 }, random).reduce((sum, each) => sum + each, 0) - 3;

const makeDay = (kind: AgentKind, id: string, day: number, network: string, random: Random): BenchAction[] => {
  const weekday = (day + 1) % 7;
  if (!kind.worksOnWeekends && (weekday === 6 || weekday === 0)) return [];
  const count = Math.round(kind.perDay * (0.7 + random() * 0.6) * (random() < BURST_SHARE ? BURST_FACTOR : 1));
  const [from, to] = kind.hours;
  const times = Array.from({ length: count }, () => START_MS + day * DAY_MS + from * HOUR_MS + random() * (to - from) * HOUR_MS);
  return times
    .toSorted((one, other) => one - other)
    .map((atMs, index): BenchAction => {
      const isNew = random() < kind.newDestinationShare;
      const tool = random() < kind.seldomShare ? pick(SELDOM_TOOLS, random) : pick(kind.tools, random);
      return {
        atMs,
        tool,
        network,
        destination: isNew ? `new-${id}-${day}-${index}.example` : `host-${Math.floor(random() * kind.destinations)}.example`,
        record: kind.records === 0 ? null : String(Math.floor(random() * kind.records)),
        amount: kind.amount === null ? null : Math.round(kind.amount * Math.exp(AMOUNT_DEVIATION * readNormal(random))),
      };
    });
};

export type KindResult = {
  readonly kind: string;
  readonly actions: number;
  readonly elevated: number;
  readonly high: number;
  /** How often each signal counted. */
  readonly signals: Readonly<Record<string, number>>;
};

const runKind = (kind: AgentKind, share: number): KindResult => {
  const result = { actions: 0, elevated: 0, high: 0, signals: {} as Record<string, number> };
  const note = ({ score, signals }: Risk): void => {
    result.actions += 1;
    if (score >= BENCH_THRESHOLDS.elevated) result.elevated += 1;
    if (score >= BENCH_THRESHOLDS.high) result.high += 1;
    for (const { name, counted } of signals) if (counted > 0) result.signals[name] = (result.signals[name] ?? 0) + 1;
  };
  for (let agent = 0; agent < Math.max(1, Math.round(kind.agents * share)); agent += 1) {
    const id = `${kind.name}-${agent}`;
    const random = newRandom([...id].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), 17));
    const { act } = newBenchAgent();
    let moved = 0;
    for (let day = 0; day < DAYS; day += 1) {
      if (random() < kind.movesShare) moved += 1;
      for (const action of makeDay(kind, id, day, `10.${moved}.${agent}.0/24`, random)) {
        const risk = act(action);
        if (day >= LEARNED_AFTER_DAYS) note(risk);
      }
    }
  }
  return { kind: kind.name, ...result };
};

/** The risk of honest actions, by kind of agent. `share` runs a part of the agents. */
export const simulateHonest = (share = 1): readonly KindResult[] => HONEST_KINDS.map((kind) => runKind(kind, share));

type LongLife = { readonly actions: number; readonly bytes: number; readonly micros: number };

const MEASURED = 2_000;

/** The size of a history and the time for one request, after so many actions of one agent. */
export const measureLongLife = (points: readonly number[]): readonly LongLife[] => {
  const kind = HONEST_KINDS[0] as AgentKind;
  const { act, measureHistory } = newBenchAgent();
  const random = newRandom(11);
  let [done, day] = [0, 0];
  return points.map((actions) => {
    for (; done < actions; day += 1)
      for (const action of makeDay(kind, 'long', day, '10.0.0.0/24', random)) {
        act(action);
        done += 1;
      }
    const times = makeDay({ ...kind, perDay: MEASURED }, 'long', day, '10.0.0.0/24', random).map((action) => {
      const startedAt = performance.now();
      act(action);
      return (performance.now() - startedAt) * 1_000;
    });
    done += times.length;
    day += 1;
    return { actions, bytes: measureHistory(), micros: times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0 };
  });
};

export type AttackResult = {
  readonly title: string;
  readonly score: number;
  readonly signals: readonly string[];
  /** Number of the request that first reached the level; 0 if none did. */
  readonly elevatedAt: number;
  readonly highAt: number;
};

const SUPPORT = HONEST_KINDS[0] as AgentKind;
const ATTACK_DAY = 14;
const ATTACK_MS = START_MS + ATTACK_DAY * DAY_MS + 10 * HOUR_MS;
const SECRET = ['ghp', 'a1B2'.repeat(9)].join('_');

/** An agent with 14 days of history, and a request like its usual ones. */
const newVictim = () => {
  const { act } = newBenchAgent();
  const random = newRandom(7);
  for (let day = 0; day < ATTACK_DAY; day += 1) for (const action of makeDay(SUPPORT, 'victim', day, '10.0.0.0/24', random)) act(action);
  const usual: BenchAction = {
    ...{ atMs: ATTACK_MS, tool: 'customer.read', destination: 'host-1.example', network: '10.0.0.0/24', record: '1', amount: 4_000 },
  };
  return { act, usual };
};

type Attack = { readonly title: string; readonly requests: (usual: BenchAction) => readonly BenchAction[] };

const repeat = (count: number, make: (index: number) => BenchAction): BenchAction[] =>
  Array.from({ length: count }, (_, index) => make(index));

const ATTACKS: readonly Attack[] = [
  {
    title: 'stolen key from a new address to a new place',
    requests: (usual) => [{ ...usual, network: '198.51.100.0/24', destination: 'collect.test' }],
  },
  { title: 'one refund of 60 times the usual', requests: (usual) => [{ ...usual, tool: 'refund.create', amount: 240_000 }] },
  {
    title: 'the same from a new address',
    requests: (usual) => [{ ...usual, tool: 'refund.create', amount: 240_000, network: '198.51.100.0/24' }],
  },
  {
    title: '600 reads of different records in five minutes',
    requests: (usual) => repeat(600, (index) => ({ ...usual, atMs: ATTACK_MS + index * 500, record: `stolen-${index}` })),
  },
  {
    title: 'tries of tools that it does not have',
    requests: (usual) =>
      repeat(8, (index) => ({ ...usual, atMs: ATTACK_MS + index * 1_000, tool: `admin.tool-${index}`, outcome: 'probing' })),
  },
  { title: 'secret to a new place', requests: (usual) => [{ ...usual, destination: 'collect.test', text: `The key is ${SECRET}` }] },
];

const runAttack = ({ title, requests }: Attack): AttackResult => {
  const { act, usual } = newVictim();
  const risks = requests(usual).map(act);
  const worst = risks.reduce((most, each) => (each.score > most.score ? each : most));
  const reachedAt = (threshold: number): number => risks.findIndex(({ score }) => score >= threshold) + 1;
  return {
    title,
    score: worst.score,
    signals: worst.signals.filter(({ counted }) => counted > 0).map(({ name, counted }) => `${name} ${counted}`),
    elevatedAt: reachedAt(BENCH_THRESHOLDS.elevated),
    highAt: reachedAt(BENCH_THRESHOLDS.high),
  };
};

/** The risk of attacks on an agent with a history. */
export const simulateAttacks = (): readonly AttackResult[] => ATTACKS.map(runAttack);
