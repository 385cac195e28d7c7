import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Edit } from './edit.tsx';
import { Release } from './release.tsx';
import type { McpServer } from './server.ts';
import { WithReason } from './with-reason.tsx';

type ActionsProps = { readonly server: McpServer; readonly session: Session; readonly done: (text: string) => void };

const isStopped = ({ status }: McpServer): boolean => status === 'QUARANTINED' || status === 'DISABLED';

/** Summary of a discovery, in one sentence. */
const foundWords = (changes: readonly string[]): string => {
  const count = (change: string): number => changes.filter((each) => each === change).length;
  const parts = [
    [count('NEW'), 'new'],
    [count('CHANGED'), 'changed'],
    [count('GONE'), 'gone'],
    [count('BACK'), 'back'],
  ].filter(([number]) => number !== 0);
  if (changes.length === 0) return 'The server offers no tools.';
  return parts.length === 0 ? 'Nothing changed.' : `Found: ${parts.map((each) => each.join(' ')).join(', ')}.`;
};

const Update = ({ server, session, done }: ActionsProps): ReactNode => {
  const { id, name } = server;
  return (
    <>
      <ActionButton
        does="Discover now"
        to={name}
        send={() => client.request('discoverMcpServer', { params: { serverId: id }, body: {} })}
        then={({ tools, needs_credential }) =>
          done(needs_credential === undefined ? foundWords(tools.map(({ change }) => change)) : 'The server requires a credential.')
        }
      />
      <DialogButton label="Edit" to={name}>
        {(close) => (
          <Edit
            server={server}
            session={session}
            done={(text) => {
              close();
              done(text);
            }}
          />
        )}
      </DialogButton>
      {isStopped(server) ? (
        <DialogButton label="Release" to={name}>
          {(close) => (
            <Release
              server={server}
              done={(text) => {
                close();
                done(text);
              }}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};

const Stop = ({ server, done }: Omit<ActionsProps, 'session'>): ReactNode => {
  const [, navigate] = useLocation();
  const { id, name, status } = server;
  const params = { serverId: id };
  return (
    <>
      {status === 'DISABLED' ? null : (
        <DialogButton label="Disable" to={name}>
          {(close) => (
            <WithReason
              submit="Disable"
              means={`From then on no tool of ${name} is called. A person can release it later.`}
              send={(reason) => client.request('disableMcpServer', { params, body: { reason } })}
              then={() => {
                close();
                done(`${name} is disabled.`);
              }}
            />
          )}
        </DialogButton>
      )}
      <ActionButton
        does="Remove"
        to={name}
        means={`${name} and its tools are removed. The governed tools stay in the record and are disabled.`}
        send={() => client.request('deleteMcpServer', { params })}
        then={() => {
          void refresh('listMcpServers');
          navigate(buildConsolePath('mcpServers'));
        }}
      />
    </>
  );
};

/** The buttons of a server that the person may use. */
export const Actions = ({ server, session, done }: ActionsProps): ReactNode => (
  <>
    {may(session, 'mcp:update') ? <Update server={server} session={session} done={done} /> : null}
    {may(session, 'mcp:disable') ? <Stop server={server} done={done} /> : null}
  </>
);
