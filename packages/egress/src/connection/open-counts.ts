import { LIMITS } from '@svc/contract/tables/limits.ts';

const { keptConnectionsMax, keptConnectionsPerOrganizationMax } = LIMITS.egress;

/** Counts open connections that may be kept, in all and per tenant. Tenants without any take no memory. */
export type OpenCounts = {
  readonly opened: (tenant: string) => void;
  readonly closed: (tenant: string) => void;
  /** Returns true if one more of its connections may stay open: within its bound, and no more than it leaves to others. */
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
