import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { type SummaryRange, summarizeActions as summarize } from '@svc/postgres/actions/actions/summarize-actions.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

const DAY_MS = 86_400_000;

type SummaryCall = Call<Endpoints['summarizeActions']>;

const getRange = (call: SummaryCall): SummaryRange | Refusal<'VALIDATION_FAILED'> => {
  const wrongTime = findTimeFilterRefusal(call.query);
  if (wrongTime) return wrongTime;
  const { from, to } = call.query;
  const end = to === undefined ? call.now : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - DAY_MS) : new Date(from);
  const longMs = end.getTime() - start.getTime();
  if (longMs <= 0) return call.fault('/from', 'Must be before the end of the time range.');
  const { daysMax } = LIMITS.actionSummary;
  return longMs > daysMax * DAY_MS ? call.fault('/from', `The time range can be at most ${daysMax} days.`) : { from: start, to: end };
};

export const summarizeActions: Handler<Endpoints['summarizeActions'], ActionsDeps> = async (call) => {
  const range = getRange(call);
  if (isRefusal(range)) return range;
  const { from: _, to: __, ...filter } = call.query;
  return searchInTenant(call.database, call.scope, (tx) => summarize(tx, call.scope.organization_id, filter, range));
};
