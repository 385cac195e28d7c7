import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { type Done, Listing } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Form } from '../../design/form.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { may } from '../../layout/permitted.ts';
import { Invitations } from '../invitations/list.tsx';
import { type Access, AccessFields, accessOf, accessWords, type Offer, useOffer } from './access.tsx';

type Member = Access & {
  readonly id: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly joined_at: string;
};

type OneProps = { readonly member: Member; readonly offer: Offer; readonly session: Session; readonly done: Done };

const Change = ({ member, offer, done, onKeep }: Omit<OneProps, 'session'> & { readonly onKeep: () => void }): ReactNode => (
  <>
    <Form
      submit="Change"
      send={({ role_id }, all) => call('PATCH', `/v1/members/${member.id}`, accessOf(role_id, all('workspace_ids')))}
      then={() => done(`What ${member.user.name} may do is changed, from their next request on.`)}
      fields={(error) => <AccessFields offer={offer} now={member} error={error} />}
    />
    <Button size="xs" variant="default" onClick={onKeep}>
      Cancel
    </Button>
  </>
);

const One = ({ member, offer, session, done }: OneProps): ReactNode => {
  const [isChanging, setChanging] = useState(false);
  const { user } = member;
  return (
    <>
      <Text>
        <strong>{user.name}</strong> ({user.email}), {accessWords(member, offer)}; joined <Time at={member.joined_at} />{' '}
        <span className="quiet">{user.id}</span>
      </Text>
      {isChanging ? <Change member={member} offer={offer} done={done} onKeep={() => setChanging(false)} /> : null}
      {may(session, 'member:update') && !isChanging ? (
        <Button size="xs" variant="default" aria-label={`Change: ${user.email}`} onClick={() => setChanging(true)}>
          Change
        </Button>
      ) : null}
      {may(session, 'member:remove') ? (
        <ActionButton
          does="Remove"
          to={user.email}
          means={`${user.name} is signed out of this organization, and the API keys they made, invitations they sent and approvals that stand by their vote end.`}
          send={() => call('DELETE', `/v1/members/${member.id}`)}
          then={() => done(`${user.name} is no longer a member.`)}
        />
      ) : null}
    </>
  );
};

const SOME = 50;

/** The people of the organization, what they may do, and who is to join them. */
export const Members = ({ session }: { readonly session: Session }): ReactNode => {
  const offer = useOffer(session);
  return (
    <ConsolePage title="Members">
      {offer ? (
        <>
          <Listing<Member> label="Members" path="/v1/members" none="There is nobody." some={SOME}>
            {(member, done) => <One key={JSON.stringify(member)} member={member} offer={offer} session={session} done={done} />}
          </Listing>
          <Invitations session={session} offer={offer} />
        </>
      ) : null}
    </ConsolePage>
  );
};
