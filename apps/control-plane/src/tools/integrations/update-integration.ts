import { findApplication } from '@svc/catalogue/read-applications.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { asIntegration } from '@svc/operations/tools/integrations/as-integration.ts';
import { fillApplication } from '@svc/operations/tools/integrations/set-up.ts';
import { updateIntegration as update } from '@svc/operations/tools/integrations/update-integration.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIntegration, type WholeIntegration } from '@svc/postgres/tools/integrations/integrations.ts';
import type { ToolsDeps } from '../deps.ts';
import { applyToolImport } from '../tool-imports/apply-tool-import.ts';
import { listProposalRows } from './proposing/proposal-rows.ts';

type UpdateIntegration = Endpoints['updateIntegration'];
type UpdateCall = Call<UpdateIntegration>;

const FIXED = 'is part of the address or the credential: set the application up again';

/** Values that decide the destination or the kind of the credential change only with another credential. */
const fixedFault = (entry: CatalogueEntry, before: WholeIntegration, values: Readonly<Record<string, string>>): string | undefined => {
  const fixed = JSON.stringify([entry.api, entry.credential, entry.actions.map((action) => ('path' in action ? action.path : ''))]);
  return Object.entries(values).find(
    ([name, value]) => before.values[name] !== value && (fixed.includes(`{${name}}`) || name === 'client_id'),
  )?.[0];
};

const refill = (call: UpdateCall, before: WholeIntegration) => {
  const { values, actions, entry_version } = call.body;
  if (values === undefined && actions === undefined && entry_version === undefined) return undefined;
  const entry = findApplication(before.application);
  if (!entry) return call.refuse('UNPROCESSABLE', 'The catalogue has no entry of this application any more.');
  if (entry_version !== undefined && entry_version !== entry.version)
    return call.fault('/entry_version', `must be ${entry.version}, the version in the catalogue`);
  const fixed = fixedFault(entry, before, values ?? {});
  if (fixed !== undefined) return call.fault(`/values/${fixed}`, FIXED);
  const read = fillApplication(entry, { values: { ...before.values, ...values }, actions }, before.source);
  return isRefusal(read) ? read : { entry, filled: read.filled, proposals: listProposalRows(entry, read.proposals) };
};

const applied = async (
  call: UpdateCall,
  deps: ToolsDeps,
  before: WholeIntegration,
  importId: string,
): Promise<TakenTool[] | Refusal<UpdateIntegration['refuses'][number]>> => {
  const { actions = [], accept_warnings, on_conflict } = call.body;
  const keys = [...new Set([...before.tools.map(({ key }) => key), ...actions])];
  const body = {
    keys,
    credential_id: before.credential_id,
    ...(accept_warnings === undefined ? {} : { accept_warnings }),
    ...(on_conflict === undefined ? {} : { on_conflict }),
  };
  const answer = await applyToolImport({ ...call, params: { importId }, query: {}, body }, deps);
  return isRefusal(answer) ? answer : 'results' in answer ? answer.results : [];
};

/** Stores the changes and then applies the newest proposals: each tool as if it were changed alone. */
export const updateIntegration: Handler<UpdateIntegration, ToolsDeps> = async (call, deps) => {
  const { integrationId } = call.params;
  const key = { organization_id: call.scope.organization_id, id: integrationId };
  const before = await readInTenant(call.database, call.scope, (tx) => findIntegration(tx, key));
  if (!before) return call.refuse('NOT_FOUND');
  const refilled = refill(call, before);
  if (isRefusal(refilled)) return refilled;
  const { name } = call.body;
  const body = name === undefined ? {} : { name };
  const added = (call.body.actions ?? []).filter((action) => !before.tools.some((tool) => tool.key === action));
  const updated = await call.change((change) => update(change, { ...asActing(call), integrationId, body, added, refilled }));
  if (isRefusal(updated)) return updated;
  const results = updated.import_id === undefined ? [] : await applied(call, deps, before, updated.import_id);
  if (isRefusal(results)) return results;
  const after = await readInTenant(call.database, call.scope, (tx) => findIntegration(tx, key));
  return after ? { ...asIntegration(after), results } : call.refuse('NOT_FOUND');
};
