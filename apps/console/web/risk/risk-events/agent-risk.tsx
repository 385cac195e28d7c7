import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { formatSignal, LevelPill } from './risk-words.tsx';

type AgentRiskNow = OperationResult<'getAgentRisk'>;
type Family = AgentRiskNow['families'][number];
type Mute = AgentRiskNow['mutes'][number];

const FAMILIES: readonly Column<Family>[] = [
  { name: 'Family', show: ({ family }) => formatSignal(family) },
  { name: 'Points', show: ({ points }) => points, isNumber: true },
  { name: 'At', show: ({ at }) => <Ago at={at} /> },
  { name: 'Left now', show: ({ points_now }) => points_now, isNumber: true },
];

const MUTES: readonly Column<Mute>[] = [
  { name: 'Signal', show: ({ signal }) => formatSignal(signal) },
  { name: 'Subject', show: ({ subject }) => <bdi>{formatDrawn(subject)}</bdi> },
  { name: 'Ends', show: ({ until }) => <Time at={until} /> },
];

/** Risk of an agent now as a sum, what is usual for it, and the exceptions that apply. */
export const AgentRisk = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const { data: risk, error } = useOperation('getAgentRisk', { params: { agentId } });
  if (error) return <Problem error={error} />;
  if (risk === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <p>
        <LevelPill level={risk.level} /> {risk.risk} of 100
      </p>
      <Table label="Risk by family" columns={FAMILIES} rows={risk.families} keyOf={({ family }) => family} empty="Nothing unusual." />
      <Text size="sm">
        {risk.learning ? 'Learning: signals of novelty do not count yet.' : risk.baseline.sentence}{' '}
        <a href={`${buildConsolePath('risk')}?agent_id=${agentId}`}>Show the risk events</a>
      </Text>
      {risk.mutes.length === 0 ? null : (
        <Table label="Exceptions" columns={MUTES} rows={risk.mutes} keyOf={({ signal, subject }) => `${signal} ${subject}`} empty="" />
      )}
    </>
  );
};
