import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ProposalDraft } from '../draft/proposal.ts';
import { isMembers, readList, readMembers } from '../draft/reading.ts';
import { type Resolve, resolved } from '../schema/resolve-reference.ts';

const METHOD = /^(?:http_?|request_?)?method$/i;
const PLACE = /^(?:relative_?|request_?)?(?:path|url|uri|href|endpoint)$/i;

/** Maximum number of values examined per operation; the rest is skipped. */
const LOOKS_MAX = 3_000;

const BELOW = ['items', 'additionalProperties'] as const;
const AMONG = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

const listParts = (schema: JsonObject): readonly unknown[] => [
  ...Object.values(readMembers(schema.properties)),
  ...BELOW.map((keyword) => schema[keyword]),
  ...AMONG.flatMap((keyword) => readList(schema[keyword])),
];

/** A method next to a path or an address, and the text of a query next to its variables. */
const fieldAmong = (names: readonly string[]): string | undefined => {
  const method = names.find((name) => METHOD.test(name));
  if (method !== undefined && names.some((name) => PLACE.test(name))) return method;
  return names.includes('query') && names.includes('variables') ? 'query' : undefined;
};

/**
 * Returns the field that contains another call for the service to make [a batch of requests, a GraphQL document]. Such a call can do
 * anything that the service does, by any method.
 */
export const carriedCall = ({ parameters, body, graphql }: ProposalDraft, resolve: Resolve): string | undefined => {
  // The document of such a call is fixed.
  if (graphql !== undefined) return undefined;
  const named = fieldAmong(Object.keys(readMembers(body)));
  if (named !== undefined) return named;
  const seen = new Set<unknown>();
  const waiting: unknown[] = parameters.map(({ schema }) => schema);
  for (let looks = 0; looks < LOOKS_MAX && waiting.length > 0; looks += 1) {
    const found = resolved(waiting.shift(), resolve);
    if ('fault' in found || !isMembers(found.value) || seen.has(found.value)) continue;
    seen.add(found.value);
    const names = Object.keys(readMembers(found.value.properties));
    const field = fieldAmong(names);
    if (field !== undefined) return field;
    waiting.push(...listParts(found.value));
  }
  return undefined;
};
