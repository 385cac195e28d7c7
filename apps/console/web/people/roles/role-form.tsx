import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import type { ApiAnswer } from '../../data/answer.ts';
import type { OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Stack } from '../../design/kit.tsx';

export type Catalogue = OperationResult<'listPermissions'>;
type RoleBody = OperationBody<'createRole'>;

type RoleFormProps<Body> = {
  readonly submit: string;
  readonly catalogue: Catalogue;
  readonly now?: { readonly name: string; readonly description: string; readonly permissions: readonly string[] };
  readonly send: (body: RoleBody) => Promise<ApiAnswer<Body>>;
  readonly then: (body: Body) => void;
};

const readNoun = ({ permission }: Catalogue[number]): string => permission.slice(0, permission.indexOf(':'));

/** Fields of a role. Only permissions that the person holds can be granted. */
export const RoleForm = <Body,>({ submit, catalogue, now, send, then }: RoleFormProps<Body>): ReactNode => {
  const groups = Object.entries(Object.groupBy(catalogue, readNoun));
  return (
    <Form
      submit={submit}
      send={({ name = '', description = '' }, all) =>
        send({ name, description, permissions: [...all('permissions')] as RoleBody['permissions'] })
      }
      then={then}
      fields={(error) => (
        <>
          <TextField error={error} name="name" label="Name" defaultValue={now?.name ?? ''} />
          <TextField
            error={error}
            name="description"
            label="Description"
            required={false}
            maxLength={500}
            defaultValue={now?.description ?? ''}
          />
          {findFault(error, 'permissions') === undefined ? null : <p role="alert">{findFault(error, 'permissions')}</p>}
          {groups.map(([noun, permissions = []]) => (
            <fieldset key={noun} className="boxes">
              <legend>{noun}</legend>
              <Stack gap="xs">
                {permissions.map(({ permission, allows, held }) => (
                  <Checkbox
                    key={permission}
                    name="permissions"
                    value={permission}
                    label={permission}
                    description={allows}
                    disabled={!held}
                    defaultChecked={now?.permissions.includes(permission) ?? false}
                  />
                ))}
              </Stack>
            </fieldset>
          ))}
        </>
      )}
    />
  );
};
