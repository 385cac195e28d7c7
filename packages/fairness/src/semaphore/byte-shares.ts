/** Bytes that tenants hold, bounded per tenant and in all; a tenant may hold no more than it would leave free. */
export type ByteShares = {
  /** Returns a function that releases the bytes; without capacity for them, the name of what is full. */
  readonly take: (tenant: string, bytes: number) => (() => void) | Busy;
};

/** The share that is full: that of the tenant, or that of the whole service. */
export type Busy = 'tenant' | 'service';

const NOTHING = (): void => {};

export const newByteShares = ({ total, perTenant }: { readonly total: number; readonly perTenant: number }): ByteShares => {
  const held = new Map<string, number>();
  let free = total;
  return {
    take: (tenant, bytes) => {
      if (bytes === 0) return NOTHING;
      const own = (held.get(tenant) ?? 0) + bytes;
      if (own > perTenant) return 'tenant';
      if (own > free) return 'service';
      held.set(tenant, own);
      free -= bytes;
      return () => {
        free += bytes;
        const left = (held.get(tenant) ?? 0) - bytes;
        if (left > 0) held.set(tenant, left);
        else held.delete(tenant);
      };
    },
  };
};
