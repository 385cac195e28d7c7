import { NativeSelect } from '@mantine/core';
import {
  type ContainmentStep,
  INCIDENT_RESOLUTIONS,
  type IncidentDetail,
  type IncidentEntry,
} from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { SEVERITY_NAMES } from '../../data/severity-names.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Title } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { CONTROL_WORDS } from '../emergency/control-words.ts';
import { WithReason } from '../with-reason.tsx';
import { Contain } from './contain.tsx';
import { formatTitle, IncidentStatus, refreshIncidents } from './incident-status.tsx';

const TEXT_CHARS_MAX = 4_000;

const buildFacts = (incident: IncidentDetail) => {
  const { status, severity, is_contained, description, created_at, summary, id } = incident;
  return [
    ['Status', <IncidentStatus key="status" status={status} />],
    ['Severity', SEVERITY_NAMES[severity]],
    ['Contained', is_contained ? 'Yes, all steps are in force' : 'No step is in force, or one was undone'],
    ['Opened', <Time key="opened" at={created_at} />],
    ...(description === '' ? [] : [['Description', description] as const]),
    ...(summary === null ? [] : [['Summary', summary] as const]),
    ['Id', id],
  ] as const;
};

const STEPS: readonly Column<ContainmentStep>[] = [
  { name: 'Step', show: ({ control }) => CONTROL_WORDS[control].name },
  { name: 'Target', show: ({ target }) => <bdi>{target.name}</bdi> },
  { name: 'Confirmed', show: ({ confirmed }) => confirmed, isNumber: true },
  { name: 'Actual', show: ({ actual }) => actual, isNumber: true },
  { name: 'In force', show: ({ in_force, drill }) => (drill ? 'Drill' : in_force ? 'Yes' : 'No') },
  { name: 'At', show: ({ executed_at }) => <Time at={executed_at} /> },
];

const entryWords = ({ data }: IncidentEntry): string => {
  if (typeof data.note === 'string') return data.note;
  return [data.type, data.control, data.subject, data.tool, data.code].filter((part) => typeof part === 'string').join(' · ');
};

const ENTRIES: readonly Column<IncidentEntry>[] = [
  { name: 'Time', show: ({ at }) => <Time at={at} /> },
  { name: 'Kind', show: ({ kind }) => kind },
  { name: 'Entry', show: (entry) => <bdi>{entryWords(entry)}</bdi> },
  { name: 'Count', show: ({ count }) => count, isNumber: true },
];

type PartProps = { readonly incident: IncidentDetail; readonly done: (text: string) => void };

const Timeline = ({ incident: { id } }: Pick<PartProps, 'incident'>): ReactNode => {
  const list = usePages('getIncidentTimeline', { params: { incidentId: id } });
  return (
    <section aria-labelledby="timeline-title">
      <Title id="timeline-title" order={2} size="h4">
        Timeline
      </Title>
      <ListTable label="Timeline" list={list} columns={ENTRIES} empty="Nothing yet. Notes, steps and events of the subjects appear here." />
    </section>
  );
};

const Resolve = ({ incident: { id, steps }, done }: PartProps): ReactNode => (
  <Form
    submit="Resolve"
    send={({ resolution = 'FIXED', summary = '' }) =>
      client.request('resolveIncident', {
        params: { incidentId: id },
        body: {
          resolution: resolution as (typeof INCIDENT_RESOLUTIONS)[number],
          summary,
          leave_in_force: steps.filter(({ in_force }) => in_force).map((step) => step.id),
        },
      })
    }
    then={() => done('The incident is resolved.')}
    fields={(error) => (
      <>
        <NativeSelect name="resolution" label="Resolution" data={INCIDENT_RESOLUTIONS.filter((word) => word !== 'DUPLICATE')} />
        <TextField error={error} name="summary" label="Summary" maxLength={TEXT_CHARS_MAX} description="Steps in force stay in force." />
      </>
    )}
  />
);

const Actions = ({ incident, done }: PartProps): ReactNode => {
  const { id, status, title } = incident;
  const params = { incidentId: id };
  const isActive = status === 'OPEN' || status === 'CONTAINED';
  return (
    <>
      {status === 'CLOSED' ? null : (
        <DialogButton label="Add note">
          {(close) => (
            <Form
              submit="Add note"
              send={({ note = '' }) => client.request('addIncidentEntry', { params, body: { note } })}
              then={() => {
                close();
                done('The note was added.');
              }}
              fields={(error) => <TextField error={error} name="note" label="Note" maxLength={TEXT_CHARS_MAX} />}
            />
          )}
        </DialogButton>
      )}
      {isActive ? <DialogButton label="Resolve">{() => <Resolve incident={incident} done={done} />}</DialogButton> : null}
      {status === 'RESOLVED' ? (
        <>
          <DialogButton label="Reopen">
            {() => (
              <WithReason
                submit="Reopen"
                means="The incident is open again."
                send={(reason) => client.request('reopenIncident', { params, body: { reason } })}
                then={() => done('The incident is open again.')}
              />
            )}
          </DialogButton>
          <ActionButton
            does="Close"
            to={title}
            means="The report is kept as it is now. A closed incident cannot be changed."
            send={() => client.request('closeIncident', { params, body: {} })}
            then={() => done('The incident is closed.')}
          />
        </>
      ) : null}
    </>
  );
};

const PARENT = { name: 'Incidents', path: buildConsolePath('incidents') };

type IncidentPageProps = { readonly params: RouteParams<'incident'>; readonly session: Session };

/** One incident: its state, the containment checklist and the timeline. */
export const IncidentPage = ({ params, session }: IncidentPageProps): ReactNode => {
  const { data: incident, error } = useOperation('getIncident', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshIncidents();
  };
  const mayUpdate = may(session, 'incident:update');
  const mayContain = mayUpdate && may(session, 'emergency:execute');
  const isActive = incident?.status === 'OPEN' || incident?.status === 'CONTAINED';
  return (
    <ConsolePage
      title={incident === undefined ? 'Incident' : formatTitle(incident)}
      parent={PARENT}
      actions={incident && mayUpdate ? <Actions incident={incident} done={done} /> : null}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {incident === undefined ? (
        error ? null : (
          <Skeleton lines={6} />
        )
      ) : (
        <>
          <Facts facts={buildFacts(incident)} />
          {isActive && mayContain ? <Contain incident={incident} session={session} done={done} /> : null}
          <section aria-labelledby="steps-title">
            <Title id="steps-title" order={2} size="h4">
              Containment steps
            </Title>
            <Table label="Containment steps" columns={STEPS} rows={incident.steps} keyOf={({ id }) => id} empty="No steps yet." />
          </section>
          <Timeline incident={incident} />
        </>
      )}
    </ConsolePage>
  );
};
