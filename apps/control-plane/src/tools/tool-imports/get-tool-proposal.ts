import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import { findImport } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { previewChangedTool } from './formats/changed-tool.ts';

export const getToolProposal: Handler<Endpoints['getToolProposal'], ToolsDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { importId: id, proposalKey } = call.params;
  const found = await searchInTenant(call.database, call.scope, async (tx) => {
    const row = await findImport(tx, { organization_id, id });
    const [proposal] = row ? await readProposals(tx, row, [proposalKey]) : [];
    const tool =
      proposal?.state === 'CHANGED' && proposal.tool_id !== null ? await readStoredTool(tx, organization_id, proposal.tool_id) : undefined;
    return proposal && { proposal, tool };
  });
  if (!found) return call.refuse('NOT_FOUND');
  const { taken, hashes: _, ...proposal } = found.proposal;
  const { tool } = found;
  if (!tool || taken === null || proposal.declaration === null) return { ...proposal, changes: [], change: null, conflicts: [] };
  return { ...proposal, ...previewChangedTool(tool, taken, proposal.declaration) };
};
