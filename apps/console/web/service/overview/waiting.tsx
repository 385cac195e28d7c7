import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { Money } from '../../design/money.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';

const SHOWN = 5;
const LIVE_MS = 5_000;

/** Approvals that wait for the person, the oldest first. */
export const Waiting = ({ session }: { readonly session: Session }): ReactNode => {
  const isMine = may(session, 'approval:approve') || may(session, 'approval:deny');
  const query = isMine ? { mine: true, limit: SHOWN } : ({ status: 'PENDING', order: 'oldest', limit: SHOWN } as const);
  const { data, error } = useOperation('listApprovals', { query }, { everyMs: LIVE_MS });
  return (
    <Panel title={isMine ? 'Waiting for you' : 'Waiting for approval'} actions={<a href={buildConsolePath('approvals')}>All approvals</a>}>
      <Problem error={error ?? undefined} />
      {data?.length === 0 ? <p>{isMine ? 'Nothing waits for you.' : 'No pending approvals.'}</p> : null}
      <ul className="rows">
        {data?.map(({ id, tool, agent_name, amount, currency, expires_at }) => (
          <li key={id}>
            <a href={buildConsolePath('approval', { approvalId: id })}>
              <bdi>{tool}</bdi>
            </a>
            <bdi>{agent_name}</bdi>
            <Money amount={amount} currency={currency} />
            <span className="quiet-text">
              expires <Ago at={expires_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
