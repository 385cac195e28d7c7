import { NativeSelect, TextInput } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getScopeOptions } from '../../data/scope-options.ts';
import { refresh } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { EventTypes, type Offered, useOffered } from './event-types.tsx';
import { Secret } from './secret.tsx';
import type { WithSecret } from './webhook.ts';

type FieldsProps = {
  readonly offered: Offered;
  readonly environments: readonly LabelledEnvironment[];
  readonly error: ApiError | undefined;
};

const Fields = ({ offered, environments, error }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" />
    <TextInput
      name="url"
      type="url"
      label="URL"
      description="Events are posted to this HTTPS address."
      maxLength={2048}
      required
      error={findFault(error, 'url')}
    />
    <NativeSelect name="environment_id" label="Events of" data={getScopeOptions(environments)} />
    <NativeSelect
      name="body_format"
      label="Body format"
      data={[
        { value: 'JSON', label: 'JSON' },
        { value: 'CLOUDEVENTS', label: 'CloudEvents 1.0' },
      ]}
    />
    <EventTypes offered={offered} />
  </>
);

type CreateProps = Pick<FieldsProps, 'offered' | 'environments'> & { readonly onCreated: (webhook: WithSecret) => void };

const CreateForm = ({ offered, environments, onCreated }: CreateProps): ReactNode => (
  <Form
    submit="Create webhook"
    send={({ name = '', url = '', environment_id, body_format }, all) =>
      client.request('createWebhook', {
        body: {
          name,
          url,
          body_format,
          event_types: all('event_types'),
          ...(environment_id ? { environment_id } : {}),
        } as OperationBody<'createWebhook'>,
      })
    }
    then={onCreated}
    fields={(error) => <Fields offered={offered} environments={environments} error={error} />}
  />
);

const PARENT = { name: 'Webhooks', path: buildConsolePath('webhooks') };

/** A form for a new webhook, and then its signing secret. */
export const NewWebhook = (): ReactNode => {
  const { offered, error: typesError } = useOffered();
  const { environments, error: environmentsError } = useEnvironmentsRead();
  const [created, setCreated] = useState<WithSecret>();
  const [, navigate] = useLocation();
  const onCreated = (webhook: WithSecret): void => {
    setCreated(webhook);
    void refresh('listWebhooks');
  };
  return (
    <ConsolePage title={created === undefined ? 'New webhook' : `${created.name} is created`} parent={PARENT}>
      {created ? (
        <Secret webhook={created} onSaved={() => navigate(buildConsolePath('webhook', { subscriptionId: created.id }))} />
      ) : offered && environments ? (
        <CreateForm offered={offered} environments={environments} onCreated={onCreated} />
      ) : (
        <Unread error={typesError ?? environmentsError} lines={6} />
      )}
    </ConsolePage>
  );
};
