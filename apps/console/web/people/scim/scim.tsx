import { NativeSelect, Textarea } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Stack, Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Offer, useOffer } from '../members/access.tsx';

type Configuration = OperationResult<'getScimConfiguration'>;

const getFacts = ({ base_url, token_created_at }: Configuration) =>
  [
    ['Address for the directory', <code key="address">{base_url}</code>],
    ['Token', token_created_at === null ? 'None: the directory cannot provision.' : <Time key="token" at={token_created_at} />],
  ] as const;

/** The mapping as lines of text: a group, an equals sign and the name of a role. */
const mappingText = ({ group_roles }: Configuration, { roles }: Offer): string =>
  group_roles.map(({ group, role_id }) => `${group} = ${roles.find(({ id }) => id === role_id)?.name ?? role_id}`).join('\n');

const readMapping = (text: string, { roles }: Offer): readonly { readonly group: string; readonly role_id: string }[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.lastIndexOf('=');
      const role = line.slice(at + 1).trim();
      return { group: line.slice(0, at).trim(), role_id: roles.find(({ name, id }) => name === role || id === role)?.id ?? role };
    });

type MappingProps = { readonly configuration: Configuration; readonly offer: Offer; readonly onSaved: () => void };

const Mapping = ({ configuration, offer, onSaved }: MappingProps): ReactNode => (
  <Form
    submit="Save mapping"
    send={({ default_role_id = '', groups = '' }) =>
      client.request('updateScimConfiguration', { body: { default_role_id, group_roles: [...readMapping(groups, offer)] } })
    }
    then={onSaved}
    fields={(error) => (
      <>
        <NativeSelect
          name="default_role_id"
          label="Role without a mapped group"
          defaultValue={configuration.default_role_id}
          error={findFault(error, 'default_role_id')}
          data={offer.roles.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Textarea
          name="groups"
          label="Groups and roles"
          description="One per line: name of the group = name of the role. The first group of a person applies."
          rows={5}
          defaultValue={mappingText(configuration, offer)}
          error={findFault(error, 'group_roles')}
        />
      </>
    )}
  />
);

/** Provisioning of members by a directory. */
export const Scim = ({ session }: { readonly session: Session }): ReactNode => {
  const { data, error } = useOperation('getScimConfiguration', {});
  const offer = useOffer(session);
  const [token, setToken] = useState<string>();
  const { announce, announcement } = useAnnouncement();
  const mayUpdate = may(session, 'sso:update');
  const done = (text: string): void => {
    announce(text);
    void refresh('getScimConfiguration');
  };
  const hasToken = data !== undefined && data.token_created_at !== null;
  return (
    <ConsolePage title="Directory (SCIM)">
      <Text>A directory such as Okta or Entra ID creates and deactivates members with a token of its own.</Text>
      <Problem error={error ?? undefined} />
      {announcement}
      {mayUpdate ? null : <MissingPermission needs="sso:update" to="change provisioning" />}
      {data === undefined && !error ? <Skeleton lines={5} /> : null}
      {token === undefined ? null : (
        <Stack role="group" gap="xs" className="callout" aria-label="Directory token">
          <Text fw={600}>Directory token</Text>
          <p className="secret">{token}</p>
          <Text>Copy it to your directory now. It is not shown again.</Text>
          <Group gap="xs">
            <CopyButton text={token} of="Directory token" otherwise="Select the token and copy it." />
            <Button size="xs" variant="default" onClick={() => setToken(undefined)}>
              I have saved it
            </Button>
          </Group>
        </Stack>
      )}
      {data === undefined ? null : (
        <Panel title="Provisioning">
          <Facts facts={getFacts(data)} />
          {hasToken && !data.token_opens ? (
            <Warning title="The token is refused">Its creator no longer has the permissions that it needs. Create another one.</Warning>
          ) : null}
          {mayUpdate ? (
            <Group gap="xs" mt="md">
              <ActionButton
                does={hasToken ? 'Replace token' : 'Create token'}
                {...(hasToken ? { means: 'The directory is refused until it has the new token.' } : {})}
                send={() => client.request('createScimToken', {})}
                then={(created) => {
                  setToken(created.token);
                  done('The token was created.');
                }}
              />
              {hasToken ? (
                <ActionButton
                  does="Revoke token"
                  means="The directory is refused at once. Members stay."
                  send={() => client.request('revokeScimToken', {})}
                  then={() => done('Provisioning is off.')}
                />
              ) : null}
            </Group>
          ) : null}
        </Panel>
      )}
      {data !== undefined && offer !== undefined && mayUpdate ? (
        <Panel title="Roles">
          <Mapping configuration={data} offer={offer} onSaved={() => done('Saved. The roles apply to group members at once.')} />
        </Panel>
      ) : null}
    </ConsolePage>
  );
};
