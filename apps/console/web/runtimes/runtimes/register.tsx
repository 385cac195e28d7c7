import { NativeSelect, TextInput } from '@mantine/core';
import { RUNTIME_KINDS, type RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import { CONNECTS, KIND_WORDS, type Runtime } from './runtime.ts';

const ConnectionFields = ({ error }: { readonly error: ApiError | undefined }): ReactNode => (
  <>
    <TextInput
      name="base_url"
      type="url"
      label="Address of the instance"
      description="Without a path. A private address needs SVC_EGRESS_ALLOW_CIDRS."
      maxLength={500}
      required
      error={findFault(error, 'base_url')}
    />
    <SecretField
      error={error}
      name="api_key"
      label="API key"
      description="With read scopes and securityAudit:generate. It is never shown again."
    />
  </>
);

type RegisterProps = {
  readonly environments: readonly LabelledEnvironment[];
  readonly onRegistered: (runtime: Runtime) => void;
};

/** A form for a new runtime. */
export const RegisterRuntime = ({ environments, onRegistered }: RegisterProps): ReactNode => {
  const [kind, setKind] = useState<RuntimeKind>('WORKFLOW_AUTOMATION');
  return (
    <Form
      submit="Register"
      send={({ name = '', environment_id = '', base_url, api_key }) => {
        const workspace_id = environments.find(({ id }) => id === environment_id)?.workspace_id ?? '';
        const connection = CONNECTS.has(kind) ? { ...(base_url ? { base_url } : {}), ...(api_key ? { api_key } : {}) } : {};
        return client.request('registerRuntime', { body: { name, kind, workspace_id, environment_id, ...connection } });
      }}
      then={onRegistered}
      fields={(error) => (
        <>
          <TextField error={error} name="name" label="Name" />
          <NativeSelect
            label="Kind"
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as RuntimeKind)}
            data={RUNTIME_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          />
          <NativeSelect name="environment_id" label="Environment" data={getEnvironmentOptions(environments)} />
          {CONNECTS.has(kind) ? <ConnectionFields error={error} /> : null}
        </>
      )}
    />
  );
};
