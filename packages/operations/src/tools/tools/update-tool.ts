import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { findRoomRefusal, measureTool } from '@svc/domain/tools/declaration/environment-capacity.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { findTool, readStoredTool, type StoredTool } from '@svc/postgres/tools/tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { checkCallChange, findCredentialRefusal, MISSING_SEND_PERMISSION, SENDING } from './credential-refusal.ts';
import { listRequirements } from './list-requirements.ts';
import { type DeclarationChange, readChange } from './read-change.ts';
import { formatChange, writeChange } from './write-change.ts';

type UpdateToolRequest = CallContext & {
  readonly toolId: string;
  readonly body: EndpointBody<Endpoints['updateTool']>;
  readonly holds: (permission: 'agent:manage_capabilities' | typeof SENDING) => boolean;
  readonly steppedUpUntil: string | null;
};

/** Returns the fields of the declaration that a request body changes. */
export const getDeclaredMembers = ({ expected_version: _, accept_warnings: __, reason: ___, ...change }: UpdateToolRequest['body']) =>
  change;

const NEEDS_CAPABILITY_PERMISSION = 'Another capability makes the tool available to other agents and requires agent:manage_capabilities.';

/** Returns a refusal if the caller lacks a permission or a step-up; a change of a dangerous tool requires a step-up. */
export const findCallerRefusal = (request: UpdateToolRequest, change: DeclarationChange) => {
  const { step_up, permissions } = listRequirements(change);
  const missing = permissions.filter((permission) => !request.holds(permission));
  if (missing.length > 0) {
    const message = missing.includes(SENDING) ? MISSING_SEND_PERMISSION : NEEDS_CAPABILITY_PERMISSION;
    return buildRefusal('PERMISSION_DENIED', message, { permissions: missing });
  }
  return step_up && !hasFreshStepUp(request, request.now) ? stepUpRefusal(request) : undefined;
};

/** Refuses a declaration that exceeds the capacity; a smaller one is always accepted. */
const findSizeRefusal = async (tx: TenantTransaction, organizationId: string, tool: StoredTool, { after }: DeclarationChange) => {
  const bytes = measureTool(after).bytes - measureTool(tool).bytes;
  return bytes > 0 ? findRoomRefusal(await measureTools(tx, organizationId, tool.environment_id), { tools: 0, bytes }) : undefined;
};

/** Returns a refusal if a version of a declaration is not the current one. */
export const findVersionConflict = ({ declaration_version }: StoredTool, expected_version: number) =>
  expected_version === declaration_version
    ? undefined
    : buildRefusal('VERSION_CONFLICT', 'The tool was changed in the meantime. Read it, and apply your change to it.', {
        expected_version,
        declaration_version,
      });

/** Updates the declaration of a tool if `editedVersion` is its current version. A caller without an expected version passes the newest one. */
export const updateTool = async (
  { tx, emit }: Change<EmittedBy<Endpoints['updateTool']>>,
  request: UpdateToolRequest,
  editedVersion: number,
) => {
  const { organization_id } = request.scope;
  const tool = await readStoredTool(tx, organization_id, request.toolId, { isLocked: true });
  if (!tool) return buildRefusal('NOT_FOUND');
  const conflict = findVersionConflict(tool, editedVersion);
  if (conflict) return conflict;
  const archived = await findArchivedRefusal(tx, organization_id, tool.environment_id);
  if (archived) return archived;
  const change = readChange(tool, getDeclaredMembers(request.body));
  if (isRefusal(change)) return change;
  const refused = findCallerRefusal(request, change);
  if (refused) return refused;
  const unusable = await findCredentialRefusal(tx, checkCallChange(organization_id, change));
  if (unusable) return unusable;
  const full = await findSizeRefusal(tx, organization_id, tool, change);
  if (full) return full;
  const writing = { tool, after: change.after, description: request.body.description ?? tool.description };
  if (change.changes.length > 0 || writing.description !== tool.description) {
    const version = await writeChange(tx, writing, { organization_id, by: request.actor.id, now: request.now });
    const data = { name: tool.name, ...formatChange(writing, version), reason: request.body.reason ?? null };
    emit('tool.updated', { ...about.tool(tool), ...(tool.dangerous ? { severity: 'warning' as const } : {}), data });
  }
  return (await findTool(tx, organization_id, tool.id)) ?? buildRefusal('NOT_FOUND');
};
