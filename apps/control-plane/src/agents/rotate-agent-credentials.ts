import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { agentTransition } from '@svc/domain/agents/lifecycle.ts';
import type { Handler } from '@svc/http/call.ts';
import { addAgentKey, findAgent, listAgentKeys, lockAgent, updateAgentRow } from '@svc/postgres/agents.ts';
import type { ControlDeps } from '../deps.ts';
import { reissuePassport } from './issue-passport.ts';
import { readAgentKey } from './read-agent-key.ts';

/** A new key, a new generation and a new passport; every session of the agent ends. A key it once had never comes back. */
export const rotateAgentCredentials: Handler<Endpoints['rotateAgentCredentials'], ControlDeps> = (call, deps) => {
  const key = readAgentKey(call.body.public_key);
  if (isRefusal(key)) return key;
  return call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const locked = await lockAgent(tx, organization_id, call.params.agentId);
    if (!locked) return call.refuse('NOT_FOUND');
    const transition = agentTransition('rotate_credentials', locked.status);
    if (isRefusal(transition)) return transition;
    const known = await listAgentKeys(tx, organization_id, locked.id);
    if (known.some((one) => one.thumbprint === key.thumbprint))
      return call.fault('/public_key', 'The agent has had this key before; make a new one.');
    const generation = locked.key_generation + 1;
    await addAgentKey(tx, organization_id, locked.id, { generation, public_key: key.public_key, thumbprint: key.thumbprint }, call.now);
    await updateAgentRow(tx, organization_id, locked.id, { key_generation: generation, killsSessions: transition.killsSessions }, call.now);
    const rotated = await findAgent(tx, organization_id, locked.id);
    if (!rotated) return call.refuse('NOT_FOUND');
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, rotated, call.now);
    const place = { workspace_id: agent.workspace_id, environment_id: agent.environment_id };
    emit('agent.identity_rotated', {
      subject: { type: 'agent', id: agent.id },
      ...place,
      data: {
        before: { key_generation: locked.key_generation },
        after: { key_generation: generation, public_key_thumbprint: key.thumbprint },
        reason: call.body.reason ?? null,
      },
    });
    emit('passport.rotated', {
      subject: { type: 'passport', id: passport.id },
      ...place,
      data: { agent_id: agent.id, version: passport.version },
    });
    return { data: { agent, ...(key.private_key === undefined ? {} : { private_key: key.private_key }) } };
  });
};
