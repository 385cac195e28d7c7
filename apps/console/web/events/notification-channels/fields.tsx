import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/call.ts';
import { TextField } from '../../design/fields.tsx';
import { KIND_NAMES } from '../notifications/kind-names.ts';
import type { Channel } from './channel.ts';

type FieldsProps = { readonly error: ApiError | undefined; readonly now?: Channel };

/** What a channel is called, where it leads and what it is sent. Its URL is asked for and never shown. */
export const Fields = ({ error, now }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" defaultValue={now?.name ?? ''} />
    <TextField
      error={error}
      name="webhook_url"
      label="Webhook URL"
      description={
        now === undefined
          ? 'The incoming webhook, as the chat shows it. It is kept sealed and not shown again.'
          : `Another one in place of ${now.address}; leave it empty to keep that.`
      }
      autoComplete="off"
      required={now === undefined}
      maxLength={2048}
    />
    <fieldset className="boxes">
      <legend>What it is sent</legend>
      <Stack gap="xs">
        {Object.entries(KIND_NAMES).map(([kind, label]) => (
          <Checkbox key={kind} name="notices" value={kind} label={label} defaultChecked={now?.notices.includes(kind) ?? false} />
        ))}
      </Stack>
    </fieldset>
  </>
);
