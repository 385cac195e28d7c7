import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { Paged } from '../../data/paged.tsx';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';

type Attempt = {
  readonly attempt: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly response_status: number | null;
  readonly reason: string | null;
  readonly excerpt: string | null;
};

export type Delivery = {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly test: boolean;
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly attempts: number;
  readonly reason: string | null;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly attempt_log: readonly Attempt[];
};

const attemptWords = ({ duration_ms, response_status, reason, excerpt }: Attempt): string => {
  const answer = response_status === null ? 'no answer' : `answered ${response_status}`;
  return `${answer} after ${duration_ms} ms${reason === null ? '' : `: ${reason}`}${excerpt ? `, and said: ${excerpt}` : ''}`;
};

const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode =>
  attempts.length === 0 ? null : (
    <ol aria-label="Attempts" className="attempts">
      {attempts.map((attempt) => (
        <li key={`${attempt.attempt} ${attempt.at}`} value={attempt.attempt}>
          <Time at={attempt.at} />: <bdi>{attemptWords(attempt)}</bdi>
        </li>
      ))}
    </ol>
  );

type WithPayload = Delivery & { readonly payload: string | null };

const GONE = 'The event is gone, or you may not read what it is about.';

const formatted = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return payload;
  }
};

const Payload = ({ path, delivery }: { readonly path: string; readonly delivery: Delivery }): ReactNode => {
  const [payload, setPayload] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const look = async (): Promise<void> => {
    const answer = await call<WithPayload>('GET', path);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) setPayload(answer.body.payload === null ? GONE : formatted(answer.body.payload));
  };
  return (
    <>
      <Problem error={error} />
      {payload === undefined ? (
        <Button size="xs" variant="default" aria-label={`Show the body: ${delivery.id}`} onClick={() => void look()}>
          Show the body
        </Button>
      ) : (
        <pre className="request">{payload}</pre>
      )}
    </>
  );
};

type OneProps = {
  readonly path: string;
  readonly delivery: Delivery;
  readonly mayUpdate: boolean;
  readonly change: (delivery: Delivery) => void;
};

const One = ({ path, delivery, mayUpdate, change }: OneProps): ReactNode => (
  <>
    <Text>
      <strong>{delivery.event_type}</strong>
      {delivery.test ? ' (a test)' : ''}: {delivery.status.toLowerCase()}
      {delivery.reason === null ? '' : `, ${delivery.reason}`}
    </Text>
    <Facts
      facts={[
        ['Made', <Time key="made" at={delivery.created_at} />],
        ['Event', delivery.event_id],
        ...(delivery.next_attempt_at === null ? [] : [['Next', <Time key="next" at={delivery.next_attempt_at} />] as const]),
      ]}
    />
    <Attempts attempts={delivery.attempt_log} />
    <Group gap="xs">
      <Payload path={path} delivery={delivery} />
      {mayUpdate && delivery.status !== 'PENDING' ? (
        <ActionButton<Delivery> does="Deliver again" to={delivery.id} send={() => call('POST', `${path}/redeliver`, {})} then={change} />
      ) : null}
    </Group>
  </>
);

const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'];

type DeliveriesProps = { readonly subscriptionId: string; readonly mayUpdate: boolean };

/** What was sent to one receiver, the newest first, with every attempt. */
export const Deliveries = ({ subscriptionId, mayUpdate }: DeliveriesProps): ReactNode => {
  const [status, setStatus] = useState('');
  const [looks, setLooks] = useState(0);
  const path = `/v1/webhooks/${subscriptionId}/deliveries`;
  return (
    <>
      <Group gap="xs" align="end">
        <NativeSelect
          label="Deliveries that are"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
          data={[{ value: '', label: 'any' }, ...STATUSES.map((value) => ({ value, label: value.toLowerCase() }))]}
        />
        <Button size="xs" variant="default" onClick={() => setLooks(looks + 1)}>
          Refresh
        </Button>
      </Group>
      <Paged<Delivery>
        key={`${looks} ${status}`}
        label="Deliveries"
        path={status === '' ? path : `${path}?status=${status}`}
        none="Nothing was sent yet."
      >
        {(delivery, change) => <One path={`${path}/${delivery.id}`} delivery={delivery} mayUpdate={mayUpdate} change={change} />}
      </Paged>
    </>
  );
};
