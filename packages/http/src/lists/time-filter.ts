import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';

/** Refuses a from or to that is not a time in the service's format. */
export const findTimeFilterRefusal = (query: {
  readonly from?: string;
  readonly to?: string;
}): Refusal<'VALIDATION_FAILED'> | undefined => {
  const wrong = (['from', 'to'] as const).filter((name) => query[name] !== undefined && parseStrictTime(query[name]) === null);
  if (wrong.length === 0) return undefined;
  const faults = wrong.map((name) => ({ pointer: `/${name}`, message: 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.' }));
  return buildRefusal('VALIDATION_FAILED', 'The query is not valid.', { faults });
};
