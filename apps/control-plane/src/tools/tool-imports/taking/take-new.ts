import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import type { ToolDeclaration, ToolWarning } from '@svc/contract/tools/tools.ts';
import { type HeldTools, heldBy, heldTogether, roomRefusal } from '@svc/domain/tools/declaration/environment-room.ts';
import { validateToolDeclaration } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { keepTaken, namesTaken } from '@svc/postgres/tools/tool-imports/imported-tools.ts';
import type { StoredProposal } from '@svc/postgres/tools/tool-imports/proposals.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { credentialRefusal, NOT_HELD, SENDING } from '../../tools/declaration/credential-refusal.ts';
import { analysedDeclaration, registerTool } from '../../tools/declaration/register-tool.ts';
import { toolWarnings } from '../../tools/warnings/tool-warnings.ts';
import { type ApplyCall, toldRefusal } from './apply-call.ts';

type Taking = {
  readonly proposal: StoredProposal;
  readonly declaration: NonNullable<StoredProposal['declaration']>;
  readonly body: ToolDeclaration;
};
type Results = { readonly results: readonly TakenTool[]; readonly warnings: readonly ToolWarning[] };

const TAKEN = 'A tool of this name exists in this environment, and was not taken over from this source.';

const bodyOf = (call: ApplyCall, of: ImportRow, declaration: Taking['declaration'], name: string): ToolDeclaration => {
  const { credential_id } = call.body;
  const execution = { ...declaration.execution, ...(credential_id === undefined ? {} : { credential_id }) };
  return { ...declaration, name, environment_id: of.environment_id, kind: 'HTTP', execution };
};

/** Judged again by the rules of today, one after the other with turns for everybody else between them. */
const judged = async (call: ApplyCall, of: ImportRow, proposals: readonly StoredProposal[]): Promise<readonly (Taking | TakenTool)[]> => {
  const all: (Taking | TakenTool)[] = [];
  for (const proposal of proposals) {
    const { declaration, key, name } = proposal;
    if (declaration === null) continue;
    const body = bodyOf(call, of, declaration, name);
    const faults = validateToolDeclaration(body);
    all.push(
      faults.length > 0
        ? toldRefusal(key, refusal('VALIDATION_FAILED', 'The declaration is not valid.', { faults }))
        : { proposal, declaration, body },
    );
    await new Promise(setImmediate);
  }
  return all;
};

const isTaking = (each: Taking | TakenTool): each is Taking => 'body' in each;

/** Why this one is not registered; the others are all the same. */
const refusalOf = (tx: TenantTransaction, of: ImportRow, { body }: Taking, names: ReadonlySet<string>, held: HeldTools) =>
  names.has(body.name.toLowerCase())
    ? refusal('ALREADY_EXISTS', TAKEN)
    : (roomRefusal(held, heldBy(body)) ??
      credentialRefusal(tx, {
        organization_id: of.organization_id,
        environment_id: of.environment_id,
        name: body.name,
        execution: body.execution,
      }));

const register = (call: ApplyCall, of: ImportRow, taking: readonly Taking[]) =>
  call.change(
    async ({ tx, emit }): Promise<TakenTool[] | Refusal<'INVALID_STATE_TRANSITION'>> => {
      const { organization_id, workspace_id } = of;
      const archived = await archivedRefusal(tx, organization_id, of.environment_id);
      if (archived) return archived;
      const names = await namesTaken(
        tx,
        of,
        taking.map(({ body }) => body.name),
      );
      const results: TakenTool[] = [];
      let held = await measureTools(tx, organization_id, of.environment_id);
      for (const each of taking) {
        const { key, operation, hashes } = each.proposal;
        const refused = await refusalOf(tx, of, each, names, held);
        if (refused) {
          results.push(toldRefusal(key, refused));
          continue;
        }
        const registering = { organization_id, workspace_id, id: call.newId('tool'), now: call.now, by: call.caller.actor.id };
        const { id } = await registerTool({ tx, emit }, each.body, registering);
        held = heldTogether(held, heldBy(each.body));
        await keepTaken(tx, of, { tool_id: id, key, operation, declaration: each.declaration, hashes: hashes ?? {} }, call.now);
        results.push({ key, outcome: 'CREATED', tool_id: id, code: null, message: null });
      }
      return results;
    },
    {
      tools_name_is_unique: () =>
        call.refuse('ALREADY_EXISTS', 'A tool with one of these names was registered in the meantime. Send the request again.'),
    },
  );

/** Registers new tools together, in one transaction: each as if it were asked for alone, and refused alone. */
export const takeNew = async (call: ApplyCall, of: ImportRow, proposals: readonly StoredProposal[]): Promise<Results> => {
  if (proposals.length === 0) return { results: [], warnings: [] };
  if (call.body.credential_id !== undefined && !call.holds(SENDING)) {
    const lacking = refusal('PERMISSION_DENIED', NOT_HELD, { permissions: [SENDING] });
    return { results: proposals.map(({ key }) => toldRefusal(key, lacking)), warnings: [] };
  }
  const all = await judged(call, of, proposals);
  const taking = all.filter(isTaking);
  const unfit = all.filter((each): each is TakenTool => !isTaking(each));
  const place = { database: call.database, scope: call.scope, body: { environment_id: of.environment_id } };
  const warnings =
    taking.length === 0
      ? []
      : await toolWarnings(
          place,
          taking.map(({ body }) => analysedDeclaration(body)),
        );
  const registered = taking.length === 0 ? [] : await register(call, of, taking);
  const results = isRefusal(registered) ? taking.map(({ proposal }) => toldRefusal(proposal.key, registered)) : registered;
  return { results: [...results, ...unfit], warnings };
};
