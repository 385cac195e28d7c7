import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import { Form } from '../../design/form.tsx';
import type { Channel } from './channel.ts';
import { Fields } from './fields.tsx';

type ChangeProps = { readonly channel: Channel; readonly onChanged: (changed: Channel) => void; readonly onKeep: () => void };

/** Another name, other kinds, or another URL in place of one that leaked. */
export const Change = ({ channel, onChanged, onKeep }: ChangeProps): ReactNode => (
  <section aria-label={`Change ${channel.name}`}>
    <Form<Channel>
      submit="Save"
      send={({ name, webhook_url }, all) =>
        call('PATCH', `/v1/notification-channels/${channel.id}`, {
          name,
          notices: all('notices'),
          ...(webhook_url ? { webhook_url } : {}),
        })
      }
      then={onChanged}
      fields={(error) => <Fields error={error} now={channel} />}
    />
    <Group mt="xs">
      <Button size="xs" variant="default" onClick={onKeep}>
        Cancel
      </Button>
    </Group>
  </section>
);
