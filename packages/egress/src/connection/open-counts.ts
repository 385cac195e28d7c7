import { LIMITS } from '@svc/contract/tables/limits.ts';

const { keptConnectionsMax, keptConnectionsPerOrganizationMax } = LIMITS.egress;

/** How many connections that may be kept are open, in all and by tenant. Tenants that have none take no memory. */
export type OpenCounts = {
  readonly opened: (tenant: string) => void;
  readonly closed: (tenant: string) => void;
  /** Whether one more of its connections may wait for its next call: it keeps no more than its bound, and no more than it leaves to others. */
  readonly mayKeep: (tenant: string) => boolean;
};

export const newOpenCounts = (): OpenCounts => {
  const byTenant = new Map<string, number>();
  let open = 0;
  const add = (tenant: string, more: number): void => {
    open += more;
    const own = (byTenant.get(tenant) ?? 0) + more;
    if (own > 0) byTenant.set(tenant, own);
    else byTenant.delete(tenant);
  };
  return {
    opened: (tenant) => add(tenant, 1),
    closed: (tenant) => add(tenant, -1),
    mayKeep: (tenant) => (byTenant.get(tenant) ?? 0) <= Math.min(keptConnectionsPerOrganizationMax, keptConnectionsMax - open),
  };
};
