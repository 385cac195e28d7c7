import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { IncidentsDeps } from './deps.ts';
import { executeEmergencyControl } from './emergency/execute-emergency-control.ts';
import { listBlockedDestinations } from './emergency/list-blocked-destinations.ts';
import { listEmergencyControls } from './emergency/list-emergency-controls.ts';
import { previewEmergencyControl } from './emergency/preview-emergency-control.ts';
import { unblockDestination } from './emergency/unblock-destination.ts';
import { addIncidentEntry } from './incidents/add-incident-entry.ts';
import { closeIncident } from './incidents/close-incident.ts';
import { containIncident } from './incidents/contain-incident.ts';
import { createIncident } from './incidents/create-incident.ts';
import { getIncident } from './incidents/get-incident.ts';
import { getIncidentReport } from './incidents/get-incident-report.ts';
import { getIncidentTimeline } from './incidents/get-incident-timeline.ts';
import { listIncidents } from './incidents/list-incidents.ts';
import { previewContainment } from './incidents/preview-containment.ts';
import { reopenIncident } from './incidents/reopen-incident.ts';
import { resolveIncident } from './incidents/resolve-incident.ts';
import { updateIncident } from './incidents/update-incident.ts';

/** One handler per row of this area; one that is missing, or of another area, does not compile. */
export const incidentsHandlers: AreaHandlers<'control', 'incidents', IncidentsDeps> = {
  listIncidents,
  createIncident,
  getIncident,
  updateIncident,
  getIncidentTimeline,
  addIncidentEntry,
  previewContainment,
  containIncident,
  resolveIncident,
  reopenIncident,
  closeIncident,
  getIncidentReport,
  listEmergencyControls,
  previewEmergencyControl,
  executeEmergencyControl,
  listBlockedDestinations,
  unblockDestination,
};
