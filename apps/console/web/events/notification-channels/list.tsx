import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getScopeLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Channel, formatNoticeWords } from './channel.ts';
import { Create } from './create.tsx';
import { ChannelStatus } from './status.tsx';

/** Chat channels that receive notifications. */
export const NotificationChannels = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listNotificationChannels', {});
  const { announce, announcement } = useAnnouncement();
  const mayCreate = may(session, 'webhook:create');
  const create = mayCreate ? (
    <DialogButton label="New channel" isPrimary>
      {(close) => (
        <Create
          environments={environments}
          onCreated={({ name }) => {
            close();
            announce(`${name} was added. Send a test message to check it.`);
            void refresh('listNotificationChannels');
          }}
        />
      )}
    </DialogButton>
  ) : null;
  const columns: readonly Column<Channel>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: (channel) => <ChannelStatus channel={channel} /> },
    { name: 'Destination', show: ({ address }) => address },
    { name: 'Notifications', show: formatNoticeWords },
    { name: 'Scope', show: (channel) => getScopeLabel(channel, environments) },
    { name: 'Last message', show: ({ last_sent_at }) => (last_sent_at === null ? 'None yet' : <Time at={last_sent_at} />) },
  ];
  return (
    <ConsolePage title="Notification channels" actions={create}>
      <Text>Channels post notifications to a chat, limited to what their creator may read.</Text>
      {mayCreate ? null : <MissingPermission needs="webhook:create" to="create notification channels" />}
      {announcement}
      <ListTable
        label="Notification channels"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('notificationChannel', { channelId: id })}
        empty="No notification channels yet."
      />
    </ConsolePage>
  );
};
