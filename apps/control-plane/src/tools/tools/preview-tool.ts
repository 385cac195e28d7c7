import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { checkCallChange, findCredentialRefusal } from '@svc/operations/tools/tools/credential-refusal.ts';
import { listRequirements } from '@svc/operations/tools/tools/list-requirements.ts';
import { readChange } from '@svc/operations/tools/tools/read-change.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { countNamingDelegations, type HoldingAgent, readHoldingAgents, readOpenApprovals } from '@svc/postgres/tools/tool-reach.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { analyseAffectedPolicies } from './declaration/touched-policies.ts';

const getMove = ({ holds, will_hold }: HoldingAgent) => {
  if (holds) return will_hold ? 'KEEPS' : 'LOSES';
  return will_hold ? 'GAINS' : 'LACKS';
};

/** Previews what a change of a tool would affect, limited to what the caller may see. Changes nothing. */
export const previewTool: Handler<Endpoints['previewTool'], ToolsDeps> = async (call) => {
  const { organization_id } = call.scope;
  const found = await readInTenant(call.database, call.scope, async (tx) => {
    const tool = await readStoredTool(tx, organization_id, call.params.toolId);
    if (!tool) return buildRefusal('NOT_FOUND');
    const change = readChange(tool, call.body);
    if (isRefusal(change)) return change;
    const unusable = await findCredentialRefusal(tx, checkCallChange(organization_id, change));
    if (unusable) return unusable;
    const capability = { before: tool.required_capability, after: change.after.required_capability };
    return {
      change,
      agents: await readHoldingAgents(tx, organization_id, tool.id, capability),
      approvals: change.changes.length === 0 ? { total: 0, ids: [] } : await readOpenApprovals(tx, organization_id, tool),
      delegations: await countNamingDelegations(tx, organization_id, tool),
    };
  });
  if (isRefusal(found)) return found;
  const { change, agents, approvals, delegations } = found;
  const { rules, warnings, tests, note } = await analyseAffectedPolicies(call, change);
  const { step_up, permissions } = listRequirements(change);
  return {
    tool_id: change.tool.id,
    declaration_version: change.tool.declaration_version,
    changes: [...change.changes],
    rules: [...rules],
    warnings: [...warnings],
    tests: [...tests],
    approvals,
    agents: agents.map((agent) => ({ agent_id: agent.agent_id, name: agent.name, move: getMove(agent) })),
    delegations,
    needs: { step_up, permissions: [...permissions], accept_warnings: warnings.length > 0 || note !== null },
    analysis: { complete: note === null, note },
  };
};
