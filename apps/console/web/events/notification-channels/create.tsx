import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { getScopeOptions } from '../../data/scope-options.ts';
import { Form } from '../../design/form.tsx';
import type { Channel } from './channel.ts';
import { Fields } from './fields.tsx';

type CreateProps = { readonly environments: readonly LabelledEnvironment[]; readonly onCreated: (channel: Channel) => void };

/** A form for a new channel. */
export const Create = ({ environments, onCreated }: CreateProps): ReactNode => (
  <Form
    submit="Add channel"
    send={({ name = '', webhook_url = '', environment_id }, all) =>
      client.request('createNotificationChannel', {
        body: {
          name,
          webhook_url,
          notices: all('notices'),
          ...(environment_id ? { environment_id } : {}),
        } as OperationBody<'createNotificationChannel'>,
      })
    }
    then={onCreated}
    fields={(error) => (
      <>
        <Fields error={error} />
        <NativeSelect name="environment_id" label="Notifications about" data={getScopeOptions(environments)} />
      </>
    )}
  />
);
