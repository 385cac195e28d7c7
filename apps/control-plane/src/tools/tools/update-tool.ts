import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, refusal } from '@svc/contract/rows/refusal.ts';
import { heldBy, roomRefusal } from '@svc/domain/tools/declaration/environment-room.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { findTool, readStoredTool, type StoredTool } from '@svc/postgres/tools/tools.ts';
import type { ControlDeps } from '../../deps.ts';
import { calledOtherwise, credentialRefusal, NOT_HELD, SENDING } from './declaration/credential-refusal.ts';
import { needsOf } from './declaration/needs-of.ts';
import { type DeclarationChange, readChange } from './declaration/read-change.ts';
import { type TouchedPolicies, touchedPolicies } from './declaration/touched-policies.ts';
import { withdrawApprovals } from './declaration/withdraw-approvals.ts';
import { toldChange, writeChange } from './declaration/write-change.ts';

type UpdateCall = Call<Endpoints['updateTool']>;

const changeOf = ({ body: { expected_version: _, accept_warnings: __, reason: ___, ...change } }: UpdateCall) => change;

const TOUCHED = 'The change affects active rules.';
const PERSON_ONLY =
  'Rules in force read what this changes, so an API key cannot make the change. Have a signed-in person look at the preview and make it.';
const GIVES_TO_OTHERS = 'Another capability gives the tool to other agents, which takes agent:manage_capabilities.';

/** What the change takes of its caller: who makes a tool that does damage do something else proves who they are. */
const callerRefusal = (call: UpdateCall, change: DeclarationChange) => {
  const { step_up, permissions } = needsOf(change);
  const lacking = permissions.filter((permission) => !call.holds(permission));
  if (lacking.length > 0) {
    const sentence = lacking.includes(SENDING) ? NOT_HELD : GIVES_TO_OTHERS;
    return call.refuse('PERMISSION_DENIED', sentence, { permissions: lacking });
  }
  return step_up && !hasFreshStepUp(call.caller, call.now) ? stepUpRefusal(call.caller) : undefined;
};

/**
 * Refuses an API key that may open a rule in force: it cannot accept warnings. A rule that goes on to match and reads another fact than parameters,
 * such as the amount, may decide otherwise without a warning. Parameters are covered by the warnings.
 */
const keyRefusal = ({ rules, warnings, note }: Pick<TouchedPolicies, 'rules' | 'warnings' | 'note'>) => {
  const readsOtherwise = rules.some(({ move, fields }) => move === 'READS' && fields.some((field) => !field.startsWith('parameters.')));
  if (!readsOtherwise && warnings.length === 0 && note === null) return undefined;
  return refusal('PERMISSION_DENIED', PERSON_ONLY, {
    rules: rules.map(({ policy_id, rule_id }) => ({ policy_id, rule_id })),
    warnings,
    note,
  });
};

/** A declaration may always become smaller, also where there is no room. */
const fullRefusal = async (tx: TenantTransaction, organizationId: string, tool: StoredTool, { after }: DeclarationChange) => {
  const bytes = heldBy(after).bytes - heldBy(tool).bytes;
  return bytes > 0 ? roomRefusal(await measureTools(tx, organizationId, tool.environment_id), { tools: 0, bytes }) : undefined;
};

/** The declaration on which the change was made: who names none can have seen none newer than what stood when the request came. */
const write = (call: UpdateCall, edited: number) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const tool = await readStoredTool(tx, organization_id, call.params.toolId, { isLocked: true });
    if (!tool) return call.refuse('NOT_FOUND');
    if (tool.declaration_version !== edited) {
      const details = { expected_version: edited, declaration_version: tool.declaration_version };
      return call.refuse('VERSION_CONFLICT', 'The tool was changed in the meantime. Read it, and apply your change to it.', details);
    }
    const archived = await archivedRefusal(tx, organization_id, tool.environment_id);
    if (archived) return archived;
    const change = readChange(tool, changeOf(call));
    if (isRefusal(change)) return change;
    const refused = callerRefusal(call, change);
    if (refused) return refused;
    const unusable = await credentialRefusal(tx, calledOtherwise(organization_id, change));
    if (unusable) return unusable;
    const full = await fullRefusal(tx, organization_id, tool, change);
    if (full) return full;
    const writing = { tool, after: change.after, description: call.body.description ?? tool.description };
    if (change.changes.length > 0 || writing.description !== tool.description) {
      const version = await writeChange(tx, writing, { organization_id, by: call.caller.actor.id, now: call.now });
      const data = { name: tool.name, ...toldChange(writing, version), reason: call.body.reason ?? null };
      emit('tool.updated', { ...about.tool(tool), ...(tool.dangerous ? { severity: 'warning' as const } : {}), data });
    }
    return (await findTool(tx, organization_id, tool.id)) ?? call.refuse('NOT_FOUND');
  });

/**
 * Declares a tool otherwise. From the commit on no gateway decides by the declaration before, and nothing that was approved under it serves
 * any more, whether it is withdrawn yet or not: approvals are bound to the number of the declaration.
 */
export const updateTool: Handler<Endpoints['updateTool'], ControlDeps> = async (call) => {
  const { scope, params, body } = call;
  if (Object.keys(changeOf(call)).length === 0) return call.fault('', 'Send at least one member to change.');
  const found = await readInTenant(call.database, scope, (tx) => readStoredTool(tx, scope.organization_id, params.toolId));
  if (!found) return call.refuse('NOT_FOUND');
  const change = readChange(found, changeOf(call));
  if (isRefusal(change)) return change;
  const refused = callerRefusal(call, change);
  if (refused) return refused;
  // Looked at before, so that no transaction waits for it.
  const { rules, warnings, note } = await touchedPolicies(call, change);
  const byKey = call.caller.actor.type === 'API_KEY' ? keyRefusal({ rules, warnings, note }) : undefined;
  if (byKey) return byKey;
  const sentence = warnings.length > 0 ? TOUCHED : note;
  if (sentence !== null && body.accept_warnings !== true)
    return call.refuse('UNPROCESSABLE', `${sentence} Look at the preview, and send accept_warnings to go on.`, { warnings, note });
  const tool = await write(call, body.expected_version ?? found.declaration_version);
  if (isRefusal(tool)) return tool;
  if (tool.declaration_version !== found.declaration_version) await withdrawApprovals(call, tool, body.reason ?? 'The tool was changed.');
  return warnings.length === 0 ? tool : { ...tool, warnings: [...warnings] };
};
