import { NativeSelect, Textarea } from '@mantine/core';
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { SEVERITY_NAMES } from '../../data/severity-names.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { refreshIncidents } from './incident-status.tsx';

const PARENT = { name: 'Incidents', path: buildConsolePath('incidents') };
const DESCRIPTION_CHARS_MAX = 4_000;

/** A form for a new incident. */
export const NewIncident = (): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [, navigate] = useLocation();
  return (
    <ConsolePage title="Open an incident" parent={PARENT}>
      {environments === undefined ? (
        <Unread error={failure} lines={6} />
      ) : (
        <Form
          submit="Open incident"
          send={({ title = '', severity = 'HIGH', environment_id = '', description = '', agent = '', drill = '' }) =>
            client.request('createIncident', {
              body: {
                ...{ title, severity: severity as IncidentSeverity, description, drill: drill === 'drill' },
                ...(environment_id === '' ? {} : { environment_id }),
                ...(agent.trim() === '' ? {} : { subjects: [{ type: 'agent' as const, id: agent.trim() }] }),
              },
            })
          }
          then={({ id }) => {
            void refreshIncidents();
            navigate(buildConsolePath('incident', { incidentId: id }));
          }}
          fields={(error) => (
            <>
              <TextField error={error} name="title" label="Title" placeholder="Unexpected refunds" />
              <NativeSelect
                name="severity"
                label="Severity"
                defaultValue="HIGH"
                data={INCIDENT_SEVERITIES.map((value) => ({ value, label: SEVERITY_NAMES[value] }))}
              />
              <NativeSelect
                name="environment_id"
                label="Environment"
                data={[{ value: '', label: 'All' }, ...getEnvironmentOptions(environments)]}
                error={findFault(error, 'environment_id')}
              />
              <TextField
                error={error}
                name="agent"
                label="Agent id"
                description="Its events become part of the timeline."
                placeholder="agt_…"
                required={false}
              />
              <Textarea name="description" label="Description" maxLength={DESCRIPTION_CHARS_MAX} autosize minRows={3} />
              <NativeSelect
                name="drill"
                label="Purpose"
                data={[
                  { value: 'real', label: 'Incident' },
                  { value: 'drill', label: 'Drill: containment changes nothing' },
                ]}
              />
            </>
          )}
        />
      )}
    </ConsolePage>
  );
};
