import { NativeSelect } from '@mantine/core';
import type { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { useEnvironments } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import type { Policy } from './policy.ts';

type BindingsProps = { readonly policy: Policy; readonly session: Session; readonly done: (text: string) => void };
type Binding = Policy['bindings'][number];

const CHANGED = ['getPolicy', 'listPolicies'] as const;

/** Names the scopes of bindings. */
export const useScopeNames = (session: Session): ((binding: Pick<Binding, 'scope' | 'target_id'>) => string) => {
  const environments = useEnvironments() ?? [];
  const workspaces = useOperation('listWorkspaces', {});
  const agents = useOperation('listAgents', { query: { limit: 200 } }, { isEnabled: may(session, 'agent:read') });
  return ({ scope, target_id }) => {
    if (scope === 'ORGANIZATION') return 'Whole organization';
    if (scope === 'ENVIRONMENT') return getEnvironmentLabel(target_id, environments);
    const named = scope === 'WORKSPACE' ? workspaces.data : agents.data?.items;
    return `${scope === 'WORKSPACE' ? 'Workspace' : 'Agent'} ${named?.find(({ id }) => id === target_id)?.name ?? target_id}`;
  };
};

const Unbind = ({
  policy,
  binding,
  name,
  done,
}: Omit<BindingsProps, 'session'> & { readonly binding: Binding; readonly name: string }): ReactNode => (
  <DialogButton label="Remove" to={name} title={`Remove ${name}`}>
    {(close) => <UnbindForm policy={policy} binding={binding} name={name} done={done} close={close} />}
  </DialogButton>
);

type UnbindProps = Parameters<typeof Unbind>[0] & { readonly close: () => void };

const UnbindForm = ({ policy, binding, name, done, close }: UnbindProps): ReactNode => {
  const params = { policyId: policy.id, bindingId: binding.id };
  const preview = useOperation('unbindPolicy', { params, query: { dry_run: true } });
  const { run, error, isPending } = useMutation(
    (accept_warnings: boolean) => client.request('unbindPolicy', { params, query: accept_warnings ? { accept_warnings } : {} }),
    () => {
      close();
      done(`Removed: ${name}.`);
      void refresh(...CHANGED);
    },
  );
  const permitted = preview.data?.warnings ?? [];
  const failure: ServiceError | undefined = preview.error ?? undefined;
  return (
    <>
      <p>Rules of this policy no longer decide in {name}. Actions that only they allow are blocked there.</p>
      <Problem error={error ?? failure} />
      {permitted.length === 0 ? null : (
        <ul className="faults">
          {permitted.map(({ message, pointer }) => (
            <li key={`${pointer} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      <Button
        className="danger"
        variant="outline"
        loading={isPending}
        disabled={preview.isPending}
        onClick={() => void run(permitted.length > 0)}
      >
        {permitted.length > 0 ? 'Remove, and permit these' : 'Remove'}
      </Button>
    </>
  );
};

const BindForm = ({ policy, session, done }: BindingsProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const workspaces = useOperation('listWorkspaces', {}).data ?? [];
  const agents = useOperation('listAgents', { query: { limit: 200 } }, { isEnabled: may(session, 'agent:read') }).data?.items ?? [];
  const choices = [
    { value: `ORGANIZATION ${session.organization.id}`, label: 'Whole organization' },
    ...workspaces.map(({ id, name }) => ({ value: `WORKSPACE ${id}`, label: `Workspace ${name}` })),
    ...environments.map(({ id, label }) => ({ value: `ENVIRONMENT ${id}`, label })),
    ...agents.map(({ id, name }) => ({ value: `AGENT ${id}`, label: `Agent ${name}` })),
  ].filter(({ value }) => !policy.bindings.some(({ scope, target_id }) => value === `${scope} ${target_id}`));
  const [chosen, setChosen] = useState<string>();
  const [scope, id] = (chosen ?? choices[0]?.value ?? '').split(' ');
  return (
    <Form
      submit="Apply"
      send={({ reason = '', accept_warnings = '' }) => {
        const body = { scope, id, reason, ...(accept_warnings === 'on' ? { accept_warnings: true } : {}) };
        return client.request('bindPolicy', { params: { policyId: policy.id }, body: body as OperationBody<'bindPolicy'> });
      }}
      then={() => {
        done('Applied.');
        void refresh(...CHANGED);
      }}
      fields={(failure) => (
        <>
          <NativeSelect
            label="Scope"
            value={chosen ?? choices[0]?.value ?? ''}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data={choices}
            error={findFault(failure, 'id')}
          />
          <TextField error={failure} name="reason" label="Reason" maxLength={1000} />
          {failure === undefined ? null : <Checkbox name="accept_warnings" label="Apply with warnings" />}
        </>
      )}
    />
  );
};

/** The scopes of the policy, with the buttons that change them. */
export const Bindings = ({ policy, session, done }: BindingsProps): ReactNode => {
  const nameScope = useScopeNames(session);
  const mayBind = may(session, 'policy:activate');
  return (
    <>
      {policy.bindings.length === 0 ? <p>Nowhere. Its rules decide nothing.</p> : null}
      <ul className="rows">
        {policy.bindings.map((binding) => (
          <li key={binding.id}>
            <bdi>{nameScope(binding)}</bdi>
            {mayBind ? <Unbind policy={policy} binding={binding} name={nameScope(binding)} done={done} /> : null}
          </li>
        ))}
      </ul>
      {mayBind ? (
        <DialogButton label="Add scope">
          {(close) => (
            <BindForm
              policy={policy}
              session={session}
              done={(text) => {
                close();
                done(text);
              }}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};
