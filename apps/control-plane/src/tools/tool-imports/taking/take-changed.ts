import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import { formatRefusedTool } from '@svc/operations/tools/tool-imports/refused-tool.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { keepTaken } from '@svc/postgres/tools/tool-imports/imported-tools.ts';
import type { StoredProposal } from '@svc/postgres/tools/tool-imports/proposals.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../../deps.ts';
import { updateTool } from '../../tools/update-tool.ts';
import { previewChangedTool } from '../formats/changed-tool.ts';
import type { ApplyCall } from './apply-call.ts';

const REASON = 'Taken over from a document of its source.';
const CONFLICT =
  'People have changed what the document changes too. Look at the proposal, and send on_conflict to go on: KEEP for theirs, or TAKE for what the document says.';

/** Updates a tool to what the document now declares: the same update as a user's, under the same rules. */
export const takeChanged = async (call: ApplyCall, deps: ToolsDeps, of: ImportRow, proposal: StoredProposal): Promise<TakenTool> => {
  const { key, tool_id, declaration, taken, hashes, operation } = proposal;
  if (tool_id === null || declaration === null || taken === null || hashes === null)
    return formatRefusedTool(key, buildRefusal('NOT_FOUND'));
  if (!call.holds('tool:update'))
    return formatRefusedTool(key, buildRefusal('PERMISSION_DENIED', undefined, { permissions: ['tool:update'] }), tool_id);
  const tool = await readInTenant(call.database, call.scope, (tx) => readStoredTool(tx, of.organization_id, tool_id));
  if (!tool) return formatRefusedTool(key, buildRefusal('NOT_FOUND'));
  const { on_conflict, accept_warnings = false } = call.body;
  const { change, conflicts } = previewChangedTool(tool, taken, declaration, on_conflict === 'TAKE' ? 'said' : 'made');
  if (conflicts.length > 0 && on_conflict === undefined)
    return formatRefusedTool(key, buildRefusal('UNPROCESSABLE', CONFLICT, { conflicts }), tool_id);
  const keep = () => call.change(({ tx }) => keepTaken(tx, of, { tool_id, key, operation, declaration, hashes }, call.now));
  const isNothing = Object.keys(change).length === 0;
  if (!isNothing) {
    const body = {
      ...change,
      expected_version: tool.declaration_version,
      accept_warnings,
      reason: REASON,
    };
    const updated = await updateTool({ ...call, params: { toolId: tool_id }, body }, deps);
    if (isRefusal(updated)) return formatRefusedTool(key, updated, tool_id);
  }
  await keep();
  return { key, outcome: isNothing ? 'UNCHANGED' : 'UPDATED', tool_id, code: null, message: null };
};
