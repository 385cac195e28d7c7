import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { IncidentsDeps } from './deps.ts';
import { approveBreakGlass } from './emergency/approve-break-glass.ts';
import { denyBreakGlass } from './emergency/deny-break-glass.ts';
import { endBreakGlass } from './emergency/end-break-glass.ts';
import { executeEmergencyControl } from './emergency/execute-emergency-control.ts';
import { getBreakGlass } from './emergency/get-break-glass.ts';
import { getBreakGlassReport } from './emergency/get-break-glass-report.ts';
import { getBreakGlassSettings } from './emergency/get-break-glass-settings.ts';
import { listBlockedDestinations } from './emergency/list-blocked-destinations.ts';
import { listBreakGlass } from './emergency/list-break-glass.ts';
import { listEmergencyControls } from './emergency/list-emergency-controls.ts';
import { previewEmergencyControl } from './emergency/preview-emergency-control.ts';
import { requestBreakGlass } from './emergency/request-break-glass.ts';
import { unblockDestination } from './emergency/unblock-destination.ts';
import { updateBreakGlassSettings } from './emergency/update-break-glass-settings.ts';
import { createIncidentRule } from './incident-rules/create-incident-rule.ts';
import { deleteIncidentRule } from './incident-rules/delete-incident-rule.ts';
import { getIncidentRule } from './incident-rules/get-incident-rule.ts';
import { listIncidentRules } from './incident-rules/list-incident-rules.ts';
import { updateIncidentRule } from './incident-rules/update-incident-rule.ts';
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

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
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
  listIncidentRules,
  createIncidentRule,
  getIncidentRule,
  updateIncidentRule,
  deleteIncidentRule,
  listEmergencyControls,
  previewEmergencyControl,
  executeEmergencyControl,
  listBlockedDestinations,
  requestBreakGlass,
  approveBreakGlass,
  denyBreakGlass,
  endBreakGlass,
  updateBreakGlassSettings,
  getBreakGlassSettings,
  getBreakGlass,
  getBreakGlassReport,
  listBreakGlass,
  unblockDestination,
};
