import type { Ports } from './ports.ts';

/** The same ports for one request: whatever breaks is told with the request's ids. */
export const askedBy = (ports: Ports, { requestId, traceId }: { readonly requestId: string; readonly traceId: string }): Ports => ({
  ...ports,
  onBreakage: (error, code) => ports.onBreakage(error, code, { request_id: requestId, trace_id: traceId }),
});
