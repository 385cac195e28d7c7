import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { addGrant } from '@svc/postgres/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents.ts';
import type { ControlDeps } from '../deps.ts';
import { reissuePassport } from './issue-passport.ts';

const FINAL = ['REVOKED', 'DECOMMISSIONED'];

export const grantCapability: Handler<Endpoints['grantCapability'], ControlDeps> = (call, deps) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { capability } = call.body;
    const locked = await lockAgent(tx, organization_id, call.params.agentId);
    if (!locked) return call.refuse('NOT_FOUND');
    if (FINAL.includes(locked.status)) {
      return call.refuse('INVALID_STATE_TRANSITION', `The agent is ${locked.status}.`, { operation: 'grant', from: locked.status });
    }
    const grant = { capability, granted_by: call.caller.actor.id, granted_at: call.now };
    if (!(await addGrant(tx, organization_id, locked.id, grant)))
      return call.refuse('ALREADY_EXISTS', 'The agent holds this capability already.');
    const granted = await findAgent(tx, organization_id, locked.id);
    if (!granted) return call.refuse('NOT_FOUND');
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, granted, call.now);
    const place = { workspace_id: agent.workspace_id, environment_id: agent.environment_id };
    emit('agent.capability_granted', { subject: { type: 'agent', id: agent.id }, ...place, data: { capability } });
    emit('passport.issued', {
      subject: { type: 'passport', id: passport.id },
      ...place,
      data: { agent_id: agent.id, version: passport.version },
    });
    return agent;
  });
