import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { asRun } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { listEvidence, listRuns } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { RuntimesDeps } from '../deps.ts';

export const listRuntimeRuns: Handler<Endpoints['listRuntimeRuns'], RuntimesDeps> = async (call, { cursorKey }) => {
  const { runtimeId } = call.params;
  const page = readPage(call, cursorKey, `runs ${runtimeId}`);
  if (isRefusal(page)) return page;
  const { organization_id } = call.scope;
  const { state, run_id } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) => {
    if (!(await findRuntime(tx, organization_id, runtimeId))) return call.refuse('NOT_FOUND');
    const rows = await listRuns(tx, { organization_id, runtime_id: runtimeId }, { state, run_id, ...page });
    const [only] = run_id === undefined ? [] : rows;
    const evidence = only && (await listEvidence(tx, organization_id, only.id));
    return buildPage(
      rows.map((row) => asRun(row, row === only ? evidence : undefined)),
      page,
      cursorKey,
    );
  });
};
