import type { Agent, AgentHealth } from '@svc/contract/agents/agents/agents.ts';
import type { Passport } from '@svc/contract/agents/agents/passports.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { getRenewalDueMs, RENEWED_STATUSES } from '@svc/domain/agents/agents/passport-renewal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readActivity } from '@svc/postgres/agents/agents/agent-activity.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { AgentsDeps } from '../deps.ts';
import { getLookBackWindow } from './views/lately.ts';

type Known = {
  readonly agent: Agent;
  readonly pausedReason: string | null;
  readonly passport: Passport | undefined;
  readonly sessions: number;
  readonly now: Date;
};

const RENEW = 'renew it with POST /v1/agents/{agentId}/passport/renew.';

/** Checks whether the passport is valid and, once renewal is due, whether it was renewed. An overdue renewal stops nothing yet. */
const passportChecks = ({ agent, passport, now }: Known): AgentHealth['checks'] => {
  if (passport === undefined) return [{ check: 'passport', ok: false, detail: 'There is no passport.' }];
  const { issued_at, expires_at } = passport;
  if (!(Date.parse(expires_at) > now.getTime()))
    return [{ check: 'passport', ok: false, detail: `The passport expired at ${expires_at}; ${RENEW}` }];
  const holds = { check: 'passport', ok: true, detail: `The passport is valid until ${expires_at}.` };
  // A passport that expires with its agent is not renewed: the next one would expire no later.
  const endsWithAgent = agent.expires_at !== null && Date.parse(agent.expires_at) <= Date.parse(expires_at);
  if (endsWithAgent || getRenewalDueMs(Date.parse(issued_at), Date.parse(expires_at)) > now.getTime()) return [holds];
  const why = RENEWED_STATUSES.includes(agent.status)
    ? 'was not renewed yet'
    : `is not renewed by itself while the agent is ${agent.status}`;
  return [holds, { check: 'passport_renewal', ok: false, detail: `The passport ends at ${expires_at} and ${why}; ${RENEW}` }];
};

/** Lists what prevents the agent from reaching a policy decision. `session` does not, since an agent can always sign a new assertion. */
const listChecks = (known: Known): AgentHealth['checks'] => {
  const { agent, pausedReason, sessions } = known;
  return [
    { check: 'status', ok: agent.status === 'ACTIVE', detail: `The agent is ${agent.status}.` },
    {
      check: 'environment',
      ok: pausedReason === null,
      detail: pausedReason === null ? 'The environment is running.' : `The environment is paused: ${pausedReason}`,
    },
    ...passportChecks(known),
    { check: 'capabilities', ok: agent.capabilities.length > 0, detail: `Capabilities granted: ${agent.capabilities.length}.` },
    { check: 'session', ok: sessions > 0, detail: `Live sessions: ${sessions}.` },
  ];
};

const BEFORE_POLICY = ['status', 'environment', 'passport'];

export const getAgentHealth: Handler<Endpoints['getAgentHealth'], AgentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    const environment = agent && (await findEnvironment(tx, organization_id, agent.environment_id));
    if (!agent || !environment) return call.refuse('NOT_FOUND');
    const passport = await findCurrentPassport(tx, organization_id, agent.id);
    const activity = (await readActivity(tx, organization_id, [agent.id], getLookBackWindow(call.now))).get(agent.id);
    if (!activity) return call.refuse('NOT_FOUND');
    const checks = listChecks({
      agent,
      pausedReason: environment.paused_reason,
      passport,
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
