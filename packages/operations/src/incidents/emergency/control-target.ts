import type { EmergencyControl, EmergencyTargetType, Undo } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { getAgentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import { type BlockPattern, parseBlockPattern } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { type About, about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findBlockOfPattern, takeBlockTurn } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { findEnvironment, lockEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { lockOrganization, readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { findWorkspace, lockWorkspace } from '@svc/postgres/tenancy/workspaces.ts';
import { findTool, lockTool } from '@svc/postgres/tools/tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findVisibleMember } from '../../people/members/change-member.ts';
import { holdMember } from '../../people/members/hold-member.ts';

export type TargetRefusal = Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'INVALID_STATE_TRANSITION' | 'PERMISSION_DENIED'>;

type Place = { readonly workspace_id: string | null; readonly environment_id: string | null };

/** The resource that a control acts on. */
export type ControlTarget = Place & {
  readonly type: EmergencyTargetType;
  readonly id: string;
  readonly name: string;
  /** True if the control would change nothing. */
  readonly isDone: boolean;
  readonly pattern?: BlockPattern;
  /** Undefined for a destination, whose events are about its block. */
  readonly about?: About;
};

type Request = CallContext & { readonly target: string /** Locks the row until the transaction ends. */; readonly locks: boolean };

const WHOLE = 'This call is limited to a part of the organization; a block holds in all of it.';
const UNSUITED = 'The control does not act on this. It needs the id of one of its targets.';

const findAgentTarget = async (tx: TenantTransaction, { scope, target, locks }: Request) =>
  locks ? await lockAgent(tx, scope.organization_id, target) : await findAgent(tx, scope.organization_id, target);

const agentTarget = async (tx: TenantTransaction, request: Request): Promise<ControlTarget | TargetRefusal> => {
  const agent = await findAgentTarget(tx, request);
  if (!agent) return buildRefusal('NOT_FOUND', 'The agent does not exist.');
  const { id, name, workspace_id, environment_id } = agent;
  return { type: 'agent', id, name, workspace_id, environment_id, isDone: false, about: about.agent(agent) };
};

const isolation = async (tx: TenantTransaction, request: Request): Promise<ControlTarget | TargetRefusal> => {
  const agent = await findAgentTarget(tx, request);
  if (!agent) return buildRefusal('NOT_FOUND', 'The agent does not exist.');
  const isDone = agent.status === 'ISOLATED';
  const transition = isDone ? undefined : getAgentTransition('isolate', agent.status);
  if (isRefusal(transition)) return transition;
  const { id, name, workspace_id, environment_id } = agent;
  return { type: 'agent', id, name, workspace_id, environment_id, isDone, about: about.agent(agent) };
};

const environmentTarget = async (tx: TenantTransaction, { scope, target, locks }: Request): Promise<ControlTarget | TargetRefusal> => {
  const environment = await (locks ? lockEnvironment : findEnvironment)(tx, scope.organization_id, target);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const { id, name, workspace_id, paused } = environment;
  return { type: 'environment', id, name, workspace_id, environment_id: id, isDone: paused, about: about.environment(environment) };
};

const toolTarget = async (tx: TenantTransaction, { scope, target, locks }: Request): Promise<ControlTarget | TargetRefusal> => {
  const { organization_id } = scope;
  if (locks && !(await lockTool(tx, organization_id, target))) return buildRefusal('NOT_FOUND', 'The tool does not exist.');
  const tool = await findTool(tx, organization_id, target);
  const environment = tool && (await findEnvironment(tx, organization_id, tool.environment_id));
  if (!tool || !environment) return buildRefusal('NOT_FOUND', 'The tool does not exist.');
  const { workspace_id } = environment;
  const { id, name, environment_id, status } = tool;
  const isDone = status === 'DISABLED';
  return { type: 'tool', id, name, workspace_id, environment_id, isDone, about: about.tool({ ...tool, workspace_id }) };
};

const destinationTarget = async (tx: TenantTransaction, { scope, target, locks }: Request): Promise<ControlTarget | TargetRefusal> => {
  const pattern = parseBlockPattern(target);
  if ('fault' in pattern) return refuseBody('/target', pattern.fault);
  if (reachesBeyond(scope, 'ORGANIZATION')) return refuseBody('/target', WHOLE);
  if (locks) await takeBlockTurn(tx, scope.organization_id);
  const block = await findBlockOfPattern(tx, scope.organization_id, pattern.text);
  const place = { workspace_id: null, environment_id: null };
  return { type: 'destination', id: pattern.text, name: pattern.text, ...place, isDone: block !== undefined, pattern };
};

const workspaceTarget = async (tx: TenantTransaction, { scope, target, locks }: Request): Promise<ControlTarget | TargetRefusal> => {
  const workspace = await (locks ? lockWorkspace : findWorkspace)(tx, scope.organization_id, target);
  if (!workspace || reachesBeyond(scope, 'WORKSPACE')) return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  const { id, name } = workspace;
  return { type: 'workspace', id, name, workspace_id: id, environment_id: null, isDone: false, about: about.workspace(workspace) };
};

const organizationTarget = async (tx: TenantTransaction, { scope, target, locks }: Request): Promise<ControlTarget | TargetRefusal> => {
  if (target !== scope.organization_id || reachesBeyond(scope, 'ORGANIZATION'))
    return buildRefusal('NOT_FOUND', 'There is no such organization.');
  const { id, name } = await (locks ? lockOrganization : readOrganization)(tx, target);
  const place = { workspace_id: null, environment_id: null };
  return { type: 'organization', id, name, ...place, isDone: false, about: about.organization({ id }) };
};

const memberTarget = async (tx: TenantTransaction, request: Request): Promise<ControlTarget | TargetRefusal> => {
  if (request.locks) {
    const held = await holdMember(tx, request, request.target);
    if (isRefusal(held)) return held;
  }
  const member = await findVisibleMember(tx, request.scope, request.target);
  if (!member) return buildRefusal('NOT_FOUND', 'There is no such member.');
  const place = { workspace_id: null, environment_id: null };
  return { type: 'member', id: member.id, name: member.user.name, ...place, isDone: false, about: about.member(member) };
};

const SESSIONS = {
  agent: agentTarget,
  environment: environmentTarget,
  workspace: workspaceTarget,
  organization: organizationTarget,
  member: memberTarget,
} as const;

const sessions = async (tx: TenantTransaction, request: Request): Promise<ControlTarget | TargetRefusal> => {
  const nouns = Object.keys(SESSIONS) as (keyof typeof SESSIONS)[];
  const noun = nouns.find((each) => isId(each, request.target));
  if (noun === undefined) return refuseBody('/target', UNSUITED);
  const found = await SESSIONS[noun](tx, request);
  return isRefusal(found) ? found : { ...found, isDone: false };
};

const TARGETS: Readonly<Record<EmergencyControl, (tx: TenantTransaction, request: Request) => Promise<ControlTarget | TargetRefusal>>> = {
  'isolate-agent': isolation,
  'pause-environment': environmentTarget,
  'disable-tool': toolTarget,
  'block-destination': destinationTarget,
  'revoke-sessions': sessions,
};

/** Finds the target of a control, and locks it for an execution. */
export const findControlTarget = (
  tx: TenantTransaction,
  control: EmergencyControl,
  request: Request,
): Promise<ControlTarget | TargetRefusal> => TARGETS[control](tx, request);

/** Returns the request that undoes a control; null if nothing does. */
export const getUndoRequest = (control: EmergencyControl, { id }: Pick<ControlTarget, 'id'>, blockId = '{blockId}'): Undo | null => {
  if (control === 'isolate-agent') return { method: 'POST', path: `/v1/agents/${id}/resume` };
  if (control === 'pause-environment') return { method: 'POST', path: `/v1/environments/${id}/resume` };
  if (control === 'disable-tool') return { method: 'POST', path: `/v1/tools/${id}/enable` };
  return control === 'block-destination' ? { method: 'DELETE', path: `/v1/emergency/blocked-destinations/${blockId}` } : null;
};
