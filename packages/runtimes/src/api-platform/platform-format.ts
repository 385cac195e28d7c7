import type { FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';

/** A route that reaches its upstream without the authorization of the service. */
export type RouteFault = {
  readonly kind: 'ROUTE_AROUND' | 'AUTHZ_FAIL_OPEN' | 'AUTHZ_DISABLED_ON_ROUTE' | 'AUTHZ_CACHED';
  readonly severity: FindingSeverity;
  readonly route: string;
  readonly because: string;
};

export type ReadPlatform = { readonly routes: number; readonly faults: readonly RouteFault[] };

/** Reads the configuration of a platform; undefined if the text is none. */
export type PlatformFormat = { readonly read: (content: string) => ReadPlatform | undefined };

const ROUTE_CHARS_MAX = 200;

export const fault = (kind: RouteFault['kind'], severity: FindingSeverity, route: string, because: string): RouteFault => ({
  ...{ kind, severity, because },
  route: route.slice(0, ROUTE_CHARS_MAX),
});
