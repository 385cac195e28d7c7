import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asFinding } from '@svc/operations/runtimes/runtime-findings/as-finding.ts';
import { asWorkflow } from '@svc/operations/runtimes/runtimes/as-workflow.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRuntimeFindings } from '@svc/postgres/runtimes/runtime-findings.ts';
import { findRuntimeWorkflow } from '@svc/postgres/runtimes/runtimes/runtime-workflows.ts';
import type { RuntimesDeps } from '../deps.ts';

const FINDINGS_MAX = 200;

export const getRuntimeWorkflow: Handler<Endpoints['getRuntimeWorkflow'], RuntimesDeps> = (call) => {
  const { organization_id } = call.scope;
  const { runtimeId, workflowId } = call.params;
  return readInTenant(call.database, call.scope, async (tx) => {
    const workflow = await findRuntimeWorkflow(tx, { organization_id, runtime_id: runtimeId }, workflowId);
    if (!workflow) return call.refuse('NOT_FOUND');
    const filter = { runtime_id: runtimeId, workflow_id: workflowId, after: undefined, limit: FINDINGS_MAX };
    const findings = await listRuntimeFindings(tx, organization_id, filter);
    return { ...asWorkflow(workflow), inventory: workflow.inventory, findings: findings.map(asFinding) };
  });
};
