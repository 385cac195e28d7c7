import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { ResultOf } from '@svc/client/client-types.ts';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { APPROVAL_STATUSES, type ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useEnvironments } from '../../data/environments.ts';
import { environmentLabel } from '../../data/scope-options.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { amountOf, STATUS_WORDS } from './summary.tsx';

type Approval = ResultOf<'listApprovals'>[number];

const PAGE_SIZE = 50;
const MOST = 200;
const ANY = 'ANY';
const CHOICES = [...APPROVAL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })), { value: ANY, label: 'Any' }];
const TONES: Readonly<Record<ApprovalStatus, Tone>> = {
  PENDING: 'held',
  APPROVED: 'allowed',
  CONSUMED: 'allowed',
  DENIED: 'blocked',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
};

const isStatus = (value: string | null): value is ApprovalStatus => APPROVAL_STATUSES.some((status) => status === value);

/** The status that the address asks for; what waits for a decision where it names none. */
const chosenStatus = (search: string): ApprovalStatus | typeof ANY => {
  const status = new URLSearchParams(search).get('status');
  if (status === ANY) return ANY;
  return isStatus(status) ? status : 'PENDING';
};

/** Requests that wait for a decision, the oldest first, and those that were decided, the newest first. */
export const Approvals = (): ReactNode => {
  const environments = useEnvironments() ?? [];
  const [, navigate] = useLocation();
  const status = chosenStatus(useSearch());
  const [limit, setLimit] = useState(PAGE_SIZE);
  const filter = status === ANY ? {} : { status };
  const order = status === 'PENDING' ? ({ order: 'oldest' } as const) : {};
  const { data, error, refetch, isFetching } = useOperation('listApprovals', { query: { ...filter, ...order, limit } });
  const columns: readonly Column<Approval>[] = [
    { name: 'Request', show: ({ tool }) => tool },
    { name: 'Agent', show: ({ agent_name }) => <bdi>{agent_name}</bdi> },
    { name: 'Amount', show: (approval) => amountOf(approval).join(''), isNumber: true },
    { name: 'Environment', show: ({ environment_id }) => environmentLabel(environment_id, environments) },
    { name: 'Status', show: (approval) => <StatusPill tone={TONES[approval.status]}>{STATUS_WORDS[approval.status]}</StatusPill> },
    { name: 'Rule', show: ({ reason }) => <bdi>{reason}</bdi> },
    { name: 'Requested', show: ({ requested_at }) => <Time at={requested_at} /> },
    { name: 'Expires', show: ({ expires_at }) => <Time at={expires_at} /> },
  ];
  return (
    <ConsolePage title="Approvals">
      <Text>Each approval covers exactly one request, once.</Text>
      <Group gap="xs" align="end">
        <NativeSelect
          label="Status"
          value={status}
          onChange={({ currentTarget }) => navigate(`${consolePath('approvals')}?status=${currentTarget.value}`, { replace: true })}
          data={CHOICES}
        />
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </Group>
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Approvals"
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          pathOf={({ id }) => consolePath('approval', { approvalId: id })}
          empty={status === 'PENDING' ? 'No pending approvals.' : 'No approvals with this status.'}
        />
      )}
      {data?.length === limit && limit < MOST ? (
        <Button variant="default" onClick={() => setLimit(Math.min(limit + PAGE_SIZE, MOST))}>
          Show more
        </Button>
      ) : null}
    </ConsolePage>
  );
};
