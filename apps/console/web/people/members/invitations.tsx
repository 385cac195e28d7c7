import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { EmailField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Title } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import type { MailTransportKind } from '../auth/mail-sent.tsx';
import { AccessFields, formatWorkspace, getAccess, type Offer } from './access.tsx';

type Invitation = OperationResult<'listInvitations'>[number];
type Mailed = OperationResult<'inviteMember'>;
type InvitationsProps = {
  readonly session: Session;
  readonly offer: Offer;
  /** Announces the result; with the transport if an e-mail was sent. */
  readonly done: (text: string, transport?: MailTransportKind) => void;
};

const STATUSES: Readonly<Record<Invitation['status'], { readonly label: string; readonly tone: Tone }>> = {
  PENDING: { label: 'Sent', tone: 'held' },
  EXPIRED: { label: 'Expired', tone: 'neutral' },
  AWAITING_CONFIRMATION: { label: 'Needs confirmation', tone: 'held' },
  ACCEPTED: { label: 'Accepted', tone: 'allowed' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'neutral' },
};

const Invite = ({ offer, onInvited }: { readonly offer: Offer; readonly onInvited: (invitation: Mailed) => void }): ReactNode => (
  <Form
    submit="Send invitation"
    send={({ email = '', role_id }, all) =>
      client.request('inviteMember', { body: { email, ...getAccess(role_id, all('workspace_ids')) } })
    }
    then={onInvited}
    fields={(error) => (
      <>
        <EmailField error={error} />
        <AccessFields offer={offer} error={error} />
      </>
    )}
  />
);

/** A button that opens the form of an invitation. */
export const InviteButton = ({ session, offer, done }: InvitationsProps): ReactNode =>
  may(session, 'member:invite') ? (
    <DialogButton label="Invite member" isPrimary>
      {(close) => (
        <Invite
          offer={offer}
          onInvited={({ email, mail_transport }) => {
            close();
            done(`Invitation sent to ${email}. It expires in 7 days.`, mail_transport);
          }}
        />
      )}
    </DialogButton>
  ) : null;

type RowProps = Pick<InvitationsProps, 'done'> & { readonly invitation: Invitation };

const RowActions = ({ invitation: { id, email, status }, done }: RowProps): ReactNode => {
  const params = { invitationId: id };
  return (
    <>
      {status === 'AWAITING_CONFIRMATION' ? (
        <ActionButton
          does="Confirm"
          to={email}
          send={() => client.request('confirmInvitation', { params, body: {} })}
          then={({ mail_transport }) => done(`Invitation confirmed and sent to ${email}.`, mail_transport)}
        />
      ) : (
        <ActionButton
          does="Send again"
          to={email}
          send={() => client.request('resendInvitation', { params, body: {} })}
          then={({ mail_transport }) => done(`New invitation sent to ${email}. The earlier link no longer works.`, mail_transport)}
        />
      )}
      <ActionButton
        does="Withdraw"
        to={email}
        means="The link in the e-mail stops working."
        send={() => client.request('withdrawInvitation', { params })}
        then={() => done(`The invitation of ${email} was withdrawn.`)}
      />
    </>
  );
};

const listColumns = (offer: Offer, actions: ((invitation: Invitation) => ReactNode) | undefined): readonly Column<Invitation>[] => [
  { name: 'E-mail', show: ({ email }) => email },
  { name: 'Role', show: ({ role }) => role.name },
  { name: 'Workspaces', show: (invitation) => formatWorkspace(invitation, offer) },
  { name: 'Status', show: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill> },
  { name: 'Invited by', show: ({ invited_by }) => <bdi>{invited_by.name ?? invited_by.id}</bdi> },
  { name: 'Expires', show: ({ expires_at }) => <Time at={expires_at} /> },
  ...(actions === undefined ? [] : [{ name: 'Actions', isActions: true, show: actions }]),
];

/** Invitations that are not accepted yet. */
export const Invitations = ({ session, offer, done }: InvitationsProps): ReactNode => {
  const list = usePages('listInvitations', {});
  const mayInvite = may(session, 'member:invite');
  const actions = mayInvite ? (invitation: Invitation): ReactNode => <RowActions invitation={invitation} done={done} /> : undefined;
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations" mb="sm">
        Invitations
      </Title>
      {mayInvite ? null : <MissingPermission needs="member:invite" to="invite members" />}
      <ListTable label="Invitations" list={list} columns={listColumns(offer, actions)} empty="No open invitations." />
    </section>
  );
};
