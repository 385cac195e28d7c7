import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { removeGrant } from '@svc/postgres/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents.ts';
import type { ControlDeps } from '../deps.ts';
import { reissuePassport } from './issue-passport.ts';

export const revokeCapability: Handler<Endpoints['revokeCapability'], ControlDeps> = (call, deps) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { agentId, capability } = call.params;
    const locked = await lockAgent(tx, organization_id, agentId);
    if (!locked || !(await removeGrant(tx, organization_id, agentId, capability))) return call.refuse('NOT_FOUND');
    const left = await findAgent(tx, organization_id, agentId);
    if (!left) return call.refuse('NOT_FOUND');
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, left, call.now);
    const place = { workspace_id: agent.workspace_id, environment_id: agent.environment_id };
    emit('agent.capability_revoked', { subject: { type: 'agent', id: agent.id }, ...place, data: { capability } });
    emit('passport.issued', {
      subject: { type: 'passport', id: passport.id },
      ...place,
      data: { agent_id: agent.id, version: passport.version },
    });
    return agent;
  });
