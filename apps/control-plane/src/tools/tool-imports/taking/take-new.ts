import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import type { ToolDeclaration, ToolWarning } from '@svc/contract/tools/tools.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import { formatRefusedTool } from '@svc/operations/tools/tool-imports/refused-tool.ts';
import { registerTools, type ToolRegistration } from '@svc/operations/tools/tool-imports/register-tools.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import { convertAnalysedDeclaration } from '@svc/operations/tools/tools/register-tool.ts';
import type { StoredProposal } from '@svc/postgres/tools/tool-imports/proposals.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { listToolWarnings } from '../../tools/warnings/tool-warnings.ts';
import type { ApplyCall } from './apply-call.ts';

type Results = { readonly results: readonly TakenTool[]; readonly warnings: readonly ToolWarning[] };

const getBody = (call: ApplyCall, of: ImportRow, declaration: ToolRegistration['declaration'], name: string): ToolDeclaration => {
  const { credential_id } = call.body;
  const execution = { ...declaration.execution, ...(credential_id === undefined ? {} : { credential_id }) };
  return { ...declaration, name, environment_id: of.environment_id, kind: 'HTTP', execution };
};

/** Checks proposals again by the current rules, one per time slice of the event loop. */
const judged = async (
  call: ApplyCall,
  of: ImportRow,
  proposals: readonly StoredProposal[],
): Promise<readonly (ToolRegistration | TakenTool)[]> => {
  const all: (ToolRegistration | TakenTool)[] = [];
  for (const proposal of proposals) {
    const { declaration, key, name } = proposal;
    if (declaration === null) continue;
    const body = getBody(call, of, declaration, name);
    const faults = validateToolDeclaration(body);
    all.push(
      faults.length > 0
        ? formatRefusedTool(key, buildRefusal('VALIDATION_FAILED', 'The declaration is not valid.', { faults }))
        : { proposal, declaration, body },
    );
    await new Promise(setImmediate);
  }
  return all;
};

const isTaking = (each: ToolRegistration | TakenTool): each is ToolRegistration => 'body' in each;

const register = (call: ApplyCall, of: ImportRow, taking: readonly ToolRegistration[]) =>
  call.change((change) => registerTools(change, asActing(call), of, taking), {
    tools_name_is_unique: () =>
      call.refuse('ALREADY_EXISTS', 'A tool with one of these names was registered in the meantime. Send the request again.'),
  });

/** Registers new tools in one transaction: each as if it were requested alone, and refused alone. */
export const takeNew = async (call: ApplyCall, of: ImportRow, proposals: readonly StoredProposal[]): Promise<Results> => {
  if (proposals.length === 0) return { results: [], warnings: [] };
  if (call.body.credential_id !== undefined && !call.holds(SENDING)) {
    const lacking = buildRefusal('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
    return { results: proposals.map(({ key }) => formatRefusedTool(key, lacking)), warnings: [] };
  }
  const all = await judged(call, of, proposals);
  const taking = all.filter(isTaking);
  const unfit = all.filter((each): each is TakenTool => !isTaking(each));
  const place = { database: call.database, scope: call.scope, body: { environment_id: of.environment_id } };
  const warnings =
    taking.length === 0
      ? []
      : await listToolWarnings(
          place,
          taking.map(({ body }) => convertAnalysedDeclaration(body)),
        );
  const registered = taking.length === 0 ? [] : await register(call, of, taking);
  const results = isRefusal(registered) ? taking.map(({ proposal }) => formatRefusedTool(proposal.key, registered)) : registered;
  return { results: [...results, ...unfit], warnings };
};
