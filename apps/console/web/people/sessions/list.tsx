import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type OwnSession = OperationResult<'listSessions'>[number];

const listColumns = (done: (text: string) => void): readonly Column<OwnSession>[] => [
  { name: 'Device', show: ({ device }) => <bdi>{device}</bdi> },
  { name: 'Organization', show: ({ organization }) => <bdi>{organization.name}</bdi> },
  { name: 'Signed in', show: ({ created_at }) => <Time at={created_at} /> },
  { name: 'From', show: ({ source_ip }) => source_ip ?? 'Unknown' },
  { name: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
  { name: 'Last used from', show: ({ last_used_from }) => last_used_from ?? 'Unknown' },
  {
    name: 'Actions',
    isActions: true,
    show: ({ id, device, organization, current }) => (
      <>
        {current ? (
          'This session'
        ) : (
          <ActionButton
            does="End"
            to={`${device}, ${organization.name}`}
            send={() => client.request('endSession', { params: { sessionId: id } })}
            then={() => done('The session has ended.')}
          />
        )}
      </>
    ),
  },
];

/** Browsers, terminals and programs that are signed in as the person, in every organization. */
export const Sessions = (): ReactNode => {
  const list = usePages('listSessions', {});
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('listSessions');
  };
  const endOthers = (
    <ActionButton
      does="Sign out everywhere else"
      means="Every other browser, terminal and program has to sign in again, in all organizations."
      send={() => client.request('endOtherSessions')}
      then={() => done('Every other session has ended.')}
    />
  );
  return (
    <ConsolePage title="Active sessions" actions={endOthers}>
      <Text>
        Don’t recognize one? End it and <a href={buildConsolePath('password')}>change your password</a>.
      </Text>
      {announcement}
      <ListTable label="Sessions" list={list} columns={listColumns(done)} empty="No active sessions." />
    </ConsolePage>
  );
};
