import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getScopeLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Change } from './change.tsx';
import { type Channel, formatNoticeWords, formatSent, formatTrouble } from './channel.ts';
import { ChannelStatus } from './status.tsx';

type ActionsProps = { readonly channel: Channel; readonly done: (text: string) => void };

const Update = ({ channel, done }: ActionsProps): ReactNode => {
  const { id, name, status } = channel;
  const params = { channelId: id };
  const isActive = status === 'ACTIVE';
  return (
    <>
      {isActive ? (
        <ActionButton
          does="Send test message"
          to={name}
          send={() => client.request('testNotificationChannel', { params, body: {} })}
          then={() => done(`Test message sent to ${name}. Refresh to see if it arrived.`)}
        />
      ) : null}
      <DialogButton label="Edit" to={name}>
        {(close) => (
          <Change
            channel={channel}
            onChanged={() => {
              close();
              done(`${name} was changed and now sends with your permissions.`);
            }}
          />
        )}
      </DialogButton>
      <ActionButton
        does={isActive ? 'Disable' : 'Enable'}
        to={name}
        {...(isActive ? { means: `Nothing is sent to ${name} until it is enabled again.` } : {})}
        send={() => client.request('updateNotificationChannel', { params, body: { status: isActive ? 'DISABLED' : 'ACTIVE' } })}
        then={() => done(isActive ? `${name} is disabled.` : `${name} was enabled with your permissions.`)}
      />
    </>
  );
};

const Delete = ({ channel: { id, name } }: Pick<ActionsProps, 'channel'>): ReactNode => {
  const [, navigate] = useLocation();
  return (
    <ActionButton
      does="Delete"
      to={name}
      means={`${name} receives no more notifications, and waiting messages are dropped.`}
      send={() => client.request('deleteNotificationChannel', { params: { channelId: id } })}
      then={() => {
        void refresh('listNotificationChannels');
        navigate(buildConsolePath('notificationChannels'));
      }}
    />
  );
};

const buildFacts = (channel: Channel, environments: readonly LabelledEnvironment[]) => {
  const trouble = formatTrouble(channel);
  return [
    ['Destination', channel.address],
    ['Status', <ChannelStatus key="status" channel={channel} />],
    ...(trouble === undefined ? [] : [['Reason', trouble] as const]),
    ['Last message', formatSent(channel)],
    ['Notifications', formatNoticeWords(channel)],
    ['About', getScopeLabel(channel, environments)],
    ['Id', channel.id],
  ] as const;
};

type ChannelPageProps = { readonly params: RouteParams<'notificationChannel'>; readonly session: Session };

const PARENT = { name: 'Notification channels', path: buildConsolePath('notificationChannels') };

/** One channel: its state, and what can be done with it. */
export const NotificationChannelPage = ({ params, session }: ChannelPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: channel, error, refetch, isFetching } = useOperation('getNotificationChannel', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getNotificationChannel', 'listNotificationChannels');
  };
  const actions = channel ? (
    <>
      {may(session, 'webhook:update') ? <Update channel={channel} done={done} /> : null}
      {may(session, 'webhook:delete') ? <Delete channel={channel} /> : null}
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
    </>
  ) : null;
  return (
    <ConsolePage title={channel?.name ?? 'Notification channel'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {channel === undefined && !error ? <Skeleton lines={6} /> : null}
      {channel === undefined ? null : <Facts facts={buildFacts(channel, environments)} />}
    </ConsolePage>
  );
};
