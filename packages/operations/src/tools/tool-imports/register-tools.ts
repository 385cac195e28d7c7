import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { TakenTool } from '@svc/contract/tools/taken-tools.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { findRoomRefusal, type HeldTools, heldTogether, measureTool } from '@svc/domain/tools/declaration/environment-capacity.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { keepTaken, namesTaken } from '@svc/postgres/tools/tool-imports/imported-tools.ts';
import type { StoredProposal } from '@svc/postgres/tools/tool-imports/proposals.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { findCredentialRefusal } from '../tools/credential-refusal.ts';
import { registerTool } from '../tools/register-tool.ts';
import { formatRefusedTool } from './refused-tool.ts';

/** A proposal, and the declaration that a tool is registered with. */
export type ToolRegistration = {
  readonly proposal: StoredProposal;
  readonly declaration: NonNullable<StoredProposal['declaration']>;
  readonly body: ToolDeclaration;
};

const TAKEN = 'A tool of this name exists in this environment, and was not taken over from this source.';

/** Returns why this one is not registered; the others are not affected. */
const getRefusal = (tx: TenantTransaction, of: ImportRow, { body }: ToolRegistration, names: ReadonlySet<string>, held: HeldTools) =>
  names.has(body.name.toLowerCase())
    ? buildRefusal('ALREADY_EXISTS', TAKEN)
    : (findRoomRefusal(held, measureTool(body)) ??
      findCredentialRefusal(tx, {
        organization_id: of.organization_id,
        environment_id: of.environment_id,
        name: body.name,
        execution: body.execution,
      }));

/** Registers tools whose declarations were checked, in one transaction: each is refused alone. */
export const registerTools = async (
  { tx, emit }: Change<'tool.created'>,
  { actor, now }: CallContext,
  of: ImportRow,
  taking: readonly ToolRegistration[],
) => {
  const { organization_id, workspace_id } = of;
  const archived = await findArchivedRefusal(tx, organization_id, of.environment_id);
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
    const refused = await getRefusal(tx, of, each, names, held);
    if (refused) {
      results.push(formatRefusedTool(key, refused));
      continue;
    }
    const registering = { organization_id, workspace_id, id: newId('tool'), now, by: actor.id };
    const { id } = await registerTool({ tx, emit }, each.body, registering);
    held = heldTogether(held, measureTool(each.body));
    await keepTaken(tx, of, { tool_id: id, key, operation, declaration: each.declaration, hashes: hashes ?? {} }, now);
    results.push({ key, outcome: 'CREATED', tool_id: id, code: null, message: null });
  }
  return results;
};
