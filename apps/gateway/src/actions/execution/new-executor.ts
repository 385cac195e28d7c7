import { createEgress } from '@svc/egress/create-egress.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { GatewaySettings } from '../../settings.ts';

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const egress = createEgress({
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    timeoutMs: settings.egressTimeoutMs,
    nameServers: settings.nameServers,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  return { executor: { disabledFor: egress.disabledFor, execute: egress.call }, closeExecutor: egress.close };
};
