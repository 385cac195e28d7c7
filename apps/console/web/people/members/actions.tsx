import type { Member } from '@svc/contract/people/members.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Form } from '../../design/form.tsx';
import { AccessFields, getAccess, type Offer } from './access.tsx';

export type { Member };

type ActionsProps = {
  readonly member: Member;
  readonly offer: Offer;
  readonly session: Session;
  readonly onChanged: (text: string) => void;
  readonly onRemoved: (text: string) => void;
};

const Remove = ({ member: { id, user }, onRemoved }: Pick<ActionsProps, 'member' | 'onRemoved'>): ReactNode => (
  <ActionButton
    does="Remove"
    to={user.email}
    means={`${user.name} is signed out of this organization. Their API keys, invitations and pending approval votes end.`}
    send={() => client.request('removeMember', { params: { memberId: id } })}
    then={() => onRemoved(`${user.name} is no longer a member.`)}
  />
);

/** The buttons of a member that the person may use. */
export const Actions = ({ member, offer, session, onChanged, onRemoved }: ActionsProps): ReactNode => (
  <>
    {may(session, 'member:update') ? (
      <DialogButton label="Change role" to={member.user.email}>
        {(close) => (
          <Form
            submit="Save"
            send={({ role_id }, all) =>
              client.request('updateMember', { params: { memberId: member.id }, body: getAccess(role_id, all('workspace_ids')) })
            }
            then={() => {
              close();
              onChanged(`The access of ${member.user.name} is changed.`);
            }}
            fields={(error) => <AccessFields offer={offer} now={member} error={error} />}
          />
        )}
      </DialogButton>
    ) : null}
    {may(session, 'member:remove') ? <Remove member={member} onRemoved={onRemoved} /> : null}
  </>
);
