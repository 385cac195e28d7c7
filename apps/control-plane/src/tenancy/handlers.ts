import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { TenancyDeps } from './deps.ts';
import { archiveEnvironment } from './environments/archive-environment.ts';
import { createEnvironment } from './environments/create-environment.ts';
import { listEnvironments } from './environments/list-environments.ts';
import { pauseEnvironment } from './environments/pause-environment.ts';
import { resumeEnvironment } from './environments/resume-environment.ts';
import { setGatewayMode } from './environments/set-gateway-mode.ts';
import { updateEnvironment } from './environments/update-environment.ts';
import { deleteOrganization } from './organization/delete-organization.ts';
import { getOrganization } from './organization/get-organization.ts';
import { restoreOrganization } from './organization/restore-organization.ts';
import { updateOrganization } from './organization/update-organization.ts';
import { archiveWorkspace } from './workspaces/archive-workspace.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { listWorkspaces } from './workspaces/list-workspaces.ts';
import { updateWorkspace } from './workspaces/update-workspace.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const tenancyHandlers: AreaHandlers<'control', 'tenancy', TenancyDeps> = {
  getOrganization,
  updateOrganization,
  deleteOrganization,
  restoreOrganization,
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  archiveWorkspace,
  listEnvironments,
  createEnvironment,
  updateEnvironment,
  setGatewayMode,
  pauseEnvironment,
  resumeEnvironment,
  archiveEnvironment,
};
