import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import type { Application } from '@svc/contract/tools/tool-catalogue.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Stack } from '../../design/kit.tsx';
import { SecretField } from '../../design/secret-fields.tsx';

export type { Application };

type Entered = Application['enter'][number];
type Named = { readonly key: string; readonly name: string };

/** Prefix of the fields whose names the catalogue chooses, so that none is taken for one of the form. */
const VALUE = 'value.';

const describeEntered = ({ found_at, example }: Entered): string =>
  [found_at, example === undefined ? undefined : `Example: ${example}.`].filter((text) => text !== undefined).join(' ');

const EnteredField = ({ entered, error }: { readonly entered: Entered; readonly error: ApiError | undefined }): ReactNode => {
  const { name, label, secret, required, default: preset } = entered;
  const common = { error, name: `${VALUE}${name}`, label, required, description: describeEntered(entered) };
  return secret ? (
    <SecretField {...common} />
  ) : (
    <TextField {...common} maxLength={300} {...(preset === undefined ? {} : { defaultValue: preset })} />
  );
};

const enteredValues = (entered: readonly Entered[], values: Values): readonly (readonly [string, string])[] =>
  entered.flatMap(({ name }) => {
    const value = values[`${VALUE}${name}`] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });

type SetUpProps = {
  readonly application: Application;
  readonly actions: readonly Named[];
  readonly environments: readonly LabelledEnvironment[];
  readonly onCreated: (integration: OperationResult<'createIntegration'>) => void;
};

/** Stores the key of an application and registers the chosen actions as tools, in one request. */
export const SetUpForm = ({ application, actions, environments, onCreated }: SetUpProps): ReactNode => {
  const secrets = application.enter.filter(({ secret }) => secret);
  const others = application.enter.filter(({ secret }) => !secret);
  return (
    <Form
      submit={`Set up ${application.name}`}
      send={(values, all) => {
        const given = enteredValues(secrets, values).map(([name, secret]) => ({ name, secret }));
        return client.request('createIntegration', {
          body: {
            application: application.key,
            environment_id: values.environment_id ?? '',
            name: values.name ?? application.name,
            values: Object.fromEntries(enteredValues(others, values)),
            actions: [...all('actions')],
            ...(given.length > 0 ? { secrets: given } : {}),
          },
        });
      }}
      then={onCreated}
      fields={(error) => (
        <>
          <NativeSelect name="environment_id" label="Environment" data={getEnvironmentOptions(environments)} />
          <TextField error={error} name="name" label="Name" defaultValue={application.name} />
          {application.enter.map((entered) => (
            <EnteredField key={entered.name} entered={entered} error={error} />
          ))}
          <fieldset className="boxes">
            <legend>Actions that become tools</legend>
            <Stack gap="xs">
              {actions.map(({ key, name }) => (
                <Checkbox key={key} name="actions" value={key} label={name} defaultChecked />
              ))}
            </Stack>
          </fieldset>
        </>
      )}
    />
  );
};
