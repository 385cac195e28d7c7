import type { ExecutionRequest } from '@svc/domain/tools/execution-request.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import type { Ports } from '@svc/enforcement/ports.ts';
import type { GatewaySettings } from '../settings.ts';

const DISABLED = 'Real egress is disabled (GATEWAY_ALLOW_REAL_EGRESS is false), so the call was not made.';

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const egress = createEgress({
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    timeoutMs: settings.egressTimeoutMs,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  const isSandbox = (request: ExecutionRequest): boolean => new URL(request.url).origin === settings.sandboxOrigin;
  return {
    executor: {
      disabledFor: (request) => (settings.realEgress || isSandbox(request) ? undefined : DISABLED),
      execute: (request) => egress.call(request),
    },
    closeExecutor: () => egress.close(),
  };
};
