import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { createTool as create } from '@svc/operations/tools/tools/create-tool.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import { convertAnalysedDeclaration } from '@svc/operations/tools/tools/register-tool.ts';
import type { ToolsDeps } from '../deps.ts';
import { listToolWarnings } from './warnings/tool-warnings.ts';

type CreateTool = Endpoints['createTool'];

const declarationRefusal = (call: Call<CreateTool>): Refusal<'VALIDATION_FAILED' | 'PERMISSION_DENIED'> | undefined => {
  const { body } = call;
  if (body.kind === 'A2A')
    return call.fault('/kind', 'Tools of kind A2A come from a registered A2A connection; register HTTP or SDK tools here.');
  if (body.kind === 'MCP')
    return call.fault('/kind', 'Tools of kind MCP come from a registered MCP server; register HTTP or SDK tools here.');
  if (body.execution?.credential_id !== undefined && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
  const faults = validateToolDeclaration(body);
  return faults.length > 0 ? call.refuse('VALIDATION_FAILED', 'The declaration is not valid.', { faults }) : undefined;
};

export const createTool: Handler<CreateTool, ToolsDeps> = async (call) => {
  const refused = declarationRefusal(call);
  if (refused) return refused;
  // Computed before, so that no transaction waits for it.
  const warnings = await listToolWarnings(call, [convertAnalysedDeclaration(call.body)]);
  return call.change((change) => create(change, { ...asActing(call), body: call.body }, warnings), {
    tools_name_is_unique: () =>
      call.refuse('ALREADY_EXISTS', 'A tool with this name already exists in this environment. Names are compared without case.'),
  });
};
