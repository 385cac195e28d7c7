type Bounds = { readonly perOrganizationMax: number; readonly totalMax: number; readonly lifeMs: number };

/** `close` may be called more than once. */
type OpenStream = { readonly ended: AbortSignal; readonly close: () => void };

export type OpenStreams = {
  /** Undefined where there is no room. */
  readonly open: (organizationId: string) => OpenStream | undefined;
  readonly closeAll: () => void;
};

/** Counts streams by organization and in all, and ends each when its time is over. */
export const newOpenStreams = ({ perOrganizationMax, totalMax, lifeMs }: Bounds): OpenStreams => {
  const closers = new Set<() => void>();
  const counts = new Map<string, number>();
  const open = (organizationId: string): OpenStream | undefined => {
    const count = counts.get(organizationId) ?? 0;
    if (count >= perOrganizationMax || closers.size >= totalMax) return undefined;
    counts.set(organizationId, count + 1);
    const ending = new AbortController();
    const close = (): void => {
      if (!closers.delete(close)) return;
      clearTimeout(timer);
      const left = (counts.get(organizationId) ?? 1) - 1;
      if (left > 0) counts.set(organizationId, left);
      else counts.delete(organizationId);
      ending.abort();
    };
    const timer = setTimeout(() => ending.abort(), lifeMs).unref();
    closers.add(close);
    return { ended: ending.signal, close };
  };
  return {
    open,
    closeAll: () => {
      for (const close of [...closers]) close();
    },
  };
};
