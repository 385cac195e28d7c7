import { NativeSelect, NumberInput } from '@mantine/core';
import { PEOPLE_LIMITS } from '@svc/contract/tables/limits/people-limits.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Stack } from '../../design/kit.tsx';
import type { Offer } from '../members/access.tsx';
import type { WithToken } from './token.tsx';

const DAYS = 90;

type FieldsProps = { readonly offer: Offer; readonly error: ApiError | undefined };

const Fields = ({ offer: { roles, workspaces }, error }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" description="Program that uses the key, such as a CI job." />
    <NativeSelect
      name="role_id"
      label="Role"
      description="The key can do what the role permits, except decisions that need a person."
      required
      error={findFault(error, 'role_id')}
      data={roles.filter(({ name }) => name !== 'owner').map(({ id, name }) => ({ value: id, label: name }))}
    />
    <NumberInput
      name="expires_in_days"
      label="Days until it expires"
      min={1}
      max={PEOPLE_LIMITS.apiKeys.expiryDaysMax}
      defaultValue={DAYS}
      allowDecimal={false}
      required
      error={findFault(error, 'expires_in_days')}
    />
    {workspaces.length < 2 ? null : (
      <fieldset className="boxes">
        <legend>Limit to workspaces (optional)</legend>
        <Stack gap="xs">
          {workspaces.map(({ id, name }) => (
            <Checkbox key={id} name="workspace_ids" value={id} label={name} />
          ))}
        </Stack>
      </fieldset>
    )}
  </>
);

type CreateProps = { readonly offer: Offer; readonly onCreated: (created: WithToken) => void };

/** A form for a new API key. */
export const CreateApiKey = ({ offer, onCreated }: CreateProps): ReactNode => (
  <Form
    submit="Create API key"
    send={({ name = '', role_id = '', expires_in_days }, all) => {
      const workspace_ids = [...all('workspace_ids')];
      return client.request('createApiKey', {
        body: { name, role_id, expires_in_days: Number(expires_in_days), ...(workspace_ids.length > 0 ? { workspace_ids } : {}) },
      });
    }}
    then={onCreated}
    fields={(error) => <Fields offer={offer} error={error} />}
  />
);
