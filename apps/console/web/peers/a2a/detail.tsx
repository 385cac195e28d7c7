import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Button, Text, Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Actions } from './actions.tsx';
import { type A2aConnection, CHECK_NAMES, DIRECTION_NAMES, PROOF_NAMES, refreshConnections } from './connection.ts';
import { ConnectionStatus } from './status.tsx';

const cardFacts = ({ card }: A2aConnection) => {
  if (card === null) return [];
  const organization = card.organization === null ? '' : ` of ${card.organization}`;
  return [
    ['Agent', formatDrawn(`${card.name} ${card.version}${organization}`)],
    ['Endpoint on its card', card.url],
    ['Skills', formatDrawn(card.skills.join(', ')) || 'None stated'],
    ['Card (SHA-256)', card.hash],
  ] as const;
};

const inboundFacts = ({ agent_id, agent_url }: A2aConnection) =>
  agent_id === null || agent_url === null
    ? []
    : ([
        [
          'Your agent',
          <a key="agent" href={buildConsolePath('agent', { agentId: agent_id })}>
            {agent_id}
          </a>,
        ],
        ['Messages go to', agent_url],
      ] as const);

const buildFacts = (connection: A2aConnection, environments: readonly LabelledEnvironment[]) => {
  const { status, status_reason, card_url, keys, proof, verified_at, verified_key, required_capability, tool_name, endpoint } = connection;
  return [
    ['Status', <ConnectionStatus key="status" status={status} />],
    ...(status_reason === null ? [] : [['Reason', formatDrawn(status_reason)] as const]),
    ['Direction', DIRECTION_NAMES[connection.direction]],
    ...inboundFacts(connection),
    ['Agent card', card_url],
    ['Registered keys', keys.map(({ kid }) => kid).join(', ')],
    ['Verified', verified_at === null ? 'Never' : <Time key="verified" at={verified_at} />],
    ...(proof === null ? [] : [['Proof', `${PROOF_NAMES[proof]}, key ${verified_key}`] as const]),
    ...cardFacts(connection),
    ['Governed tool', tool_name],
    ['Capability', required_capability],
    [connection.direction === 'INBOUND' ? 'Endpoint for the partner' : 'Endpoint for agents', endpoint],
    ['Environment', getEnvironmentLabel(connection.environment_id, environments)],
    ['Id', connection.id],
  ] as const;
};

/** The checks of the last verification, in their order. */
const Checks = ({ checks }: A2aConnection): ReactNode => (
  <section aria-labelledby="checks-title">
    <Title id="checks-title" order={2} size="h4">
      Last verification
    </Title>
    {checks.length === 0 ? <Text>Not verified yet. Verify reads the agent card and checks its signature.</Text> : null}
    <ol>
      {checks.map(({ check, ok, explanation }) => (
        <li key={check}>
          <StatusPill tone={ok ? 'allowed' : 'blocked'}>{ok ? 'Passed' : 'Failed'}</StatusPill> {CHECK_NAMES[check]}:{' '}
          {formatDrawn(explanation)}
        </li>
      ))}
    </ol>
  </section>
);

type A2aConnectionPageProps = { readonly params: RouteParams<'a2aConnection'>; readonly session: Session };

const PARENT = { name: 'A2A connections', path: buildConsolePath('a2aConnections') };

/** One connection: its verification, the verified card, and the way to stop it. */
export const A2aConnectionPage = ({ params, session }: A2aConnectionPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: connection, error, refetch, isFetching } = useOperation('getA2aConnection', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshConnections();
  };
  const actions = (
    <>
      {connection === undefined ? null : <Actions connection={connection} session={session} done={done} />}
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
    </>
  );
  return (
    <ConsolePage title={connection?.name ?? 'A2A connection'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {connection === undefined && !error ? <Skeleton lines={6} /> : null}
      {connection === undefined ? null : (
        <>
          <Facts facts={buildFacts(connection, environments)} />
          <Checks {...connection} />
        </>
      )}
    </ConsolePage>
  );
};
