import { ATTACKS, KNOWN_MISSES } from './attack-families.ts';
import type { Family, FlowStep } from './family.ts';
import type { BenchToolName } from './flow-tools.ts';
import { HONEST } from './honest-families.ts';

export type SessionKind = 'ATTACK' | 'HONEST' | 'KNOWN_MISS';
export type BenchSession = { readonly family: Family; readonly kind: SessionKind; readonly steps: readonly FlowStep[] };

const VARIANTS = 10;
/** Requests without data or labels, between the others. */
const FILLERS: readonly BenchToolName[] = ['metrics.read', 'calendar.read', 'note.read'];

/** Creates a generator of numbers below `bound`, the same for the same seed (linear congruential). */
const newRandom = (seed: number) => {
  let state = seed >>> 0;
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

const NAMES = ['ann', 'mary', 'omar', 'li', 'ines', 'jon', 'sofia', 'kai', 'noor', 'tom'];
const EVIL = ['evil.test', 'paste.test', 'files.test', 'collect.test', 'cdn.test'];
const PARTNERS = ['news.test', 'wiki.test', 'partner.test'];

const pick = <Item>(items: readonly Item[], random: (bound: number) => number): Item => items[random(items.length)] as Item;

const readCast = (variant: number, random: (bound: number) => number): Readonly<Record<string, string>> => ({
  ann: `${NAMES[variant % NAMES.length]}@customer.test`,
  bob: `${NAMES[(variant + 3) % NAMES.length]}.b@client.test`,
  eve: `eve${variant}@${pick(EVIL, random)}`,
  evil: pick(EVIL, random),
  partner: pick(PARTNERS, random),
});

const filled = (each: FlowStep, cast: Readonly<Record<string, string>>): FlowStep => ({
  ...each,
  with: Object.fromEntries(
    Object.entries(each.with ?? {}).map(([name, text]) => [name, text.replaceAll(/\{(\w+)\}/g, (_, who: string) => cast[who] ?? who)]),
  ),
});

/** Builds a variant of a family: other people and hosts, repeated reads, and requests in between. */
const readVariant = (family: Family, kind: SessionKind, variant: number): BenchSession => {
  const random = newRandom(variant * 7_919 + [...family.id].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7));
  const cast = readCast(variant, random);
  const steps = family.steps.flatMap((each, index) => {
    const own = filled(each, cast);
    const place = { ...(own.in === undefined ? {} : { in: own.in }), ...(own.from === undefined ? {} : { from: own.from }) };
    const before = Array.from({ length: random(3) }, (): FlowStep => ({ tool: pick(FILLERS, random), ...place }));
    const isRead = index === 0 && own.isHarm !== true;
    return [...before, ...(isRead && random(2) === 1 ? [own] : []), own];
  });
  return { family, kind, steps };
};

const readVariants = (families: readonly Family[], kind: SessionKind): BenchSession[] =>
  families.flatMap((family) => Array.from({ length: VARIANTS }, (_, variant) => readVariant(family, kind, variant)));

/** Returns all sessions, the same in each run. */
export const makeSessions = (): readonly BenchSession[] => [
  ...readVariants(ATTACKS, 'ATTACK'),
  ...readVariants(HONEST, 'HONEST'),
  ...readVariants(KNOWN_MISSES, 'KNOWN_MISS'),
];
