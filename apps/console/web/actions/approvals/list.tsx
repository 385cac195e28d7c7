import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { APPROVAL_STATUSES, type ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Money } from '../../design/money.tsx';
import { Problem } from '../../design/problem.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { STATUS_TONES, STATUS_WORDS } from './summary.tsx';
import { useApprovalStream } from './use-approval-stream.ts';

type Approval = OperationResult<'listApprovals'>[number];

const PAGE_SIZE = 50;
const MOST = 200;
const ANY = 'ANY';
const MINE = 'MINE';
const CHOICES = [...APPROVAL_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })), { value: ANY, label: 'Any' }];

const isStatus = (value: string | null): value is ApprovalStatus => APPROVAL_STATUSES.some((status) => status === value);

type View = ApprovalStatus | typeof ANY | typeof MINE;

/** Returns the view in the address; by default the approvals that the person may decide. */
const chosenView = (search: string, mayDecide: boolean): View => {
  const status = new URLSearchParams(search).get('status');
  if (status === ANY || (status === MINE && mayDecide)) return status;
  if (isStatus(status)) return status;
  return mayDecide ? MINE : 'PENDING';
};

const buildQuery = (view: View, limit: number) => {
  if (view === MINE) return { mine: true, limit };
  const order = view === 'PENDING' ? ({ order: 'oldest' } as const) : {};
  return view === ANY ? { limit } : { status: view, ...order, limit };
};

const EMPTY: Readonly<Partial<Record<View, string>>> = {
  [MINE]: 'Nothing waits for you. Choose the status Waiting to see what others decide on.',
  PENDING: 'No pending approvals.',
};

/** Requests that wait for a decision, the oldest first, and those that were decided, the newest first. */
export const Approvals = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const [, navigate] = useLocation();
  const mayDecide = may(session, 'approval:approve') || may(session, 'approval:deny');
  const view = chosenView(useSearch(), mayDecide);
  const everyMs = useApprovalStream();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data, error, refetch, isFetching } = useOperation('listApprovals', { query: buildQuery(view, limit) }, { everyMs });
  const columns: readonly Column<Approval>[] = [
    { name: 'Request', show: ({ tool }) => tool },
    { name: 'Amount', show: (approval) => <Money amount={approval.amount} currency={approval.currency} />, isNumber: true },
    { name: 'Agent', show: ({ agent_name }) => <bdi>{agent_name}</bdi> },
    { name: 'Reason', show: ({ reason }) => <bdi title={reason}>{reason}</bdi>, isLong: true },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
    { name: 'Status', show: ({ status }) => <StatusPill tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</StatusPill> },
    { name: 'Requested', show: ({ requested_at }) => <Ago at={requested_at} /> },
    { name: 'Expires', show: ({ expires_at }) => <Ago at={expires_at} /> },
  ];
  const choices = mayDecide ? [{ value: MINE, label: 'For me' }, ...CHOICES] : CHOICES;
  return (
    <ConsolePage title="Approvals">
      <Text>Each approval covers exactly one request, once.</Text>
      <Group gap="xs" align="end">
        <NativeSelect
          label="Status"
          value={view}
          onChange={({ currentTarget }) => navigate(`${buildConsolePath('approvals')}?status=${currentTarget.value}`, { replace: true })}
          data={choices}
        />
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </Group>
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Approvals"
          isDense
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          pathOf={({ id }) => buildConsolePath('approval', { approvalId: id })}
          empty={EMPTY[view] ?? 'No approvals with this status.'}
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
