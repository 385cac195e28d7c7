import { NativeSelect } from '@mantine/core';
import type { OperationInput, OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';

type Delivery = OperationResult<'getDelivery'>;
type Listed = OperationResult<'listDeliveries'>['data'][number];
type Attempt = Delivery['attempt_log'][number];

const STATUSES: Readonly<Record<Listed['status'], { readonly label: string; readonly tone: Tone }>> = {
  PENDING: { label: 'Pending', tone: 'held' },
  DELIVERED: { label: 'Delivered', tone: 'allowed' },
  FAILED: { label: 'Failed', tone: 'blocked' },
};

const attemptWords = ({ duration_ms, response_status, reason, excerpt }: Attempt): string => {
  const answer = response_status === null ? 'no answer' : `answered ${response_status}`;
  return `${answer} after ${duration_ms} ms${reason === null ? '' : `: ${reason}`}${excerpt ? ` Response: ${excerpt}` : ''}`;
};

const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode =>
  attempts.length === 0 ? (
    <Text>No attempt yet.</Text>
  ) : (
    <ol aria-label="Attempts" className="attempts">
      {attempts.map((attempt) => (
        <li key={`${attempt.attempt} ${attempt.at}`} value={attempt.attempt}>
          <Time at={attempt.at} />: <bdi>{attemptWords(attempt)}</bdi>
        </li>
      ))}
    </ol>
  );

const formatted = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return payload;
  }
};

/** The attempts of a delivery and the body that it sends. */
const Details = ({ params }: Pick<OperationInput<'getDelivery'>, 'params'>): ReactNode => {
  const { data: delivery, error } = useOperation('getDelivery', { params });
  if (delivery === undefined) return error ? <Problem error={error} /> : <Skeleton lines={4} />;
  return (
    <>
      <Facts
        facts={[
          ['Event', delivery.event_type],
          ['Event id', delivery.event_id],
          ['Status', STATUSES[delivery.status].label],
          ...(delivery.reason === null ? [] : [['Reason', delivery.reason] as const]),
          ['Created', <Time key="created" at={delivery.created_at} />],
          ...(delivery.next_attempt_at === null ? [] : [['Next attempt', <Time key="next" at={delivery.next_attempt_at} />] as const]),
        ]}
      />
      <h3>Attempts</h3>
      <Attempts attempts={delivery.attempt_log} />
      <h3>Body</h3>
      {delivery.payload === null ? (
        <Text>The event was deleted, or you do not have permission to read it.</Text>
      ) : (
        <pre className="request">{formatted(delivery.payload)}</pre>
      )}
    </>
  );
};

type DeliveriesProps = { readonly subscriptionId: string; readonly mayUpdate: boolean; readonly done: (text: string) => void };

const listColumns = ({ subscriptionId, mayUpdate, done }: DeliveriesProps): readonly Column<Listed>[] => [
  { name: 'Event', show: ({ event_type, test }) => `${event_type}${test ? ' (test)' : ''}` },
  { name: 'Status', show: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill> },
  { name: 'Attempts', show: ({ attempts }) => attempts, isNumber: true },
  { name: 'Reason', show: ({ reason }) => <bdi>{reason ?? ''}</bdi> },
  { name: 'Created', show: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Actions',
    isActions: true,
    show: ({ id, status }) => (
      <>
        <DialogButton label="Show" to={id} title="Delivery">
          {() => <Details params={{ subscriptionId, deliveryId: id }} />}
        </DialogButton>
        {mayUpdate && status !== 'PENDING' ? (
          <ActionButton
            does="Retry"
            to={id}
            send={() => client.request('redeliverDelivery', { params: { subscriptionId, deliveryId: id }, body: {} })}
            then={() => done('The delivery was sent again.')}
          />
        ) : null}
      </>
    ),
  },
];

/** Deliveries to one webhook, the newest first. */
export const Deliveries = (props: DeliveriesProps): ReactNode => {
  const [status, setStatus] = useState<Listed['status'] | ''>('');
  const { subscriptionId } = props;
  const list = usePages('listDeliveries', { params: { subscriptionId }, query: status === '' ? {} : { status } });
  return (
    <>
      <Group gap="xs" align="end">
        <NativeSelect
          label="Status"
          value={status}
          onChange={({ currentTarget }) => setStatus(currentTarget.value as typeof status)}
          data={[{ value: '', label: 'Any' }, ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))]}
        />
        <Button variant="default" loading={list.isLoading} onClick={() => void refresh('listDeliveries', 'getDelivery')}>
          Refresh
        </Button>
      </Group>
      <ListTable label="Deliveries" list={list} columns={listColumns(props)} empty="No deliveries yet." />
    </>
  );
};
