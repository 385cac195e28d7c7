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
import { Deliveries, type Delivery } from './deliveries.tsx';
import { Secret } from './secret.tsx';
import { type Subscription, statusWords, type WithSecret, waitingWords } from './subscription.ts';

type CardProps = {
  readonly subscription: Subscription;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: Done;
};

const DAY_MS = 86_400_000;

type Redelivered = { readonly redelivered: number; readonly has_more: boolean };

const redeliveredWords = ({ redelivered, has_more }: Redelivered): string =>
  `${redelivered} are delivered again.${has_more ? ' There are more: do it once more.' : ''}`;

type ActsProps = Omit<CardProps, 'environments'> & { readonly onSecret: (made: WithSecret) => void };

const Acts = ({ subscription: { id, name, status }, done, onSecret }: ActsProps): ReactNode => {
  const path = `/v1/webhooks/${id}`;
  const isActive = status === 'ACTIVE';
  return (
    <>
      {isActive ? (
        <>
          <ActionButton<Delivery>
            does="Send a test"
            to={name}
            send={() => call('POST', `${path}/test`, {})}
            then={() => done(`A test is on its way to ${name}: look at its deliveries.`)}
          />
          <ActionButton<Redelivered>
            does="Deliver again what failed"
            to={name}
            means={`Whatever failed within 24 hours is delivered to ${name} again.`}
            send={() => call('POST', `${path}/redeliver`, { since: new Date(Date.now() - DAY_MS).toISOString() })}
            then={(told) => done(redeliveredWords(told))}
          />
        </>
      ) : null}
      <ActionButton<WithSecret>
        does="Rotate the secret"
        to={name}
        means={`${name} gets a new signing secret. For 24 hours deliveries are signed by both.`}
        send={() => call('POST', `${path}/rotate-secret`, {})}
        then={onSecret}
      />
      <StatusSwitch
        path={path}
        name={name}
        isActive={isActive}
        means={`Nothing is delivered to ${name} until somebody enables it again.`}
        done={done}
      />
    </>
  );
};

/** One receiver: how it does, what was sent to it, and what can be done about it. */
export const Card = ({ subscription, environments, session, done }: CardProps): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<WithSecret>();
  const { id, name, url, event_types } = subscription;
  const mayUpdate = may(session, 'webhook:update');
  return (
    <>
      <Text fw={600}>
        <bdi>{name}</bdi>
      </Text>
      <Facts
        facts={[
          ['Address', url],
          ['Status', statusWords(subscription)],
          ['Events', event_types.join(', ')],
          ...waitingWords(subscription).map((words) => ['Not sent yet', words] as const),
          ['About', scopeLabel(subscription, environments)],
        ]}
      />
      {secret ? <Secret of={secret} onKept={() => setSecret(undefined)} /> : null}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Show'} deliveries: ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close deliveries' : 'Show deliveries'}
        </Button>
        {mayUpdate ? <Acts subscription={subscription} session={session} done={done} onSecret={setSecret} /> : null}
        {may(session, 'webhook:delete') ? (
          <ActionButton
            does="Delete"
            to={name}
            means={`${name} gets nothing any more, and what waits for it is not delivered.`}
            send={() => call('DELETE', `/v1/webhooks/${id}`)}
            then={() => done(`${name} is deleted.`)}
          />
        ) : null}
      </Group>
      {isOpen ? <Deliveries subscriptionId={id} mayUpdate={mayUpdate} /> : null}
    </>
  );
};
