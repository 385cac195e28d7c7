import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { askRuntimeHook } from './runtimes/ask-runtime-hook.ts';
import { reportRuntimeHeartbeat } from './runtimes/report-runtime-heartbeat.ts';

/** One handler per row of this area of the gateway; one that is missing, or of another area, does not compile. */
export const runtimesHandlers: AreaHandlers<'gateway', 'runtimes', GatewayDeps> = { askRuntimeHook, reportRuntimeHeartbeat };
