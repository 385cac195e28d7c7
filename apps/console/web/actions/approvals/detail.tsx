import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Card } from './card.tsx';
import { formatApprovalTitle, formatDecision } from './summary.tsx';
import { useApprovalStream } from './use-approval-stream.ts';

type ApprovalPageProps = { readonly params: RouteParams<'approval'>; readonly session: Session };

const PARENT = { name: 'Approvals', path: buildConsolePath('approvals') };

/** One approval: mails and notifications link here. Opening the page decides nothing. */
export const ApprovalPage = ({ params, session }: ApprovalPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const everyMs = useApprovalStream();
  const { data: approval, error } = useOperation('getApproval', { params }, { everyMs });
  const { announce, announcement } = useAnnouncement();
  const isOwn = useRef(false);
  const done = (text: string): void => {
    isOwn.current = true;
    announce(text);
    void refresh('listApprovals', 'getApproval');
  };
  const before = useRef(approval?.status);
  useEffect(() => {
    const wasPending = before.current === 'PENDING';
    before.current = approval?.status;
    if (approval !== undefined && wasPending && approval.status !== 'PENDING' && !isOwn.current) announce(formatDecision(approval));
  });
  return (
    <ConsolePage title={approval === undefined ? 'Approval' : formatApprovalTitle(approval)} parent={PARENT}>
      <Problem error={error ?? undefined} />
      {announcement}
      {approval === undefined && !error ? <Skeleton lines={6} /> : null}
      {approval === undefined ? null : <Card approval={approval} environments={environments} session={session} done={done} />}
    </ConsolePage>
  );
};
