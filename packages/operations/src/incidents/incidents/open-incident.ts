import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  countOpenIncidents,
  findIncident,
  findMissingSubject,
  insertIncident,
  setFollowed,
} from '@svc/postgres/incidents/incidents/incidents.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent } from './take-incident.ts';

type OpenRequest = CallContext & { readonly body: EndpointBody<Endpoints['createIncident']> };

const { openMax } = LIMITS.incidents;
const TOO_MANY = `An organization has at most ${openMax} incidents that are not closed. Close some.`;
const LIMITED = 'This call is limited to a part of the organization; name an environment in it.';

/** Opens an incident for a person or program. */
export const openIncident = async ({ tx, emit }: Change<'incident.created'>, request: OpenRequest, id: string) => {
  const { scope, actor, now, body } = request;
  const { organization_id } = scope;
  const { title, severity, description = '', environment_id = null, subjects = [], drill = false } = body;
  if (environment_id === null && reachesBeyond(scope, 'ORGANIZATION')) return refuseBody('/environment_id', LIMITED);
  const environment = environment_id === null ? null : await findEnvironment(tx, organization_id, environment_id);
  if (environment === undefined) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const missing = await findMissingSubject(tx, organization_id, subjects);
  if (missing >= 0) return refuseBody(`/subjects/${missing}/id`, 'There is no such subject.');
  if ((await countOpenIncidents(tx, organization_id, openMax)) >= openMax) return buildRefusal('UNPROCESSABLE', TOO_MANY);
  const workspace_id = environment?.workspace_id ?? null;
  await insertIncident(tx, {
    ...{ organization_id, id, workspace_id, environment_id, title, description, severity, drill },
    ...{ subjects: JSON.stringify(subjects), opened_by_type: actor.type, opened_by_id: actor.id },
    ...{ created_at: now, updated_at: now, acknowledged_at: actor.type === 'USER' ? now : null },
  });
  await setFollowed(tx, organization_id, id, [id, ...subjects.map((subject) => subject.id)]);
  const data = { title, incident_severity: severity, subjects };
  const place = { id, workspace_id, environment_id, drill };
  emit('incident.created', buildIncidentEvent(place, data, severity === 'CRITICAL' ? 'critical' : undefined));
  const row = await findIncident(tx, organization_id, id);
  return row ? readIncidentDetail(tx, row) : buildRefusal('NOT_FOUND');
};
