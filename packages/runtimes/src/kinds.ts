import type { RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { EnforcementTerms } from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';
import { apiPlatform } from './api-platform/api-platform.ts';
import type { RuntimeKindRow } from './kind.ts';
import { mcpClient } from './mcp-client/mcp-client.ts';
import { sdkProgram } from './sdk-program/sdk-program.ts';
import { workflowAutomation } from './workflow-automation/workflow-automation.ts';
import { workflowAutomationManaged } from './workflow-automation-managed/workflow-automation-managed.ts';

/** Every kind of runtimes. A word of the contract without a row does not compile. */
export const RUNTIME_KIND_ROWS: { readonly [Kind in RuntimeKind]: RuntimeKindRow & { readonly kind: Kind } } = {
  WORKFLOW_AUTOMATION: workflowAutomation,
  WORKFLOW_AUTOMATION_MANAGED: workflowAutomationManaged,
  MCP_CLIENT: mcpClient,
  API_PLATFORM: apiPlatform,
  SDK_PROGRAM: sdkProgram,
};

/** Returns the terms of a runtime's enforcement status. */
export const buildEnforcementTerms = (kind: RuntimeKind, settings: RuntimeSettings): EnforcementTerms => {
  const row = RUNTIME_KIND_ROWS[kind];
  return { ceiling: row.ceiling, needs: row.needs(settings) };
};
