import { consolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { useEnvironments } from '../../data/environments.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusMessage } from '../../design/status-message.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Card, type Detailed } from './card.tsx';
import { nameOf } from './summary.tsx';

type ApprovalPageProps = { readonly params: RouteParams<'approval'>; readonly session: Session };

const PARENT = { name: 'Approvals', path: consolePath('approvals') };

/** One approval: mails and notifications link here. Opening the page decides nothing. */
export const ApprovalPage = ({ params: { approvalId }, session }: ApprovalPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const [approval, setApproval] = useState<Detailed>();
  const [error, setError] = useState<ApiError>();
  const [message, setMessage] = useState<string>();
  const look = useCallback(async (): Promise<void> => {
    const answer = await call<Detailed>('GET', `/v1/approvals/${encodeURIComponent(approvalId)}`);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) setApproval(answer.body);
  }, [approvalId]);
  useEffect(() => void look(), [look]);
  const done = (text: string): void => {
    setMessage(text);
    void refresh('listApprovals');
    void look();
  };
  return (
    <ConsolePage title={approval === undefined ? 'Approval' : nameOf(approval)} parent={PARENT}>
      <Problem error={error} />
      {message === undefined ? null : <StatusMessage key={message}>{message}</StatusMessage>}
      {approval === undefined && error === undefined ? <Skeleton lines={6} /> : null}
      {approval === undefined ? null : <Card approval={approval} environments={environments} session={session} done={done} />}
    </ConsolePage>
  );
};
