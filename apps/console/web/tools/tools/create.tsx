import { NativeSelect, Textarea } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { HTTP_METHODS, RISK_RATINGS } from '@svc/contract/tables/vocabulary.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { client, type OperationBody } from '../../data/client.ts';
import { useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatRisk } from './list.tsx';

const PARENT = { name: 'Tools', path: buildConsolePath('tools') };
const KINDS = [
  { value: 'SDK', label: 'The agent runs it after the decision' },
  { value: 'HTTP', label: 'The gateway calls it over HTTP' },
];
const SCHEMA = JSON.stringify({ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }, null, 2);

/** Parses JSON. Text that is not JSON is sent as it is, and the service refuses it with its position. */
const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

const given = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined || value.trim() === '' ? {} : { [name]: value.trim() };

/** The declaration of a tool, as the service takes it. */
const getDeclaration = (values: Values, isDangerous: boolean): OperationBody<'createTool'> => {
  const { name = '', environment_id = '', kind = 'SDK', required_capability = '', risk_rating = 'LOW', destinations = '' } = values;
  const { parameters_schema = '', method = 'POST', url = '', body = '' } = values;
  const allowlist = destinations.split(/[\s,]+/).filter((each) => each !== '');
  return {
    ...{ name, environment_id, kind, required_capability, risk_rating, dangerous: isDangerous },
    ...given('description', values.description),
    ...(allowlist.length === 0 ? {} : { destination_allowlist: allowlist }),
    ...(parameters_schema.trim() === '' ? {} : { parameters_schema: read(parameters_schema) }),
    ...given('amount_from', values.amount_from),
    ...given('currency_from', values.currency_from),
    ...(kind === 'HTTP' ? { execution: { method, url, ...(body.trim() === '' ? {} : { body: read(body) }) } } : {}),
  } as OperationBody<'createTool'>;
};

type FieldsProps = { readonly error: Parameters<typeof findFault>[0] };

const HttpFields = ({ error }: FieldsProps): ReactNode => (
  <>
    <NativeSelect name="method" label="Method" defaultValue="POST" data={[...HTTP_METHODS]} />
    <TextField
      error={error}
      name="url"
      label="URL"
      description="Parameters in braces are filled in."
      placeholder="https://api.example.com/refunds/{order}"
      maxLength={2000}
    />
    <Textarea
      name="body"
      label="Body"
      description="JSON. A string that is exactly {name} is replaced by that parameter."
      rows={3}
      error={findFault(error, 'execution/body')}
    />
  </>
);

/** Registers a tool. No agent may use it until one is authorized. */
export const NewTool = (): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState('SDK');
  return (
    <ConsolePage title="New tool" parent={PARENT}>
      {environments === undefined ? <Unread error={failure} lines={6} /> : null}
      {environments?.length === 0 ? (
        <EmptyState>A tool belongs to an environment. Create a workspace and an environment first.</EmptyState>
      ) : null}
      {environments === undefined || environments.length === 0 ? null : (
        <Form
          submit="Register"
          send={(values) => client.request('createTool', { body: getDeclaration(values, values.dangerous === 'on') })}
          then={({ id }) => navigate(buildConsolePath('tool', { toolId: id }))}
          fields={(error) => (
            <>
              <TextField error={error} name="name" label="Name" placeholder="refund.create" maxLength={100} />
              <TextField error={error} name="description" label="Description" required={false} maxLength={4000} />
              <NativeSelect name="environment_id" label="Environment" data={getEnvironmentOptions(environments)} />
              <NativeSelect
                name="kind"
                label="Who runs it"
                value={kind}
                onChange={({ currentTarget }) => setKind(currentTarget.value)}
                data={KINDS}
              />
              {kind === 'HTTP' ? <HttpFields error={error} /> : null}
              <TextField error={error} name="required_capability" label="Required capability" placeholder="payments.refund" />
              <NativeSelect name="risk_rating" label="Risk" data={RISK_RATINGS.map((value) => ({ value, label: formatRisk(value) }))} />
              <Checkbox name="dangerous" label="Dangerous: authorizing an agent requires confirming your identity" />
              <TextField
                error={error}
                name="destinations"
                label="Destinations"
                description="Hosts that it may reach. Separate several with spaces."
                placeholder="api.example.com"
                required={kind === 'HTTP'}
                maxLength={4000}
              />
              <Textarea
                name="parameters_schema"
                label="Parameters"
                description="JSON Schema"
                rows={6}
                defaultValue={SCHEMA}
                error={findFault(error, 'parameters_schema')}
              />
              <TextField
                error={error}
                name="amount_from"
                label="Amount from"
                description="Pointer into the parameters"
                placeholder="/amount"
                required={false}
              />
              <TextField error={error} name="currency_from" label="Currency from" placeholder="/currency" required={false} />
            </>
          )}
        />
      )}
    </ConsolePage>
  );
};
