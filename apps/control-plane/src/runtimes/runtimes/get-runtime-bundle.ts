import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { signBundleManifest } from '@svc/keyring/tokens/bundle-manifest.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { bundleManifest, managedBundle } from '@svc/runtimes/workflow-automation-managed/bundle/managed-bundle.ts';
import type { RuntimesDeps } from '../deps.ts';

const NO_BUNDLE = 'Only managed runtimes have a deployment bundle.';

export const getRuntimeBundle: Handler<Endpoints['getRuntimeBundle'], RuntimesDeps> = (call, { urls, platformKeys }) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const runtime = await findRuntime(tx, call.scope.organization_id, call.params.runtimeId);
    if (!runtime) return call.refuse('NOT_FOUND');
    if (runtime.kind !== 'WORKFLOW_AUTOMATION_MANAGED') return call.refuse('UNPROCESSABLE', NO_BUNDLE);
    const { id: runtimeId, agent_id: agentId, settings } = runtime;
    const terms = { gatewayUrl: urls.gateway, controlUrl: urls.base, runtimeId, agentId, settings };
    const bundle = managedBundle(terms);
    return { ...bundle, manifest: signBundleManifest(platformKeys.keys, bundleManifest(terms, bundle)) };
  });
