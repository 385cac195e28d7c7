import { Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { type Done, Listing } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { EmailField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Time } from '../../design/time.tsx';
import { may } from '../../layout/permitted.ts';
import { MailKept, type MailTransport } from '../auth/mail-sent.tsx';
import { type Access, AccessFields, accessOf, accessWords, type Offer } from '../members/access.tsx';

type Invitation = Access & {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly expires_at: string;
  readonly invited_by: { readonly id: string; readonly name: string | null };
};

type Mailed = Invitation & { readonly mail_transport: MailTransport };

type InviteProps = { readonly offer: Offer; readonly onInvited: (invitation: Mailed) => void };

const Invite = ({ offer, onInvited }: InviteProps): ReactNode => (
  <Form<Mailed>
    submit="Invite"
    send={({ email, role_id }, all) => call('POST', '/v1/members/invitations', { email, ...accessOf(role_id, all('workspace_ids')) })}
    then={onInvited}
    fields={(error) => (
      <>
        <EmailField error={error} />
        <AccessFields offer={offer} error={error} />
      </>
    )}
  />
);

type OneProps = {
  readonly one: Invitation;
  readonly offer: Offer;
  readonly mayInvite: boolean;
  readonly onSent: (transport: MailTransport) => void;
  readonly done: Done;
};

type SendProps = Pick<OneProps, 'one' | 'onSent' | 'done'>;

const SendAgain = ({ one, onSent, done }: SendProps): ReactNode => (
  <ActionButton<Mailed>
    does="Send again"
    to={one.email}
    send={() => call('POST', `/v1/members/invitations/${one.id}/resend`, {})}
    then={({ mail_transport }) => {
      onSent(mail_transport);
      done(`There is a new mail to ${one.email}; the link before it opens nothing.`);
    }}
  />
);

/** Sends an invitation that an API key asked for, after a step-up. */
const Confirm = ({ one, onSent, done }: SendProps): ReactNode => (
  <ActionButton<Mailed>
    does="Confirm"
    to={one.email}
    send={() => call('POST', `/v1/members/invitations/${one.id}/confirm`, {})}
    then={({ mail_transport }) => {
      onSent(mail_transport);
      done(`The invitation of ${one.email} is confirmed and sent.`);
    }}
  />
);

const untilWords = ({ status, invited_by }: Invitation): string => {
  if (status === 'AWAITING_CONFIRMATION') return `requested by the API key ${invited_by.name ?? invited_by.id}; awaits confirmation until`;
  return status === 'EXPIRED' ? 'was good until' : 'good until';
};

const One = ({ one, offer, mayInvite, onSent, done }: OneProps): ReactNode => (
  <>
    <Text>
      <strong>{one.email}</strong> as {accessWords(one, offer)}; {untilWords(one)} <Time at={one.expires_at} />
    </Text>
    {mayInvite ? (
      <>
        {one.status === 'AWAITING_CONFIRMATION' ? (
          <Confirm one={one} onSent={onSent} done={done} />
        ) : (
          <SendAgain one={one} onSent={onSent} done={done} />
        )}
        <ActionButton
          does="Withdraw"
          to={one.email}
          means="The link in the mail opens nothing any more."
          send={() => call('DELETE', `/v1/members/invitations/${one.id}`)}
          then={() => done(`The invitation of ${one.email} is withdrawn.`)}
        />
      </>
    ) : null}
  </>
);

/** Who is invited and has not come yet, and whoever else is to be. */
export const Invitations = ({ session, offer }: { readonly session: Session; readonly offer: Offer }): ReactNode => {
  const [invited, setInvited] = useState<readonly string[]>([]);
  const [transport, setTransport] = useState<MailTransport>();
  const mayInvite = may(session, 'member:invite');
  const onInvited = ({ email, mail_transport }: Mailed): void => {
    setInvited([...invited, email]);
    setTransport(mail_transport);
  };
  return (
    <>
      <Title order={2} size="h4">
        Invitations
      </Title>
      {mayInvite ? (
        <Invite key={invited.length} offer={offer} onInvited={onInvited} />
      ) : (
        <MissingPermission needs="member:invite" does="invite nobody" />
      )}
      {invited.length > 0 ? <Text role="status">{invited.at(-1)} gets a mail with a link, which is good for seven days.</Text> : null}
      <MailKept transport={transport} />
      <Listing<Invitation> key={`list-${invited.length}`} label="Invitations" path="/v1/members/invitations" none="Nobody is invited.">
        {(one, done) => <One one={one} offer={offer} mayInvite={mayInvite} onSent={setTransport} done={done} />}
      </Listing>
    </>
  );
};
