import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { findDecidable } from '@svc/operations/actions/approvals/judge-decidable.ts';
import { listApprovalsById, listApprovals as readApprovals } from '@svc/postgres/actions/approvals/approvals.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';
import { toPossibleVoter } from './votes/possible-voter.ts';

type ListCall = Call<Endpoints['listApprovals']>;

const FILTERS = ['status', 'agent_id', 'environment_id', 'order'] as const;

/** Lists pending approvals that the caller may decide. */
const listMine = async (call: ListCall) => {
  const other = FILTERS.find((name) => call.query[name] !== undefined);
  if (other !== undefined) return call.fault(`/${other}`, 'Cannot be combined with mine.');
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  const person = await toPossibleVoter(call);
  return searchInTenant(call.database, call.scope, async (tx) => {
    const decidable = await findDecidable(tx, LIMITS.approvals.mineLookedAtMax, person);
    const ids = [...decidable.keys()].slice(offset, offset + limit);
    const rows = (await listApprovalsById(tx, call.scope.organization_id, ids)).map((row) => {
      const judged = decidable.get(row.id);
      return judged === undefined ? row : { ...row, decidable: judged };
    });
    return formatListSection({ rows, total: decidable.size, hasMore: offset + ids.length < decidable.size });
  });
};

export const listApprovals: Handler<Endpoints['listApprovals'], ActionsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, order = 'newest', mine, ...filter } = call.query;
  if (mine === true) return listMine(call);
  return searchInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await readApprovals(tx, call.scope.organization_id, filter, order, { limit, offset })),
  );
};
