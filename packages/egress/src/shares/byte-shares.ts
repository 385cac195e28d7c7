/** Bytes that tenants hold, bounded per tenant and in all; a tenant may hold no more than it would leave free. */
export type ByteShares = {
  /** Gives the bytes back; undefined when there is no room for them. */
  readonly take: (tenant: string, bytes: number) => (() => void) | undefined;
};

const NOTHING = (): void => {};

export const newByteShares = ({ total, perTenant }: { readonly total: number; readonly perTenant: number }): ByteShares => {
  const held = new Map<string, number>();
  let free = total;
  return {
    take: (tenant, bytes) => {
      if (bytes === 0) return NOTHING;
      const own = (held.get(tenant) ?? 0) + bytes;
      if (own > perTenant || own > free) return undefined;
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
