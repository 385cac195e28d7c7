import { NativeSelect } from '@mantine/core';
import { CONTEXT_SCOPES, type ContextScope } from '@svc/contract/risk/flow-words.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { ActionProps } from './environment-actions.tsx';

const REASON_CHARS_MAX = 1000;

export const SCOPE_MEANING: Readonly<Record<ContextScope, string>> = {
  AGENT: 'Count for the whole agent',
  CONTEXT: 'Count in one context',
};

/** Replaces the risk settings, in which this is one member, with the others as they are. */
const setScope = async (environmentId: string, context_scope: ContextScope, reason: string) => {
  const params = { environmentId };
  const found = await client.request('getRiskSettings', { params });
  if (!found.ok) return found;
  const { environment_id: _id, version, updated_at: _at, updated_by: _by, ...settings } = found.body;
  return client.request('updateRiskSettings', { params, body: { ...settings, context_scope, reason, expected_version: version } });
};

/** Chooses which labels of data count for a request. */
export const SetContextScope = ({ environment: { id, name, context_scope }, done }: ActionProps): ReactNode => (
  <DialogButton label="Set data labels" to={name}>
    {(close) => (
      <Form
        submit="Set data labels"
        send={({ scope, reason = '' }) => setScope(id, scope as ContextScope, reason)}
        then={(settings) => {
          close();
          done(`${name}: labels of data ${SCOPE_MEANING[settings.context_scope].toLowerCase()}.`);
        }}
        fields={(error) => (
          <>
            <NativeSelect
              name="scope"
              label="Labels of data that an agent read"
              description="Counting in one context lets an agent open a context without labels. You confirm your identity first."
              defaultValue={context_scope}
              data={CONTEXT_SCOPES.map((each) => ({ value: each, label: SCOPE_MEANING[each] }))}
            />
            <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
          </>
        )}
      />
    )}
  </DialogButton>
);
