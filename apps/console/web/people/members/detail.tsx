import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatWorkspace, type Offer, useOffer } from './access.tsx';
import { Actions, type Member } from './actions.tsx';

type MemberPageProps = { readonly params: RouteParams<'member'>; readonly session: Session };

const PARENT = { name: 'Members', path: buildConsolePath('members') };

const buildFacts = (member: Member, offer: Offer) =>
  [
    ['E-mail', member.user.email],
    ['Role', member.role.name],
    ['Workspaces', formatWorkspace(member, offer)],
    ['Joined', <Time key="joined" at={member.joined_at} />],
    ['User id', member.user.id],
    ['Member id', member.id],
  ] as const;

/** One member and their access. */
export const MemberPage = ({ params, session }: MemberPageProps): ReactNode => {
  const offer = useOffer(session);
  const [, navigate] = useLocation();
  const { data: member, error } = useOperation('getMember', { params });
  const { announce, announcement } = useAnnouncement();
  const onChanged = (text: string): void => {
    announce(text);
    void refresh('getMember', 'listMembers');
  };
  const onRemoved = (): void => {
    void refresh('listMembers');
    navigate(buildConsolePath('members'));
  };
  const actions =
    member && offer ? <Actions member={member} offer={offer} session={session} onChanged={onChanged} onRemoved={onRemoved} /> : null;
  return (
    <ConsolePage title={member?.user.name ?? 'Member'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {(member && offer) || error ? null : <Skeleton lines={6} />}
      {member && offer ? <Facts facts={buildFacts(member, offer)} /> : null}
    </ConsolePage>
  );
};
