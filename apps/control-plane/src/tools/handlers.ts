import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { getCodeAssist } from './code-assist/get-code-assist.ts';
import { rewriteGuardCalls } from './code-assist/rewrite-guard-calls.ts';
import type { ToolsDeps } from './deps.ts';
import { createIntegration } from './integrations/create-integration.ts';
import { getIntegration } from './integrations/get-integration.ts';
import { listIntegrations } from './integrations/list-integrations.ts';
import { removeIntegration } from './integrations/remove-integration.ts';
import { updateIntegration } from './integrations/update-integration.ts';
import { getApplication } from './tool-catalogue/get-application.ts';
import { listApplications } from './tool-catalogue/list-applications.ts';
import { applyToolImport } from './tool-imports/apply-tool-import.ts';
import { createToolImport } from './tool-imports/create-tool-import.ts';
import { deleteToolImport } from './tool-imports/delete-tool-import.ts';
import { getToolImport } from './tool-imports/get-tool-import.ts';
import { getToolProposal } from './tool-imports/get-tool-proposal.ts';
import { listToolImports } from './tool-imports/list-tool-imports.ts';
import { listToolProposals } from './tool-imports/list-tool-proposals.ts';
import { uploadToolImport } from './tool-imports/upload-tool-import.ts';
import { authorizeAgentForTool } from './tools/authorize-agent-for-tool.ts';
import { createTool } from './tools/create-tool.ts';
import { diffTool } from './tools/diff-tool.ts';
import { disableTool } from './tools/disable-tool.ts';
import { dryCallTool } from './tools/dry-call-tool.ts';
import { enableTool } from './tools/enable-tool.ts';
import { getTool } from './tools/get-tool.ts';
import { getToolRoutes } from './tools/get-tool-routes.ts';
import { listToolVersions } from './tools/list-tool-versions.ts';
import { listTools } from './tools/list-tools.ts';
import { previewTool } from './tools/preview-tool.ts';
import { restrictTool } from './tools/restrict-tool.ts';
import { setToolRoutes } from './tools/set-tool-routes.ts';
import { updateTool } from './tools/update-tool.ts';
import { withdrawAgentFromTool } from './tools/withdraw-agent-from-tool.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const toolsHandlers: AreaHandlers<'control', 'tools', ToolsDeps> = {
  listTools,
  createTool,
  getTool,
  authorizeAgentForTool,
  withdrawAgentFromTool,
  disableTool,
  enableTool,
  updateTool,
  previewTool,
  restrictTool,
  listToolVersions,
  diffTool,
  dryCallTool,
  getToolRoutes,
  setToolRoutes,
  createToolImport,
  uploadToolImport,
  listToolImports,
  getToolImport,
  deleteToolImport,
  listToolProposals,
  getToolProposal,
  applyToolImport,
  listApplications,
  getApplication,
  listIntegrations,
  createIntegration,
  getIntegration,
  updateIntegration,
  removeIntegration,
  getCodeAssist,
  rewriteGuardCalls,
};
