import { consolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Card } from './card.tsx';
import { nameOf } from './summary.tsx';

type ApprovalPageProps = { readonly params: RouteParams<'approval'>; readonly session: Session };

/** Votes of others and answers of the agent appear without a reload. */
const LIVE_MS = 5_000;

const PARENT = { name: 'Approvals', path: consolePath('approvals') };

/** One approval: mails and notifications link here. Opening the page decides nothing. */
export const ApprovalPage = ({ params, session }: ApprovalPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: approval, error } = useOperation('getApproval', { params }, { everyMs: LIVE_MS });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('listApprovals', 'getApproval');
  };
  return (
    <ConsolePage title={approval === undefined ? 'Approval' : nameOf(approval)} parent={PARENT}>
      <Problem error={error ?? undefined} />
      {announcement}
      {approval === undefined && !error ? <Skeleton lines={6} /> : null}
      {approval === undefined ? null : <Card approval={approval} environments={environments} session={session} done={done} />}
    </ConsolePage>
  );
};
