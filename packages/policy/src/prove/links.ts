import { type Clauses, encodeAny, type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import { findField } from '../language/find-field.ts';
import { isAnyDepth, type PathSegment } from '../values/path.ts';
import { NOTHING } from './domains.ts';
import type { EncodedDomain } from './encode-domains.ts';

const named = (encoded: readonly EncodedDomain[], name: string): EncodedDomain | undefined =>
  encoded.find(({ domain }) => domain.fields.includes(name));

const isThere = ({ missing }: EncodedDomain, clauses: Clauses): Literal => (missing === null ? clauses.truth : opposite(missing));

/** A request with the one has the other. */
const implies = (clauses: Clauses, encoded: readonly EncodedDomain[], one: string, other: string): void => {
  const from = named(encoded, one);
  const to = named(encoded, other);
  if (from !== undefined && to !== undefined) clauses.add(opposite(isThere(from, clauses)), isThere(to, clauses));
};

const markedOf = (clauses: Clauses, { domain, chosen }: EncodedDomain, mark: string): Literal =>
  encodeAny(
    clauses,
    chosen.filter((_, index) => domain.choices[index]?.mark === mark),
  );

/** One amount in several currencies: present in all or in none, and zero in all or in none. No more is encoded, since rates change. */
const sameAmount = (clauses: Clauses, encoded: readonly EncodedDomain[]): void => {
  const [first, ...others] = encoded.filter(({ domain }) => domain.currency !== null && domain.fields.includes('amount'));
  if (first === undefined) return;
  for (const other of others) {
    for (const mark of ['missing', NOTHING]) {
      const [here, there] = [markedOf(clauses, first, mark), markedOf(clauses, other, mark)];
      clauses.add(opposite(here), there);
      clauses.add(here, opposite(there));
    }
  }
};

/** An agent has the capability that its request is judged under. */
const holdsCapability = (clauses: Clauses, encoded: readonly EncodedDomain[]): void => {
  const held = named(encoded, 'agent.capabilities');
  const asked = named(encoded, 'tool.capability');
  if (held === undefined || asked === undefined) return;
  for (const [index, { mark }] of asked.domain.choices.entries()) {
    const place = held.domain.choices.findIndex((choice) => mark !== '' && choice.mark === mark);
    if (place >= 0) clauses.add(opposite(asked.chosen[index] ?? 0), held.chosen[place] ?? 0);
  }
};

type Placed = { readonly encoded: EncodedDomain; readonly segments: readonly PathSegment[] };

const findPlaces = (encoded: readonly EncodedDomain[]): Placed[] =>
  encoded.flatMap((one) => {
    const field = findField(one.domain.fields[0] ?? '');
    return 'fault' in field || field.row.family !== 'path' ? [] : [{ encoded: one, segments: field.segments }];
  });

const isSame = (left: PathSegment | undefined, right: PathSegment | undefined): boolean =>
  left !== undefined && right !== undefined && left.each === right.each && left.key === right.key;

const leadsTo = (short: Placed, long: Placed): boolean =>
  short.segments.length < long.segments.length && short.segments.every((segment, index) => isSame(segment, long.segments[index]));

/** Without an object or list there is nothing inside. */
const nothingInside = (clauses: Clauses, short: Placed, long: Placed): void => {
  if (short.encoded.domain.kind !== 'one') return;
  const { domain, chosen } = short.encoded;
  const inside = long.encoded;
  const next = long.segments[short.segments.length];
  const mayHold = (mark: string): boolean => mark === 'object' || (mark === 'list' && (next?.each === true || (next?.index ?? -1) >= 0));
  for (const [index, choice] of domain.choices.entries()) {
    if (choice.values === null || mayHold(choice.mark)) continue;
    const here = opposite(chosen[index] ?? 0);
    if (inside.missing !== null) clauses.add(here, inside.missing);
    if (inside.domain.kind !== 'many') continue;
    for (const [place, element] of inside.domain.choices.entries()) {
      const literal = inside.chosen[place] ?? 0;
      clauses.add(here, element.mark === 'missing' ? literal : opposite(literal));
    }
  }
};

const isDeep = ({ segments }: Placed): boolean => segments.some(isAnyDepth);

const getStar = (placed: Placed): string | null => {
  const { segments } = placed;
  const star = segments.findIndex(({ each }) => each);
  const isLast = star >= 0 && !segments.slice(star + 1).some(({ each }) => each);
  return isLast && !isDeep(placed) ? JSON.stringify(segments.slice(0, star)) : null;
};

/** Paths through the elements of one list meet as many elements, so that one meets none if the other does. */
const asManyElements = (clauses: Clauses, places: readonly Placed[]): void => {
  const groups = Map.groupBy(
    places.filter(({ encoded }) => encoded.domain.kind === 'many'),
    getStar,
  );
  for (const [key, [first, ...others]] of groups) {
    if (key === null || first === undefined) continue;
    const some = encodeAny(clauses, first.encoded.chosen);
    for (const other of others) {
      const more = encodeAny(clauses, other.encoded.chosen);
      clauses.add(opposite(some), more);
      clauses.add(some, opposite(more));
    }
  }
};

/** A value at any depth is in some member, but a member may be empty: `{ "a": {} }` has one member, and no value inside it. */
const memberHoldsDepth = (clauses: Clauses, places: readonly Placed[]): void => {
  const many = places.filter(({ encoded }) => encoded.domain.kind === 'many');
  const members = many.filter((placed) => getStar(placed) === '[]');
  for (const deep of many.filter(isDeep)) {
    const met = encodeAny(clauses, deep.encoded.chosen);
    for (const { encoded } of members) clauses.add(opposite(met), encodeAny(clauses, encoded.chosen));
  }
};

/** Encodes the dependencies between fields in clauses. */
export const addLinks = (clauses: Clauses, encoded: readonly EncodedDomain[]): void => {
  sameAmount(clauses, encoded);
  implies(clauses, encoded, 'amount', 'currency');
  implies(clauses, encoded, 'destination.host', 'destination.port');
  implies(clauses, encoded, 'destination.port', 'destination.host');
  holdsCapability(clauses, encoded);
  const places = findPlaces(encoded);
  for (const short of places) for (const long of places) if (leadsTo(short, long)) nothingInside(clauses, short, long);
  asManyElements(clauses, places);
  memberHoldsDepth(clauses, places);
};
