import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { unknownType } from '@svc/domain/events/audit-events/unknown-type.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { newSearchReader } from '@svc/postgres/connection/open-replica.ts';
import { splitSearchWords } from '@svc/postgres/events/audit-conditions.ts';
import { searchAuditEvents as search } from '@svc/postgres/events/search/search-audit-events.ts';
import type { EventsDeps } from '../deps.ts';

const LIST = 'audit-events';

export const searchAuditEvents: Handler<Endpoints['searchAuditEvents'], EventsDeps> = async (call, deps) => {
  const wrongTime = findTimeFilterRefusal(call.query);
  if (wrongTime) return wrongTime;
  const wrongType = call.query.type === undefined ? undefined : unknownType(call.query.type);
  if (wrongType !== undefined) return call.fault('/type', wrongType);
  if (splitSearchWords(call.query.q ?? '').length > LIMITS.search.wordsMax)
    return call.fault('/q', `A search must have at most ${LIMITS.search.wordsMax} words.`);
  const page = readPage(call, deps.cursorKey, LIST);
  if (isRefusal(page)) return page;
  const { cursor: _, limit: __, type, ...filter } = call.query;
  const asked = type === undefined ? filter : { ...filter, type: type.split(',') };
  const read = newSearchReader(call.database, deps.replica, call.scope);
  const { rows, stoppedAt } = await read((tx) => search(tx, call.scope, asked, page));
  return buildPage(rows, page, deps.cursorKey, stoppedAt);
};
