import type { ResultOf } from '@svc/client/client-types.ts';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { amountText } from '@svc/contract/tables/currencies.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

const SHOWN = 10;

type Waiting = ResultOf<'listApprovals'>[number];

const COLUMNS: readonly Column<Waiting>[] = [
  { name: 'Tool', show: ({ tool }) => tool },
  { name: 'Agent', show: ({ agent_name }) => <bdi>{agent_name}</bdi> },
  { name: 'Amount', show: ({ amount, currency }) => (amount === null ? '' : (amountText(amount, currency) ?? amount)), isNumber: true },
  { name: 'Rule', show: ({ reason }) => <bdi>{reason}</bdi> },
  { name: 'Expires', show: ({ expires_at }) => <Time at={expires_at} /> },
];

const WaitingApprovals = (): ReactNode => {
  const { data, error } = useOperation('listApprovals', { query: { status: 'PENDING', order: 'oldest', limit: SHOWN } });
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">Waiting for approval</h2>
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Requests that wait for approval"
          columns={COLUMNS}
          rows={data}
          keyOf={({ id }) => id}
          pathOf={({ id }) => consolePath('approval', { approvalId: id })}
          empty="No pending approvals."
        />
      )}
    </section>
  );
};

/** The first page after signing in: what waits for a decision. */
export const Overview = ({ session }: { readonly session: Session }): ReactNode => (
  <ConsolePage title="Overview">
    {may(session, 'approval:read') ? <WaitingApprovals /> : null}
    <p>
      Agents, tools and policies are managed with the API: the <a href="/docs">API reference</a> describes every call.
    </p>
  </ConsolePage>
);
