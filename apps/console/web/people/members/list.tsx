import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ListTable } from '../../design/list-table.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { MailNotice, type MailTransportKind } from '../auth/mail-sent.tsx';
import { formatWorkspace, type Offer, useOffer } from './access.tsx';
import { Actions, type Member } from './actions.tsx';
import { Invitations, InviteButton } from './invitations.tsx';

type TableProps = { readonly session: Session; readonly offer: Offer; readonly announce: (text: string) => void };

const MemberTable = ({ session, offer, announce }: TableProps): ReactNode => {
  const list = usePages('listMembers', {});
  const done = (text: string): void => {
    announce(text);
    void refresh('listMembers');
  };
  const columns: readonly Column<Member>[] = [
    { name: 'Name', show: ({ user }) => <bdi>{user.name}</bdi> },
    { name: 'E-mail', show: ({ user }) => user.email },
    { name: 'Role', show: ({ role }) => role.name },
    { name: 'Workspaces', show: (member) => formatWorkspace(member, offer) },
    { name: 'Joined', show: ({ joined_at }) => <Time at={joined_at} /> },
    {
      name: 'Actions',
      isActions: true,
      show: (member) => (
        <>
          <Actions member={member} offer={offer} session={session} onChanged={done} onRemoved={done} />
        </>
      ),
    },
  ];
  return (
    <ListTable
      label="Members"
      list={list}
      columns={columns}
      pathOf={({ id }) => buildConsolePath('member', { memberId: id })}
      empty="No members."
    />
  );
};

/** The people of the organization, their access, and the people who are invited. */
export const Members = ({ session }: { readonly session: Session }): ReactNode => {
  const offer = useOffer(session);
  const { announce, announcement } = useAnnouncement();
  const [transport, setTransport] = useState<MailTransportKind>();
  const done = (text: string, used?: MailTransportKind): void => {
    setTransport(used);
    announce(text);
    void refresh('listInvitations');
  };
  return (
    <ConsolePage title="Members" actions={offer ? <InviteButton session={session} offer={offer} done={done} /> : null}>
      {announcement}
      <MailNotice transport={transport} />
      {offer ? (
        <>
          <MemberTable session={session} offer={offer} announce={announce} />
          <Invitations session={session} offer={offer} done={done} />
        </>
      ) : (
        <Skeleton lines={6} />
      )}
    </ConsolePage>
  );
};
