import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { ENVIRONMENT_TYPES } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { Environment } from './environment-actions.tsx';

type CreateProps = {
  readonly workspaces: OperationResult<'listWorkspaces'>;
  readonly onCreated: (environment: Environment) => void;
};

/** A form for a new environment. */
export const CreateEnvironment = ({ workspaces, onCreated }: CreateProps): ReactNode => (
  <Form
    submit="Create environment"
    send={({ name = '', workspace_id = '', type, requires_delegation }) =>
      client.request('createEnvironment', {
        body: { name, workspace_id, type, requires_delegation: requires_delegation === 'on' } as OperationBody<'createEnvironment'>,
      })
    }
    then={onCreated}
    fields={(error) => (
      <>
        <TextField error={error} name="name" label="Name" />
        <NativeSelect name="workspace_id" label="Workspace" data={workspaces.map(({ id, name }) => ({ value: id, label: name }))} />
        <NativeSelect name="type" label="Type" data={ENVIRONMENT_TYPES.map((type) => ({ value: type, label: type.toLowerCase() }))} />
        <Checkbox
          name="requires_delegation"
          label="Require a delegation"
          description="Agents act only with authority that a person or another agent delegated to them."
        />
      </>
    )}
  />
);
