import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { WithReason } from '../mcp/with-reason.tsx';
import type { A2aConnection } from './connection.ts';

type ActionsProps = { readonly connection: A2aConnection; readonly session: Session; readonly done: (text: string) => void };

const Verify = ({ connection: { id, name, status }, done }: ActionsProps): ReactNode => {
  const params = { a2aConnectionId: id };
  if (status !== 'BLOCKED')
    return (
      <ActionButton
        does="Verify"
        to={name}
        send={() => client.request('verifyA2aConnection', { params, body: {} })}
        then={() => done(`${name} is verified.`)}
      />
    );
  return (
    <DialogButton label="Release" to={name}>
      {(close) => (
        <WithReason
          submit="Verify and release"
          means={`${name} is verified again. If it passes, agents may send messages to it.`}
          send={(release) => client.request('verifyA2aConnection', { params, body: { release } })}
          then={() => {
            close();
            done(`${name} is verified.`);
          }}
        />
      )}
    </DialogButton>
  );
};

const Block = ({ connection: { id, name }, done }: ActionsProps): ReactNode => (
  <DialogButton label="Block" to={name}>
    {(close) => (
      <WithReason
        submit="Block"
        means={`From then on nothing is sent to ${name}. Calls and streams in progress are stopped.`}
        send={(reason) => client.request('blockA2aConnection', { params: { a2aConnectionId: id }, body: { reason } })}
        then={() => {
          close();
          done(`${name} is blocked.`);
        }}
      />
    )}
  </DialogButton>
);

export const Actions = (props: ActionsProps): ReactNode => (
  <>
    {may(props.session, 'a2a:update') ? <Verify {...props} /> : null}
    {may(props.session, 'a2a:block') && props.connection.status !== 'BLOCKED' ? <Block {...props} /> : null}
  </>
);
