import type { SavedFilter } from '@svc/contract/events/audit-searches.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { unknownType } from '@svc/domain/events/audit-events/unknown-type.ts';
import { splitSearchWords } from '@svc/postgres/events/audit-conditions.ts';

const { wordsMax } = LIMITS.search;

/** Returns a refusal for a filter that a search would refuse. */
export const filterRefusal = (filter: SavedFilter): Refusal<'VALIDATION_FAILED'> | undefined => {
  const wrongTimes = (['from', 'to'] as const).filter((name) => filter[name] !== undefined && parseStrictTime(filter[name]) === null);
  const wrongType = filter.type === undefined ? undefined : unknownType(filter.type);
  const faults = [
    ...(wrongType === undefined ? [] : [{ pointer: '/filter/type', message: wrongType }]),
    ...wrongTimes.map((name) => ({ pointer: `/filter/${name}`, message: 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.' })),
    ...(splitSearchWords(filter.q ?? '').length > wordsMax
      ? [{ pointer: '/filter/q', message: `A search must have at most ${wordsMax} words.` }]
      : []),
  ];
  return faults.length === 0 ? undefined : buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults });
};
