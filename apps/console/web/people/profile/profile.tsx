import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { type ColourScheme, getColourScheme, setColourScheme } from '../../data/colour-scheme.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { Facts } from '../../design/facts.tsx';
import { Anchor, Button, Group, Stack, Title } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage, HOME } from '../../layout/console-page.tsx';

type Organization = OperationResult<'listOrganizations'>[number];

const COLUMNS: readonly Column<Organization>[] = [
  { name: 'Organization', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Role', show: ({ role }) => role.name },
  {
    name: 'Actions',
    isActions: true,
    show: ({ id, name, current }) => (
      <>
        {current ? (
          'Current'
        ) : (
          <ActionButton
            does="Switch"
            to={name}
            send={() => client.request('switchOrganization', { body: { organization_id: id } })}
            then={() => location.assign(HOME)}
          />
        )}
      </>
    ),
  },
];

const SignOut = (): ReactNode => {
  const [terminals, setTerminals] = useState(false);
  const { run, error } = useMutation(
    () => client.request('logout', { body: { terminals } }),
    () => location.assign('/sign-in'),
  );
  return (
    <Stack>
      <Problem error={error} />
      <Checkbox
        label="Also sign out terminals connected from this browser"
        checked={terminals}
        onChange={({ currentTarget }) => setTerminals(currentTarget.checked)}
      />
      <div>
        <Button variant="default" onClick={() => void run(undefined)}>
          End this session
        </Button>
      </div>
    </Stack>
  );
};

const SCHEMES = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The colours of the pages in this browser. */
const Colours = (): ReactNode => {
  const [chosen, setChosen] = useState(getColourScheme);
  const choose = (scheme: ColourScheme): void => {
    setColourScheme(scheme);
    setChosen(scheme);
  };
  return (
    <fieldset className="segments">
      <legend>Colours</legend>
      {SCHEMES.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name="colours" value={value} checked={chosen === value} onChange={() => choose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
};

/** The person who is signed in, their organizations, and how to sign out. */
export const Profile = ({ session: { user, organization } }: { readonly session: Session }): ReactNode => {
  const organizations = usePages('listOrganizations', {});
  return (
    <ConsolePage title="Profile">
      <Facts
        facts={[
          ['Name', user?.name ?? ''],
          ['E-mail', user?.email ?? ''],
          ['Organization', organization.name],
        ]}
      />
      <Group>
        <Anchor href="/cli">Connect a terminal</Anchor>
        <Anchor href="/device-approvals">Pending sign-ins</Anchor>
        <Anchor href="/docs">API reference</Anchor>
      </Group>
      <Colours />
      <Title order={2} size="h4">
        Organizations
      </Title>
      <ListTable label="Organizations" list={organizations} columns={COLUMNS} empty="You are not a member of any organization." />
      <Title order={2} size="h4">
        Sign out
      </Title>
      <SignOut />
    </ConsolePage>
  );
};
