import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

const listLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Edits the networks from which users and API keys may send requests. */
export const Networks = ({ session }: { readonly session: Session }): ReactNode => {
  const { data: organization, error } = useOperation('getOrganization', {});
  const { announce, announcement } = useAnnouncement();
  const mayUpdate = may(session, 'organization:update');
  const handleSaved = (): void => {
    announce('Saved. Requests from other networks are now rejected.');
    void refresh('getOrganization');
  };
  return (
    <ConsolePage title="Networks">
      <Text>Requests of users and API keys are accepted from these networks only. Agents are not limited by them.</Text>
      <Problem error={error ?? undefined} />
      {announcement}
      {organization === undefined && !error ? <Skeleton lines={4} /> : null}
      {organization === undefined ? null : (
        <Panel title="Allowed networks">
          {organization.allowed_networks.length === 0 ? <p>Requests are accepted from every network.</p> : null}
          {mayUpdate ? (
            <Form
              submit="Save networks"
              send={({ networks = '', confirm }) =>
                client.request('updateOrganization', {
                  body: { allowed_networks: listLines(networks), ...(confirm === 'on' ? { confirm_lockout: true } : {}) },
                })
              }
              then={handleSaved}
              fields={(fault) => (
                <>
                  <Textarea
                    name="networks"
                    label="Networks"
                    description="One per line in CIDR notation, such as 203.0.113.0/24. Empty permits every network."
                    rows={6}
                    defaultValue={organization.allowed_networks.join('\n')}
                    error={findFault(fault, 'allowed_networks')}
                  />
                  <Checkbox name="confirm" label="Save even if my own address is not in the list (owners only)" />
                </>
              )}
            />
          ) : (
            <>
              <ul className="rows">
                {organization.allowed_networks.map((network) => (
                  <li key={network}>
                    <code>{network}</code>
                  </li>
                ))}
              </ul>
              <MissingPermission needs="organization:update" to="change the networks" />
            </>
          )}
        </Panel>
      )}
    </ConsolePage>
  );
};
