import type { AccessDecision, AccessEvaluation } from '@svc/contract/actions/access.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { accessDecision, deniedAccess } from '@svc/domain/actions/access/access-decision.ts';
import { type AccessRequest, readAccess, TOOL_ACTIONS, TOOL_TYPE } from '@svc/domain/actions/access/read-access.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { findSubjectAgents } from '@svc/postgres/agents/agents/access-subjects.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { buildEvaluationCommand } from '../../pipeline/evaluation-command.ts';

export type AccessCall = Pick<
  Call<Endpoints['evaluateAccess']>,
  'caller' | 'database' | 'scope' | 'sourceIp' | 'requestId' | 'traceId' | 'inTurn' | 'watcher'
>;

export type AccessRefusal = Refusal<
  | 'VALIDATION_FAILED'
  | 'RATE_LIMITED'
  | 'IDENTITY_SERVICE_UNAVAILABLE'
  | 'POLICY_SERVICE_UNAVAILABLE'
  | 'APPROVAL_SERVICE_UNAVAILABLE'
  | 'AUDIT_SERVICE_UNAVAILABLE'
  | 'DEPENDENCY_UNAVAILABLE'
>;

/** Refusals that are a decision: the action is not permitted. Any other refusal is an error of the request or the service. */
const isDenial = (code: string): code is 'NOT_FOUND' | 'VALIDATION_FAILED' => code === 'NOT_FOUND' || code === 'VALIDATION_FAILED';

/** Returns the agent that a subject names, or a denial. */
export const findAgentOfSubject = async (
  call: AccessCall,
  subject: { readonly type: string; readonly id: string },
): Promise<string | AccessDecision> => {
  const [agentId, another] = await readInTenant(call.database, call.scope, (tx) =>
    findSubjectAgents(tx, call.caller.organizationId, subject),
  );
  if (agentId === undefined) return deniedAccess('NOT_FOUND', `No agent is registered for the subject ${subject.type} ${subject.id}.`);
  if (another === undefined) return agentId;
  return deniedAccess(
    'NOT_FOUND',
    `More than one agent is registered for the subject ${subject.type} ${subject.id}. Name the agent by its id.`,
  );
};

/** Decides a mapped evaluation for an agent. */
export const decideEvaluation = async (
  call: AccessCall,
  pipeline: Ports,
  agentId: string,
  { accepts, ...request }: AccessRequest,
): Promise<AccessDecision | AccessRefusal> => {
  const governed = await call.inTurn(() => govern(pipeline, buildEvaluationCommand(call, agentId, request)));
  if (!isRefusal(governed)) {
    // Without an idempotency key nothing is replayed.
    if ('replayed' in governed) throw new Error('an evaluation without idempotency key was replayed');
    return accessDecision(buildDecisionResponse(governed), accepts);
  }
  const { refused, message, details } = governed;
  if (isDenial(refused)) return deniedAccess(refused, message ?? 'The request does not fit the tool.', details);
  return governed as AccessRefusal;
};

/** Decides one AuthZEN evaluation. An unknown subject or tool, or arguments that the tool does not take, is a denial. */
export const decideAccess = async (
  call: AccessCall,
  pipeline: Ports,
  evaluation: AccessEvaluation,
): Promise<AccessDecision | AccessRefusal> => {
  const asked = readAccess(evaluation);
  if ('length' in asked) return { refused: 'VALIDATION_FAILED', message: 'The context is not valid.', details: { faults: asked } };
  const { resource, action } = evaluation;
  if (resource.type === TOOL_TYPE && !TOOL_ACTIONS.includes(action.name))
    return deniedAccess('NOT_FOUND', `A tool has the actions ${TOOL_ACTIONS.join(' and ')}.`);
  const agentId = await findAgentOfSubject(call, evaluation.subject);
  return typeof agentId === 'string' ? decideEvaluation(call, pipeline, agentId, asked) : agentId;
};
