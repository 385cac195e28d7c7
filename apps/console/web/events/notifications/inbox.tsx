import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { ListTable } from '../../design/list-table.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { formatTime } from '../../design/time-words.ts';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Preferences } from './preferences.tsx';

type Notification = OperationResult<'listNotifications'>['data'][number];

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** The parts of a sentence; those with an odd index are UTC times. */
const listParts = (sentence: string): readonly string[] => sentence.split(INSTANT);

const isTime = (part: string, index: number): boolean => index % 2 === 1 && !Number.isNaN(Date.parse(part));

/** The sentence with its times in the time zone of the reader, as plain text. */
const plainText = (sentence: string): string =>
  listParts(sentence)
    .map((part, index) => (isTime(part, index) ? formatTime(part) : part))
    .join('');

/** The sentence, which links to its subject while there is something to do. */
const Sentence = ({ sentence, page, settled, read_at }: Notification): ReactNode => {
  const parts = listParts(sentence).map((part, index) => (isTime(part, index) ? <Time key={part} at={part} /> : part));
  const text = read_at === null ? <strong>{parts}</strong> : parts;
  return page === location.pathname || settled ? (
    <bdi>{text}</bdi>
  ) : (
    <a href={page}>
      <bdi>{text}</bdi>
    </a>
  );
};

const listColumns = (done: (text: string) => void): readonly Column<Notification>[] => [
  { name: 'Notification', show: (notification) => <Sentence {...notification} /> },
  { name: 'State', show: ({ settled, read_at }) => (settled ? 'Settled' : read_at === null ? 'Unread' : 'Read') },
  { name: 'Time', show: ({ updated_at }) => <Time at={updated_at} /> },
  {
    name: 'Actions',
    isActions: true,
    show: ({ id, sentence, read_at }) =>
      read_at === null ? (
        <ActionButton
          does="Mark as read"
          to={plainText(sentence)}
          send={() => client.request('readNotification', { params: { notificationId: id } })}
          then={() => done('Marked as read.')}
        />
      ) : null,
  },
];

/** Notifications to the person in this organization, the newest first, and how they are notified. */
export const Notifications = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listNotifications', {});
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('listNotifications');
  };
  const readAll = (
    <ActionButton
      does="Mark all as read"
      send={() => client.request('readAllNotifications')}
      then={() => done('All notifications were marked as read.')}
    />
  );
  return (
    <ConsolePage title="Notifications" actions={readAll}>
      {announcement}
      <ListTable
        label={`Notifications in ${session.organization.name}`}
        list={list}
        columns={listColumns(done)}
        empty="No notifications yet."
      />
      <Preferences />
    </ConsolePage>
  );
};
