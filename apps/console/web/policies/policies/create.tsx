import { NativeSelect } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { client, type OperationBody } from '../../data/client.ts';
import { useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getScopeOptions } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button } from '../../design/kit.tsx';
import { Panel } from '../../design/panel.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Template, Templates } from './templates.tsx';

type Parameter = Template['parameters'][number];

const PARENT = { name: 'Policies', path: buildConsolePath('policies') };
const EMPTY = '';
const RULE = { id: 'first', effect: 'BLOCK', reason: 'Replace this rule.' };
const CASE: unknown = JSON.parse('{"name":"first","given":{},"then":{"effect":"BLOCK","rule":"first"}}');

const isNumber = ({ schema }: Parameter): boolean => /^(integer|number)$/.test(String((schema as { readonly type?: unknown }).type));

/** Converts a value to the type of its parameter; a text that does not fit is sent unchanged, and the service refuses it. */
const parameterValue = (parameter: Parameter, text: string): unknown => {
  if (isNumber(parameter)) return Number.isNaN(Number(text)) ? text : Number(text);
  if (typeof parameter.default === 'string') return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

const shownDefault = ({ default: value }: Parameter): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Creates a policy from a template or with one rule to begin with. Its first version is a draft. */
export const NewPolicy = ({ session }: { readonly session: Session }): ReactNode => {
  const [, navigate] = useLocation();
  const { environments, error: environmentsError } = useEnvironmentsRead();
  const { data: templates, error: templatesError } = useOperation('listPolicyTemplates', {});
  const [templateId, setTemplateId] = useState(EMPTY);
  const template = templates?.find(({ id }) => id === templateId);
  return (
    <ConsolePage title="New policy" parent={PARENT}>
      {templates === undefined || environments === undefined ? (
        <Unread error={templatesError ?? environmentsError} lines={5} />
      ) : (
        <Panel title={template === undefined ? 'Start with one rule' : `Start with the template: ${template.name}`}>
          {template === undefined ? null : (
            <div>
              <Button variant="subtle" size="xs" onClick={() => setTemplateId(EMPTY)}>
                Start with one rule instead
              </Button>
            </div>
          )}
          <Form
            submit="Create draft"
            send={(values) => {
              const { name = '', environment_id = '' } = values;
              const parameters = Object.fromEntries(
                (template?.parameters ?? []).map((each) => [each.name, parameterValue(each, values[`parameter-${each.name}`] ?? '')]),
              );
              const content = template === undefined ? { rules: [RULE], tests: [CASE] } : { template: template.id, values: parameters };
              const binding =
                environment_id === ''
                  ? { scope: 'ORGANIZATION', id: session.organization.id }
                  : { scope: 'ENVIRONMENT', id: environment_id };
              const body = { ...(name === '' ? {} : { name }), ...content, binding } as OperationBody<'createPolicy'>;
              return client.request('createPolicy', { body });
            }}
            then={({ id }) => navigate(buildConsolePath('policyEditor', { policyId: id }))}
            fields={(error) => (
              <>
                <TextField
                  error={error}
                  name="name"
                  label="Name"
                  required={template === undefined}
                  {...(template === undefined ? {} : { placeholder: template.name })}
                />
                <NativeSelect
                  name="environment_id"
                  label="Applies to"
                  data={getScopeOptions(environments)}
                  error={findFault(error, 'binding')}
                />
                {template?.parameters.map((each) => (
                  <TextField
                    key={`${template.id} ${each.name}`}
                    error={error}
                    name={`parameter-${each.name}`}
                    label={each.name.replaceAll('_', ' ')}
                    description={each.sentence}
                    defaultValue={shownDefault(each)}
                    maxLength={4000}
                  />
                ))}
              </>
            )}
          />
        </Panel>
      )}
      {templates === undefined ? null : <Templates templates={templates} session={session} chosen={templateId} choose={setTemplateId} />}
    </ConsolePage>
  );
};
