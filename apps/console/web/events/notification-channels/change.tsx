import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { Form } from '../../design/form.tsx';
import type { Channel } from './channel.ts';
import { Fields } from './fields.tsx';

type ChangeProps = { readonly channel: Channel; readonly onChanged: () => void };

/** A form that changes name, kinds or URL of a channel. */
export const Change = ({ channel, onChanged }: ChangeProps): ReactNode => (
  <Form
    submit="Save"
    send={({ name = '', webhook_url }, all) =>
      client.request('updateNotificationChannel', {
        params: { channelId: channel.id },
        body: { name, notices: all('notices'), ...(webhook_url ? { webhook_url } : {}) } as OperationBody<'updateNotificationChannel'>,
      })
    }
    then={onChanged}
    fields={(error) => <Fields error={error} now={channel} />}
  />
);
