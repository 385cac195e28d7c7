import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { WithReason } from '../mcp/with-reason.tsx';
import type { A2aConnection } from './connection.ts';
import { Edit } from './edit.tsx';

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
          means={`${name} is verified again. If it passes, messages are allowed again.`}
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
        means={`From then on no message goes to or comes from ${name}. Calls and streams in progress are stopped.`}
        send={(reason) => client.request('blockA2aConnection', { params: { a2aConnectionId: id }, body: { reason } })}
        then={() => {
          close();
          done(`${name} is blocked.`);
        }}
      />
    )}
  </DialogButton>
);

const Remove = ({ connection: { id, name } }: ActionsProps): ReactNode => {
  const [, navigate] = useLocation();
  return (
    <ActionButton
      does="Remove"
      to={name}
      means={`${name} is removed, and its streams are stopped. Its keys and history stay in the record.`}
      send={() => client.request('deleteA2aConnection', { params: { a2aConnectionId: id } })}
      then={() => {
        void refresh('listA2aConnections');
        navigate(buildConsolePath('a2aConnections'));
      }}
    />
  );
};

export const Actions = (props: ActionsProps): ReactNode => (
  <>
    {may(props.session, 'a2a:update') ? <Verify {...props} /> : null}
    {may(props.session, 'a2a:update') ? <Edit connection={props.connection} done={props.done} /> : null}
    {may(props.session, 'a2a:block') && props.connection.status !== 'BLOCKED' ? <Block {...props} /> : null}
    {may(props.session, 'a2a:block') ? <Remove {...props} /> : null}
  </>
);
