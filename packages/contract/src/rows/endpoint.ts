import type { Static, TSchema } from 'typebox';
import type { Area } from '../tables/areas.ts';
import type { ErrorCode } from '../tables/errors.ts';
import type { EventType } from '../tables/events.ts';
import { LIMITS } from '../tables/limits.ts';
import { listParameterNames, type PathParameter } from '../tables/path-parameters.ts';
import { getStepUp, type Permission } from '../tables/permissions.ts';
import type { AutomationRule } from './automation-rule.ts';
import type { RowAuthentication } from './row-authentication.ts';
import type { WireName } from './wire-name.ts';

/**
 * One row per endpoint: its authentication (`RowAuthentication`) and its contract. The router, the OpenAPI documents, the SDK and the generated tests
 * are all derived from it. `params`, `query` and `body` are JSON Schemas (TypeBox); unknown members of `query` and `body` are refused.
 */
export type Endpoint = RowAuthentication & {
  readonly plane: 'control' | 'gateway';
  /** The folder of the row, and its tag in the OpenAPI documents. */
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for parameters, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly wire: WireName;
  /** Paths below it from which a page loads scripts and styles; its handler serves them. */
  readonly assets?: readonly string[];
  /** Serves every path below its own too, in any method. The handler reads the method and the path. */
  readonly takesSubPaths?: true;
  /** Permissions, or a step-up, that some of its requests need in addition; a handler can check no other permission. */
  readonly mayNeed?: readonly (Permission | 'step_up')[];
  /** Requires a step-up although no permission of the row does. */
  readonly stepUp?: true;
  /** Available to a session without the second factor that its organization requires: what is needed to enrol one, and to leave. */
  readonly beforeFactor?: true;
  /** Gateway endpoint that the console's pages of the route option `callsGateway` may call from their origin (CORS), without cookies. */
  readonly fromConsole?: true;
  /** Accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Maximum bytes of the body; by default what `getBodyBytesMax` derives from the credential. */
  readonly bodyBytesMax?: number;
  /** Members that the body omits are stored again with it, so a small body is charged like the largest one. */
  readonly keepsWhole?: true;
  /** A valid body, except for the ids in it. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The body may be left out altogether. */
  readonly bodyOptional?: true;
  /** Characters that cannot be stored are replaced instead of refused: the effect of the request must not depend on a name in it. */
  readonly repairsText?: true;
  readonly result: TSchema;
  /** HTTP status of success; 200 when absent. */
  readonly status?: 200 | 201 | 204;
  /** Media types of the response, if they differ from the wire's; empty if the response has no body. */
  readonly media?: readonly string[];
  /** When it answers 303, if it does; without `media`, every successful response does. */
  readonly redirects?: string;
  /** Seconds for which caches may keep the response; none without it. */
  readonly cacheSeconds?: number;
  /**
   * Set if nothing is written at all, not even the last use of the caller's credential: always, or if the body states `dry_run`. A test
   * compares the whole database before and after for every such row.
   */
  readonly writesNothing?: 'always' | 'dry_run';
  /**
   * Effect on a session for the control plane's own pages: `opens` sets the new one as a cookie and never in the body, `ends` removes the
   * cookie, and the third also returns the CSRF token.
   */
  readonly session?: 'opens' | 'ends' | 'tells';
  /** Stops something, or leads to stopping it: it has database connections that nothing else uses, and waits for no other work. */
  readonly emergency?: true;
  /** Served even if the time is uncertain: it ends something, reports what has happened, or leads to an emergency control. */
  readonly byAnyClock?: true;
  /** Served also while the organization awaits its deletion, although it changes something. */
  readonly whileEnding?: true;
  /** Rule for API keys. Required if a key can reach it, it changes something and it does not always need a step-up. */
  readonly automation?: AutomationRule;
  readonly emits: readonly EventType[];
  /** Codes that the handler returns. Those of every route are in `COMMON_REFUSALS`. */
  readonly refuses: readonly ErrorCode[];
};

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type EndpointBody<E extends Endpoint> = StaticOr<E['body'], undefined>;
export type EndpointQuery<E extends Endpoint> = StaticOr<E['query'], Record<string, never>>;
export type EndpointResult<E extends Endpoint> = Static<E['result']>;
export type RefusedBy<E extends Endpoint> = E['refuses'][number];
export type EmittedBy<E extends Endpoint> = E['emits'][number];
/** Permissions that a handler may check in addition to the row's own. */
export type MayNeed<E extends Endpoint> = E['mayNeed'] extends readonly string[] ? Extract<E['mayNeed'][number], Permission> : never;

type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParams<Rest> : never;
/** Rejects a path with a parameter that `PATH_PARAMETERS` does not contain. */
type KnownPath<P extends string> = [Exclude<PathParams<P>, PathParameter>] extends [never] ? P : never;

/** Keeps a row's literal types, so that handlers know their body, their codes and their events. */
export const defineEndpoint = <const E extends Endpoint>(row: E & { readonly path: KnownPath<E['path']> }): E => row;

export type ParamsOf<E extends Endpoint> = Readonly<Record<PathParams<E['path']>, string>>;

const NO_PERMISSIONS: readonly Permission[] = [];

/** Returns the permissions that a caller must hold, all of them. */
export const listPermissions = ({ permissions }: Endpoint): readonly Permission[] =>
  permissions === undefined || 'none' in permissions ? NO_PERMISSIONS : permissions;

/** Returns `true` (always), `when_reducing` (only for a change that lowers enforcement) or `may` (depends on the resource or the body). */
export const stepUpOfRow = (row: Endpoint): true | 'when_reducing' | 'may' | undefined => {
  const asked = listPermissions(row).map(getStepUp);
  if (row.stepUp === true || asked.includes(true)) return true;
  return asked.find((each) => each !== false) || (row.mayNeed?.includes('step_up') ? 'may' : undefined);
};

/** Returns what an API key may do with it; undefined if no key can reach it, if it only reads, or if the row leaves it out. */
export const getAutomationRule = (row: Endpoint): AutomationRule | undefined => {
  if (row.credential !== 'caller' || row.method === 'GET') return undefined;
  return row.automation ?? (stepUpOfRow(row) === true ? 'STEP_UP' : undefined);
};

/** True if a session without the second factor that its organization requires is refused. */
export const needsFactor = ({ credential, beforeFactor }: Endpoint): boolean =>
  (credential === 'person' || credential === 'caller') && beforeFactor !== true;

/** True if it grants something from or until a time, so that it must not be served under a clock that may be wrong. */
export const needsSureClock = (row: Endpoint): boolean => row.method !== 'GET' && !row.emergency && !row.byAnyClock;

/** True if it creates something in an organization, which its subscription must cover. */
export const isCreation = (row: Endpoint): boolean => row.status === 201 && listPermissions(row).length > 0;

/**
 * True if it is refused while the organization awaits its deletion: it changes something, stops nothing, and is not about a person alone.
 */
export const isRefusedWhileEnding = (row: Endpoint): boolean =>
  row.method !== 'GET' && listPermissions(row).length > 0 && !row.emergency && row.writesNothing !== 'always' && !row.whileEnding;

/** Returns the maximum bytes of a body: smaller for unauthenticated clients, and for rows without a body. */
export const getBodyBytesMax = (row: Endpoint): number =>
  row.bodyBytesMax ??
  (row.credential === 'none' || row.body === undefined ? LIMITS.bodies.unprovenBytesMax : LIMITS.bodies.requestBytesMax);

/** Returns the codes of the HTTP layer by kind of row; handlers never return these. */
export const listCommonRefusals = (row: Endpoint): readonly ErrorCode[] => [
  'INVALID_REQUEST',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'DEPENDENCY_UNAVAILABLE',
  'VALIDATION_FAILED',
  ...(row.credential === 'person' || row.credential === 'caller'
    ? (['UNAUTHENTICATED', 'SESSION_EXPIRED', 'NETWORK_RESTRICTED', 'TENANT_MISMATCH', 'IDENTITY_SERVICE_UNAVAILABLE'] as const)
    : []),
  ...(row.credential === 'directory'
    ? (['UNAUTHENTICATED', 'NETWORK_RESTRICTED', 'TENANT_MISMATCH', 'IDENTITY_SERVICE_UNAVAILABLE'] as const)
    : []),
  ...(row.credential === 'agent'
    ? ([
        'UNAUTHENTICATED',
        'AGENT_TOKEN_EXPIRED',
        'AGENT_IDENTITY_REVOKED',
        'IDENTITY_GENERATION_STALE',
        'IDENTITY_SERVICE_UNAVAILABLE',
      ] as const)
    : []),
  ...(needsFactor(row) ? (['MFA_REQUIRED'] as const) : []),
  ...(listPermissions(row).length > 0 || row.session === 'opens' || (row.credential !== 'agent' && row.credential !== 'none')
    ? (['PERMISSION_DENIED'] as const)
    : []),
  ...(stepUpOfRow(row) ? (['STEP_UP_REQUIRED'] as const) : []),
  ...(isRefusedWhileEnding(row) ? (['INVALID_STATE_TRANSITION'] as const) : []),
  ...(isCreation(row) ? (['SUBSCRIPTION_REQUIRED'] as const) : []),
  ...(row.idempotent ? (['IDEMPOTENCY_KEY_REUSED', 'CONFLICT'] as const) : []),
  ...(listParameterNames(row.path).length > 0 ? (['NOT_FOUND'] as const) : []),
];
