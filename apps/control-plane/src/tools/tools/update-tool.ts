import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readChange } from '@svc/operations/tools/tools/read-change.ts';
import {
  findCallerRefusal,
  findVersionConflict,
  getDeclaredMembers,
  updateTool as update,
} from '@svc/operations/tools/tools/update-tool.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { analyseAffectedPolicies, type TouchedPolicies } from './declaration/touched-policies.ts';
import { withdrawApprovals } from './declaration/withdraw-approvals.ts';

const TOUCHED = 'The change affects active rules.';
const PERSON_ONLY =
  'Rules in force read what this changes, so an API key cannot make the change. Have a signed-in person look at the preview and make it.';

/**
 * Refuses an API key that may open a rule in force: it cannot accept warnings. A rule that goes on to match and reads another fact than parameters,
 * such as the amount, may decide otherwise without a warning. Parameters are covered by the warnings.
 */
const keyRefusal = ({ rules, warnings, note }: Pick<TouchedPolicies, 'rules' | 'warnings' | 'note'>) => {
  const readsOtherwise = rules.some(({ move, fields }) => move === 'READS' && fields.some((field) => !field.startsWith('parameters.')));
  if (!readsOtherwise && warnings.length === 0 && note === null) return undefined;
  return buildRefusal('PERMISSION_DENIED', PERSON_ONLY, {
    rules: rules.map(({ policy_id, rule_id }) => ({ policy_id, rule_id })),
    warnings,
    note,
  });
};

/**
 * Replaces the declaration of a tool. From the commit on no gateway decides by the previous declaration, and no approval under it is valid,
 * withdrawn or not: approvals are bound to the number of the declaration.
 */
export const updateTool: Handler<Endpoints['updateTool'], ToolsDeps> = async (call) => {
  const { scope, params, body } = call;
  if (Object.keys(getDeclaredMembers(body)).length === 0) return call.fault('', 'Name at least one member to change.');
  const found = await readInTenant(call.database, scope, (tx) => readStoredTool(tx, scope.organization_id, params.toolId));
  if (!found) return call.refuse('NOT_FOUND');
  const edited = body.expected_version ?? found.declaration_version;
  // First, since a caller that lacks a step-up would otherwise authenticate again for a change that is refused anyway.
  const conflict = findVersionConflict(found, edited);
  if (conflict) return conflict;
  const { steppedUpUntil } = call.caller;
  const request = { ...asActing(call), toolId: params.toolId, body, holds: call.holds, steppedUpUntil };
  const change = readChange(found, getDeclaredMembers(body));
  if (isRefusal(change)) return change;
  const refused = findCallerRefusal(request, change);
  if (refused) return refused;
  // Computed before, so that no transaction waits for it.
  const { rules, warnings, note } = await analyseAffectedPolicies(call, change);
  const byKey = call.caller.actor.type === 'API_KEY' ? keyRefusal({ rules, warnings, note }) : undefined;
  if (byKey) return byKey;
  const sentence = warnings.length > 0 ? TOUCHED : note;
  if (sentence !== null && body.accept_warnings !== true)
    return call.refuse('UNPROCESSABLE', `${sentence} Look at the preview, and send accept_warnings to go on.`, { warnings, note });
  const tool = await call.change((each) => update(each, request, edited));
  if (isRefusal(tool)) return tool;
  if (tool.declaration_version !== found.declaration_version) await withdrawApprovals(call, tool, body.reason ?? 'The tool was changed.');
  return warnings.length === 0 ? tool : { ...tool, warnings: [...warnings] };
};
