import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Facts } from '../../design/facts.tsx';
import { Group, Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { CreateConnection } from './create.tsx';
import { EditConnection } from './edit.tsx';

type Connection = OperationResult<'listSsoConnections'>[number];
type Tested = OperationResult<'testSsoConnection'>;
type CardProps = { readonly connection: Connection; readonly session: Session; readonly done: (text: string) => void };

const getFacts = ({ kind, issuer, client_id, redirect_uris, enforce, jit, trusts_mfa }: Connection) =>
  [
    ['Kind', kind === 'OIDC' ? 'OpenID Connect' : 'SAML 2.0'],
    ['Issuer', issuer],
    ...(client_id === null ? [] : [['Client id', client_id] as const]),
    ['Redirect addresses', redirect_uris.join(', ')],
    ['Required of members', enforce ? 'Yes, for its verified domains' : 'No'],
    ['New people', jit ? 'Become members at their first sign-in' : 'Are refused until they are invited'],
    ['Second factor of the provider', trusts_mfa ? 'Counts' : 'Does not count'],
  ] as const;

const Domains = ({ domains }: Pick<Connection, 'domains'>): ReactNode =>
  domains.length === 0 ? (
    <p>No e-mail domain yet. Add one before you require this connection.</p>
  ) : (
    <ul className="rows">
      {domains.map(({ domain, verified_at, record }) => (
        <li key={domain}>
          <span>
            <bdi>{domain}</bdi>{' '}
            {verified_at === null ? <StatusPill tone="held">Not verified</StatusPill> : <StatusPill tone="allowed">Verified</StatusPill>}
          </span>
          {verified_at === null ? (
            <span className="quiet-text">
              Publish {record.type} <code>{record.name}</code> = <code>{record.value}</code>, then test.
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );

const testText = ({ ok, fault, domains }: Tested): string => {
  if (!ok) return `The provider cannot be used: ${fault ?? 'it did not respond'}`;
  const missing = domains.filter(({ verified }) => !verified);
  return missing.length === 0
    ? 'The provider responds, and every domain is verified.'
    : `The provider responds. Not verified: ${missing.map(({ domain, fault: reason }) => `${domain} (${reason ?? 'no record'})`).join(', ')}`;
};

const Card = ({ connection, session, done }: CardProps): ReactNode => {
  const [tested, setTested] = useState<Tested>();
  const { id, name, status, enforce } = connection;
  const params = { connectionId: id };
  const isActive = status === 'ACTIVE';
  return (
    <Panel title={name} actions={<StatusPill tone={isActive ? 'allowed' : 'neutral'}>{isActive ? 'Active' : 'Disabled'}</StatusPill>}>
      <Facts facts={getFacts(connection)} />
      <h3>Domains</h3>
      <Domains domains={connection.domains} />
      <p role="status">{tested === undefined ? '' : testText(tested)}</p>
      {may(session, 'sso:update') ? (
        <Group gap="xs" mt="md">
          <ActionButton
            does="Test"
            to={name}
            send={() => client.request('testSsoConnection', { params, body: {} })}
            then={(result) => {
              setTested(result);
              void refresh('listSsoConnections');
            }}
          />
          <DialogButton label="Edit" to={name}>
            {(close) => (
              <EditConnection
                connection={connection}
                onSaved={() => {
                  close();
                  done('Saved.');
                }}
              />
            )}
          </DialogButton>
          <ActionButton
            does={enforce ? 'Make optional' : 'Require'}
            to={name}
            means={
              enforce
                ? 'Members of its domains may sign in by other methods again.'
                : 'Members of its verified domains must sign in with it. Test it first, and name an owner who keeps another method.'
            }
            send={() => client.request('updateSsoConnection', { params, body: { enforce: !enforce } })}
            then={() => done(enforce ? `${name} is optional.` : `${name} is required.`)}
          />
          <ActionButton
            does={isActive ? 'Disable' : 'Enable'}
            to={name}
            {...(isActive ? { means: 'Sign-ins with it are refused, and its sessions end.' } : {})}
            send={() => client.request('updateSsoConnection', { params, body: { status: isActive ? 'DISABLED' : 'ACTIVE' } })}
            then={() => done(isActive ? `${name} is disabled.` : `${name} is enabled.`)}
          />
          <ActionButton
            does="Delete"
            to={name}
            means="Its linked identities and sessions end. Members stay."
            send={() => client.request('deleteSsoConnection', { params })}
            then={() => done(`${name} is deleted.`)}
          />
        </Group>
      ) : null}
    </Panel>
  );
};

/** Connections to identity providers with which members sign in. */
export const SsoConnections = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listSsoConnections', {});
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('listSsoConnections');
  };
  const create = may(session, 'sso:update') ? (
    <DialogButton label="New connection" isPrimary>
      {(close) => (
        <CreateConnection
          onCreated={({ name }) => {
            close();
            done(`${name} was created. Register its redirect addresses at the provider, then test it.`);
          }}
        />
      )}
    </DialogButton>
  ) : null;
  return (
    <ConsolePage title="Single sign-on" actions={create}>
      <Text>Members sign in with your identity provider, over OpenID Connect or SAML.</Text>
      <Problem error={list.error} />
      {announcement}
      {create === null ? <MissingPermission needs="sso:update" to="change connections" /> : null}
      {list.items === undefined && !list.error ? <Skeleton lines={6} /> : null}
      {list.items?.length === 0 ? (
        <EmptyState action={create}>No connections yet. Members sign in with passwords and passkeys.</EmptyState>
      ) : null}
      {list.items?.map((connection) => (
        <Card key={connection.id} connection={connection} session={session} done={done} />
      ))}
    </ConsolePage>
  );
};
