import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Environment } from '../../data/environments.ts';
import { scopeOptions } from '../../data/scope-options.ts';
import { Form } from '../../design/form.tsx';
import type { Channel } from './channel.ts';
import { Fields } from './fields.tsx';

type CreateProps = { readonly environments: readonly Environment[]; readonly onCreated: (made: Channel) => void };

/** A new channel. */
export const Create = ({ environments, onCreated }: CreateProps): ReactNode => (
  <Form<Channel>
    submit="Add the channel"
    send={({ name, webhook_url, environment_id }, all) =>
      call('POST', '/v1/notification-channels', {
        name,
        webhook_url,
        notices: all('notices'),
        ...(environment_id ? { environment_id } : {}),
      })
    }
    then={onCreated}
    fields={(error) => (
      <>
        <Fields error={error} />
        <NativeSelect name="environment_id" label="Notifications about" data={scopeOptions(environments)} />
      </>
    )}
  />
);
