import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import type { Done } from '../../data/listing.tsx';
import { scopeLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { StatusSwitch } from '../../design/status-switch.tsx';
import { may } from '../../layout/permitted.ts';
import { Change } from './change.tsx';
import { type Channel, noticeWords, sentWords, statusWords } from './channel.ts';

type CardProps = {
  readonly channel: Channel;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: Done;
};

const Acts = ({
  channel: { id, name, status },
  done,
  onChange,
}: Pick<CardProps, 'channel' | 'done'> & { readonly onChange: () => void }): ReactNode => {
  const path = `/v1/notification-channels/${id}`;
  const isActive = status === 'ACTIVE';
  return (
    <>
      {isActive ? (
        <ActionButton
          does="Send a test"
          to={name}
          send={() => call('POST', `${path}/test`, {})}
          then={() => done(`A test is on its way to ${name}: how that went stands there in a moment.`)}
        />
      ) : null}
      <Button size="xs" variant="default" aria-label={`Change: ${name}`} onClick={onChange}>
        Change
      </Button>
      <StatusSwitch
        path={path}
        name={name}
        isActive={isActive}
        means={`Nothing is sent to ${name} until somebody enables it again.`}
        done={done}
      />
    </>
  );
};

/** All that may be done about a channel by whoever is signed in. */
const Toolbar = ({ channel, session, done, onChange }: Omit<CardProps, 'environments'> & { readonly onChange: () => void }): ReactNode => {
  const { id, name } = channel;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" aria-label={`Refresh: ${name}`} onClick={() => done('')}>
        Refresh
      </Button>
      {may(session, 'webhook:update') ? <Acts channel={channel} done={done} onChange={onChange} /> : null}
      {may(session, 'webhook:delete') ? (
        <ActionButton
          does="Delete"
          to={name}
          means={`${name} is sent nothing any more, and what waits for it is dropped.`}
          send={() => call('DELETE', `/v1/notification-channels/${id}`)}
          then={() => done(`${name} is deleted.`)}
        />
      ) : null}
    </Group>
  );
};

/** One channel: how sending to it goes, and what can be done about it. */
export const Card = ({ channel, environments, session, done }: CardProps): ReactNode => {
  const [isChanging, setChanging] = useState(false);
  const { name, address } = channel;
  return (
    <>
      <Text fw={600}>
        <bdi>{name}</bdi>
      </Text>
      <Facts
        facts={[
          ['Sends to', address],
          ['Status', statusWords(channel)],
          ['Last message', sentWords(channel)],
          ['Is sent', noticeWords(channel)],
          ['About', scopeLabel(channel, environments)],
        ]}
      />
      {isChanging ? (
        <Change
          channel={channel}
          onChanged={() => {
            setChanging(false);
            done(`${name} is changed, and is told with your rights.`);
          }}
          onKeep={() => setChanging(false)}
        />
      ) : (
        <Toolbar channel={channel} session={session} done={done} onChange={() => setChanging(true)} />
      )}
    </>
  );
};
