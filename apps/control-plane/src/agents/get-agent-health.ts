import type { Agent, AgentHealth } from '@svc/contract/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { readActivity } from '@svc/postgres/agent-activity.ts';
import { findAgent } from '@svc/postgres/agents.ts';
import { findEnvironment } from '@svc/postgres/environments.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { findCurrentPassport } from '@svc/postgres/passports.ts';
import type { ControlDeps } from '../deps.ts';
import { lately } from './lately.ts';

type Known = {
  readonly agent: Agent;
  readonly pausedReason: string | null;
  readonly passportExpiresAt: string | undefined;
  readonly sessions: number;
  readonly now: Date;
};

const passportCheck = (expiresAt: string | undefined, now: Date): AgentHealth['checks'][number] => {
  const ok = expiresAt !== undefined && Date.parse(expiresAt) > now.getTime();
  const until = ok ? `The passport is valid until ${expiresAt}.` : `The passport expired at ${expiresAt}; rotate the key to get a new one.`;
  return { check: 'passport', ok, detail: expiresAt === undefined ? 'There is no passport.' : until };
};

/** What stands between the agent and a decision by policy; `session` does not, since an agent can always sign a new assertion. */
const checksOf = ({ agent, pausedReason, passportExpiresAt, sessions, now }: Known): AgentHealth['checks'] => [
  { check: 'status', ok: agent.status === 'ACTIVE', detail: `The agent is ${agent.status}.` },
  {
    check: 'environment',
    ok: pausedReason === null,
    detail: pausedReason === null ? 'The environment is running.' : `The environment is paused: ${pausedReason}`,
  },
  passportCheck(passportExpiresAt, now),
  { check: 'capabilities', ok: agent.capabilities.length > 0, detail: `Capabilities granted: ${agent.capabilities.length}.` },
  { check: 'session', ok: sessions > 0, detail: `Live sessions: ${sessions}.` },
];

const BEFORE_POLICY = ['status', 'environment', 'passport'];

export const getAgentHealth: Handler<Endpoints['getAgentHealth'], ControlDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    const environment = agent && (await findEnvironment(tx, organization_id, agent.environment_id));
    if (!agent || !environment) return call.refuse('NOT_FOUND');
    const passport = await findCurrentPassport(tx, organization_id, agent.id);
    const activity = (await readActivity(tx, organization_id, [agent.id], lately(call.now))).get(agent.id);
    if (!activity) return call.refuse('NOT_FOUND');
    const checks = checksOf({
      agent,
      pausedReason: environment.paused_reason,
      passportExpiresAt: passport?.expires_at,
      sessions: activity.sessions,
      now: call.now,
    });
    return {
      agent_id: agent.id,
      status: agent.status,
      operational: checks.every(({ check, ok }) => ok || !BEFORE_POLICY.includes(check)),
      checks,
      last_seen_at: agent.last_seen_at,
      ...activity,
      checked_at: call.now.toISOString(),
    };
  });
