import type { Incident } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { SEVERITY_NAMES } from '../../data/severity-names.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { IncidentRules } from '../incident-rules/rules.tsx';
import { formatTitle, IncidentStatus } from './incident-status.tsx';

const open = (
  <Button component="a" href={buildConsolePath('newIncident')}>
    Open an incident
  </Button>
);

/** Incidents of the organization, newest first. */
export const Incidents = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listIncidents', {});
  const mayOpen = may(session, 'incident:create');
  const columns: readonly Column<Incident>[] = [
    { name: 'Title', show: (incident) => <bdi>{formatTitle(incident)}</bdi> },
    { name: 'Status', show: ({ status }) => <IncidentStatus status={status} /> },
    { name: 'Severity', show: ({ severity }) => SEVERITY_NAMES[severity] },
    {
      name: 'Environment',
      show: ({ environment_id }) => (environment_id === null ? 'All' : getEnvironmentLabel(environment_id, environments)),
    },
    { name: 'Opened', show: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <ConsolePage title="Incidents" actions={mayOpen ? open : null}>
      <ListTable
        label="Incidents"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('incident', { incidentId: id })}
        empty="No incidents. Open one to collect events, notes and containment steps in one timeline."
        emptyAction={mayOpen ? open : null}
      />
      <IncidentRules session={session} />
    </ConsolePage>
  );
};
