import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import { faultOf } from '../../data/faults.ts';
import { scopeOptions } from '../../data/scope-options.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { EventTypes, type Offered, useOffered } from './event-types.tsx';
import type { WithSecret } from './subscription.ts';

type FieldsProps = {
  readonly offered: Offered;
  readonly environments: readonly Environment[];
  readonly error: ApiError | undefined;
};

const Fields = ({ offered, environments, error }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" />
    <TextInput
      name="url"
      type="url"
      label="Address"
      description="Where deliveries are posted to, by https."
      maxLength={2048}
      required
      error={faultOf(error, 'url')}
    />
    <NativeSelect name="environment_id" label="Events of" data={scopeOptions(environments)} />
    <NativeSelect
      name="body_format"
      label="Body"
      data={[
        { value: 'JSON', label: 'JSON' },
        { value: 'CLOUDEVENTS', label: 'CloudEvents 1.0' },
      ]}
    />
    <EventTypes offered={offered} />
  </>
);

type CreateProps = { readonly environments: readonly Environment[]; readonly onCreated: (made: WithSecret) => void };

/** A new receiver; its secret comes with the answer. */
export const Create = ({ environments, onCreated }: CreateProps): ReactNode => {
  const offered = useOffered();
  if (!offered) return null;
  return (
    <Form<WithSecret>
      submit="Subscribe"
      send={({ name, url, environment_id, body_format }, all) =>
        call('POST', '/v1/webhooks', {
          name,
          url,
          body_format,
          event_types: all('event_types'),
          ...(environment_id ? { environment_id } : {}),
        })
      }
      then={onCreated}
      fields={(error) => <Fields offered={offered} environments={environments} error={error} />}
    />
  );
};
