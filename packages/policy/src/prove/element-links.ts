import { type Clauses, encodeAny, type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import type { EncodedDomain } from './encode-domains.ts';

/** Returns true for the path of an element and for every path into it. */
export const isWithin = (field: string, element: string): boolean => field === element || field.startsWith(`${element}.`);

const listOf = (element: string): string => element.split('.').slice(0, -1).join('.');

/** An element with a value is present. */
const addPresence = (clauses: Clauses, { domain, chosen, missing }: EncodedDomain, isThere: Literal): void => {
  if (domain.kind === 'one') {
    if (missing !== null) clauses.add(missing, isThere);
    return;
  }
  clauses.add(isThere, ...chosen);
  for (const [index, { mark }] of domain.choices.entries())
    if (mark !== 'missing') clauses.add(opposite(chosen[index] ?? clauses.truth), isThere);
};

/** A value without elements, such as a text, is read as one element without a value. */
const addLeaf = (clauses: Clauses, { domain, chosen }: EncodedDomain, elements: readonly Literal[]): void => {
  for (const [index, { mark, values }] of domain.choices.entries())
    if (values !== null && mark !== 'object' && mark !== 'list')
      clauses.add(opposite(chosen[index] ?? clauses.truth), encodeAny(clauses, elements));
};

/** Adds the clauses that connect the elements of lists with the values that are read of them. */
export const addElementLinks = (clauses: Clauses, encoded: readonly EncodedDomain[], elements: ReadonlyMap<string, Literal>): void => {
  const lists = Map.groupBy(elements, ([name]) => listOf(name));
  for (const one of encoded) {
    const field = one.domain.fields[0] ?? '';
    for (const [name, isThere] of elements) if (isWithin(field, name)) addPresence(clauses, one, isThere);
    const own = lists.get(field);
    if (own !== undefined && one.domain.kind === 'one')
      addLeaf(
        clauses,
        one,
        own.map(([, literal]) => literal),
      );
  }
};
