import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { RuntimesDeps } from './deps.ts';
import { acceptRuntimeFinding } from './runtime-findings/accept-runtime-finding.ts';
import { listRuntimeFindings } from './runtime-findings/list-runtime-findings.ts';
import { withdrawRuntimeFindingAcceptance } from './runtime-findings/withdraw-runtime-finding-acceptance.ts';
import { disconnectRuntime } from './runtimes/disconnect-runtime.ts';
import { getRuntime } from './runtimes/get-runtime.ts';
import { getRuntimeBundle } from './runtimes/get-runtime-bundle.ts';
import { getRuntimeEnforcement } from './runtimes/get-runtime-enforcement.ts';
import { getRuntimePosture } from './runtimes/get-runtime-posture.ts';
import { getRuntimeWorkflow } from './runtimes/get-runtime-workflow.ts';
import { listRuntimeCapabilities } from './runtimes/list-runtime-capabilities.ts';
import { listRuntimeRuns } from './runtimes/list-runtime-runs.ts';
import { listRuntimeWorkflows } from './runtimes/list-runtime-workflows.ts';
import { listRuntimes } from './runtimes/list-runtimes.ts';
import { operateRuntime } from './runtimes/operate-runtime.ts';
import { registerRuntime } from './runtimes/register-runtime.ts';
import { replaceRuntimeApiKey } from './runtimes/replace-runtime-api-key.ts';
import { reportRuntime } from './runtimes/report-runtime.ts';
import { testRuntime } from './runtimes/test-runtime.ts';
import { updateRuntime } from './runtimes/update-runtime.ts';
import { verifyRuntime } from './runtimes/verify-runtime.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const runtimesHandlers: AreaHandlers<'control', 'runtimes', RuntimesDeps> = {
  acceptRuntimeFinding,
  listRuntimeFindings,
  withdrawRuntimeFindingAcceptance,
  disconnectRuntime,
  getRuntimeBundle,
  getRuntimeEnforcement,
  getRuntimePosture,
  getRuntimeWorkflow,
  getRuntime,
  listRuntimeCapabilities,
  listRuntimeRuns,
  listRuntimeWorkflows,
  listRuntimes,
  operateRuntime,
  registerRuntime,
  replaceRuntimeApiKey,
  reportRuntime,
  testRuntime,
  updateRuntime,
  verifyRuntime,
};
