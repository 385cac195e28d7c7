import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Stack } from '../../design/kit.tsx';
import { KIND_NAMES } from '../notifications/kind-names.ts';
import type { Channel } from './channel.ts';

type FieldsProps = { readonly error: ApiError | undefined; readonly now?: Channel };

/** Name, URL and kinds of a channel. The URL is entered and never shown. */
export const Fields = ({ error, now }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" defaultValue={now?.name ?? ''} />
    <TextField
      error={error}
      name="webhook_url"
      label="Webhook URL"
      description={
        now === undefined ? 'The incoming webhook URL of your chat. It cannot be viewed again.' : `Leave empty to keep ${now.address}.`
      }
      autoComplete="off"
      required={now === undefined}
      maxLength={2048}
    />
    <fieldset className="boxes">
      <legend>Notifications</legend>
      <Stack gap="xs">
        {Object.entries(KIND_NAMES).map(([kind, label]) => (
          <Checkbox
            key={kind}
            name="notices"
            value={kind}
            label={label}
            defaultChecked={now?.notices.some((each) => each === kind) ?? false}
          />
        ))}
      </Stack>
    </fieldset>
  </>
);
