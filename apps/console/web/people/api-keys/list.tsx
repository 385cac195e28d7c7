import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Offer, useOffer } from '../members/access.tsx';
import { CreateApiKey } from './create.tsx';
import { Token, type WithToken } from './token.tsx';

type ApiKey = OperationResult<'listApiKeys'>[number];

const isEnded = ({ revoked_at, expires_at }: ApiKey): boolean =>
  revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= Date.now());

const Status = ({ apiKey }: { readonly apiKey: ApiKey }): ReactNode => {
  if (apiKey.revoked_at !== null) return <StatusPill tone="blocked">Revoked</StatusPill>;
  return isEnded(apiKey) ? <StatusPill tone="neutral">Expired</StatusPill> : <StatusPill tone="allowed">Active</StatusPill>;
};

type RowProps = {
  readonly apiKey: ApiKey;
  readonly session: Session;
  readonly onToken: (created: WithToken) => void;
  readonly done: (text: string) => void;
};

const RowActions = ({ apiKey, session, onToken, done }: RowProps): ReactNode => {
  const { id, name } = apiKey;
  const params = { apiKeyId: id };
  if (isEnded(apiKey)) return null;
  return (
    <>
      {may(session, 'apikey:create') ? (
        <ActionButton
          does="Rotate"
          to={name}
          means={`${name} gets a new token. The present one is accepted for another day.`}
          send={() => client.request('rotateApiKey', { params, body: {} })}
          then={onToken}
        />
      ) : null}
      {may(session, 'apikey:revoke') ? (
        <ActionButton
          does="Revoke"
          to={name}
          means={`Programs that use ${name} are refused immediately. This cannot be undone.`}
          send={() => client.request('revokeApiKey', { params })}
          then={() => done(`${name} is revoked.`)}
        />
      ) : null}
    </>
  );
};

type ColumnProps = Omit<RowProps, 'apiKey'> & { readonly offer: Offer | undefined };

const newColumns = ({ offer, ...row }: ColumnProps): readonly Column<ApiKey>[] => [
  { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Status', show: (apiKey) => <Status apiKey={apiKey} /> },
  { name: 'Role', show: ({ role_id }) => offer?.roles.find(({ id }) => id === role_id)?.name ?? role_id },
  { name: 'Last used', show: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />) },
  { name: 'Last used from', show: ({ last_used_from }) => last_used_from ?? '–' },
  { name: 'Expires', show: ({ expires_at }) => (expires_at === null ? 'Never' : <Time at={expires_at} />) },
  { name: 'Actions', isActions: true, show: (apiKey) => <RowActions apiKey={apiKey} {...row} /> },
];

/** Keys by which programs use the API. */
export const ApiKeys = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listApiKeys', {});
  const offer = useOffer(session);
  const { announce, announcement } = useAnnouncement();
  const [created, setCreated] = useState<WithToken>();
  const mayCreate = may(session, 'apikey:create');
  const onToken = (withToken: WithToken): void => {
    setCreated(withToken);
    void refresh('listApiKeys');
  };
  const done = (text: string): void => {
    announce(text);
    void refresh('listApiKeys');
  };
  const create =
    mayCreate && offer ? (
      <DialogButton label="New API key" isPrimary>
        {(close) => (
          <CreateApiKey
            offer={offer}
            onCreated={(withToken) => {
              close();
              onToken(withToken);
            }}
          />
        )}
      </DialogButton>
    ) : null;
  return (
    <ConsolePage title="API keys" actions={create}>
      <Text>API keys let programs use the API with a role. They cannot approve requests or do anything that needs a person.</Text>
      {mayCreate ? null : <MissingPermission needs="apikey:create" to="create API keys" />}
      {announcement}
      {created === undefined ? null : <Token created={created} onSaved={() => setCreated(undefined)} />}
      <ListTable
        label="API keys"
        list={list}
        columns={newColumns({ session, onToken, done, offer })}
        empty="No API keys yet."
        emptyAction={create}
      />
    </ConsolePage>
  );
};
