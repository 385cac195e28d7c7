import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { DecisionChart, formatCounts } from '../../design/decision-bar.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { AgentRisk } from '../../risk/risk-events/agent-risk.tsx';
import { AgentTrust } from '../../risk/trust/agent-trust.tsx';
import { type Agent, STATUS_TONES, STATUS_WORDS } from './agent.ts';
import { Authority } from './authority.tsx';
import { Health } from './health.tsx';
import { Lifecycle } from './lifecycle.tsx';
import { Listing } from './listing.tsx';
import { Possession } from './possession.tsx';

const DAYS = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const Activity = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const [from] = useState(() => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAYS * DAY_MS).toISOString());
  const { data, error } = useOperation('summarizeActions', { query: { agent_id: agent.id, from } });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <p>
        Last {DAYS} days: {formatCounts(data.decisions)}.{' '}
        <a href={`${buildConsolePath('actions')}?agent_id=${agent.id}`}>Show the actions</a>
      </p>
      <DecisionChart buckets={data.buckets} label={`Decisions of the last ${DAYS} days: ${formatCounts(data.decisions)}`} />
      <ul className="rows">
        {data.by_reason.map(({ key, name, total }) => (
          <li key={key}>
            <a href={`${buildConsolePath('actions')}?${new URLSearchParams({ agent_id: agent.id, reason: name })}`}>
              <bdi>{name}</bdi>
            </a>
            {total}
          </li>
        ))}
      </ul>
    </>
  );
};

const Identity = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { description, labels, expires_at, last_seen_at, public_key, key_generation, passport_version } = agent;
  const named = Object.entries(labels);
  return (
    <Facts
      facts={[
        ...(description === '' ? [] : [['Description', description] as const]),
        ['Environment', getEnvironmentLabel(agent.environment_id, environments)],
        ['Last seen', last_seen_at === null ? 'Never' : <Ago key="seen" at={last_seen_at} />],
        ['Expires', expires_at === null ? 'Never' : <Ago key="expires" at={expires_at} />],
        ...(named.length === 0 ? [] : [['Labels', named.map(([name, value]) => `${name}=${value}`).join(', ')] as const]),
        [
          'Public key',
          <code key="key" className="id">
            {public_key}
          </code>,
        ],
        ['Key', `generation ${key_generation}, passport version ${passport_version}`],
        ['Id', <Id key="id" id={agent.id} />],
      ]}
    />
  );
};

type AgentPageProps = { readonly params: RouteParams<'agent'>; readonly session: Session };

const PARENT = { name: 'Agents', path: buildConsolePath('agents') };

/** One agent: what it does, what it may do, and how to stop it. */
export const AgentPage = ({ params, session }: AgentPageProps): ReactNode => {
  const { data: agent, error } = useOperation('getAgent', { params });
  const { announce, announcement } = useAnnouncement();
  return (
    <ConsolePage
      title={agent?.name ?? 'Agent'}
      parent={PARENT}
      actions={agent === undefined ? null : <Lifecycle agent={agent} session={session} done={announce} />}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {agent === undefined && !error ? <Skeleton lines={8} /> : null}
      {agent === undefined ? null : (
        <>
          <div>
            <StatusPill tone={STATUS_TONES[agent.status]}>{STATUS_WORDS[agent.status]}</StatusPill>
          </div>
          <div className="split">
            <div>
              {may(session, 'action:read') ? (
                <Panel title="Activity">
                  <Activity agent={agent} />
                </Panel>
              ) : null}
              {may(session, 'delegation:read') ? (
                <Panel title="Authority">
                  <Authority agentId={agent.id} />
                </Panel>
              ) : null}
            </div>
            <div>
              {may(session, 'risk:read') ? (
                <Panel title="Risk">
                  <AgentRisk agentId={agent.id} />
                </Panel>
              ) : null}
              {may(session, 'trust:read') ? (
                <Panel title="Trust">
                  <AgentTrust agentId={agent.id} session={session} />
                </Panel>
              ) : null}
              <Panel title="Identity">
                <Identity agent={agent} />
              </Panel>
              <Panel title="Proof of possession">
                <Possession agent={agent} session={session} done={announce} />
              </Panel>
              <Panel title="A2A card">
                <Listing agent={agent} session={session} />
              </Panel>
              <Panel title="Health">
                <Health agentId={agent.id} />
              </Panel>
            </div>
          </div>
        </>
      )}
    </ConsolePage>
  );
};
