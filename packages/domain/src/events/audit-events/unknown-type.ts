import { ALL_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { findNearestName } from '@svc/policy/values/nearest-name.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

const types: ReadonlySet<string> = new Set(ALL_EVENT_TYPES);
const TOLD_CHARS_MAX = 80;

/** Returns the fault of a comma-separated list of event types: a misspelt one would find nothing, as if nothing had happened. */
export const unknownType = (asked: string): string | undefined => {
  const unknown = asked.split(',').find((type) => !types.has(type));
  if (unknown === undefined) return undefined;
  const near = findNearestName(unknown, ALL_EVENT_TYPES);
  const help = near === null ? 'All event types are listed at POST /v1/audit-events/export in /docs.' : `Did you mean "${near}"?`;
  return `There is no event type "${truncateText(unknown, TOLD_CHARS_MAX)}". ${help}`;
};
