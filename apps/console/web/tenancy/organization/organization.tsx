import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import type { Organization } from './organization.ts';
import { Rates } from './rates.tsx';
import { Workspaces } from './workspaces.tsx';

type Props = { readonly organization: Organization; readonly done: (text: string) => void };

const getFacts = ({ name, id, require_mfa, base_currency, time_zone, created_at }: Organization) =>
  [
    ['Name', name],
    ['Second factor', require_mfa ? 'Required of every member' : 'Optional'],
    ['Base currency', base_currency],
    ['Time zone', time_zone],
    ['Created', <Time key="created" at={created_at} />],
    ['Id', id],
  ] as const;

const Edit = ({ organization, done }: Props): ReactNode => (
  <DialogButton label="Edit" to={organization.name}>
    {(close) => (
      <Form
        submit="Save"
        send={({ name = '', base_currency = '', time_zone = '', require_mfa }) => {
          const requiresFactor = require_mfa === 'on';
          return client.request('updateOrganization', {
            body: {
              name,
              ...(base_currency === organization.base_currency ? {} : { base_currency }),
              ...(time_zone === organization.time_zone ? {} : { time_zone }),
              ...(requiresFactor === organization.require_mfa ? {} : { require_mfa: requiresFactor }),
            },
          });
        }}
        then={() => {
          close();
          done('Saved.');
        }}
        fields={(error) => (
          <>
            <TextField error={error} name="name" label="Name" defaultValue={organization.name} />
            <TextField
              error={error}
              name="base_currency"
              label="Base currency"
              description="Policies compare amounts in it. A change applies to the next request."
              maxLength={3}
              defaultValue={organization.base_currency}
            />
            <TextField
              error={error}
              name="time_zone"
              label="Time zone"
              description="For example Europe/Berlin. Rules about time use it."
              maxLength={64}
              defaultValue={organization.time_zone}
            />
            <Checkbox name="require_mfa" label="Require a second factor of every member" defaultChecked={organization.require_mfa} />
          </>
        )}
      />
    )}
  </DialogButton>
);

const Ending = ({ organization, done }: Props): ReactNode => {
  if (organization.deletes_at !== null) {
    return (
      <>
        <p>
          Everything in {organization.name} is deleted on <Time at={organization.deletes_at} />. Agents are refused until then.
        </p>
        <DialogButton label="Keep the organization" isPrimary>
          {(close) => (
            <ReasonForm
              submit="Keep the organization"
              send={(reason) => client.request('restoreOrganization', { body: { reason } })}
              then={() => {
                close();
                done('The organization is kept.');
              }}
            />
          )}
        </DialogButton>
      </>
    );
  }
  return (
    <>
      <p>Agents are refused at once. Everything is deleted after a grace period, in which an owner can restore it.</p>
      <DialogButton label="Delete organization" isDanger>
        {(close) => (
          <Form
            submit="Delete organization"
            color="red"
            send={({ confirm_name = '', reason = '' }) => client.request('deleteOrganization', { body: { confirm_name, reason } })}
            then={() => {
              close();
              done('The deletion is scheduled.');
            }}
            fields={(error) => (
              <>
                <TextField
                  error={error}
                  name="confirm_name"
                  label="Name of the organization"
                  description={`Enter ${organization.name}.`}
                  maxLength={200}
                />
                <TextField error={error} name="reason" label="Reason" maxLength={1000} />
              </>
            )}
          />
        )}
      </DialogButton>
    </>
  );
};

/** The organization, its workspaces and its exchange rates. */
export const OrganizationPage = ({ session }: { readonly session: Session }): ReactNode => {
  const { data: organization, error } = useOperation('getOrganization', {});
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getOrganization', 'listWorkspaces', 'getExchangeRates');
  };
  const mayUpdate = may(session, 'organization:update');
  return (
    <ConsolePage
      title="Organization"
      actions={organization !== undefined && mayUpdate ? <Edit organization={organization} done={done} /> : null}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {mayUpdate ? null : <MissingPermission needs="organization:update" to="change the organization" />}
      {organization === undefined && !error ? <Skeleton lines={6} /> : null}
      {organization === undefined ? null : (
        <>
          <Panel title="Settings">
            <Facts facts={getFacts(organization)} />
          </Panel>
          {may(session, 'workspace:read') ? <Workspaces session={session} done={done} /> : null}
          <Rates session={session} done={done} />
          {may(session, 'organization:delete') ? (
            <Panel title="Delete">
              <Ending organization={organization} done={done} />
            </Panel>
          ) : null}
        </>
      )}
    </ConsolePage>
  );
};
