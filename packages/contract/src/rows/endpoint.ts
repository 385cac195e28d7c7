import type { Static, TSchema } from 'typebox';
import type { Area } from '../tables/areas.ts';
import type { ErrorCode } from '../tables/errors.ts';
import type { EventType } from '../tables/events.ts';
import { LIMITS } from '../tables/limits.ts';
import { type PathParameter, parameterNamesOf } from '../tables/path-parameters.ts';
import { type Permission, stepUpOf } from '../tables/permissions.ts';
import type { Asked } from './asked.ts';
import type { AutomationRule } from './automation-rule.ts';
import type { WireName } from './wire.ts';

/**
 * One row per endpoint: who asks (`Asked`), and what of them. The router, the OpenAPI documents, the SDK and the sweeping tests are all driven by it.
 * `params`, `query` and `body` are JSON Schemas (TypeBox); unknown members of `query` and `body` are refused.
 */
export type Endpoint = Asked & {
  readonly plane: 'control' | 'gateway';
  /** The folder it stands in, and its tag in the OpenAPI documents. */
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for parameters, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly wire: WireName;
  /** Paths below it that a page takes its scripts and styles from; its handler answers them. */
  readonly assets?: readonly string[];
  /** Serves every path below its own too, in any method. The handler reads the method and the path. */
  readonly takesSubPaths?: true;
  /** Permissions that some of its requests need besides, or a step-up; a handler can ask for no other permission. */
  readonly mayNeed?: readonly (Permission | 'step_up')[];
  /** Requires a step-up where no permission of the row does. */
  readonly stepUp?: true;
  /** Reached also by a session that lacks the second factor its organization requires: what is needed to enrol one, and to leave. */
  readonly beforeFactor?: true;
  /** Gateway endpoint that the console's pages of the route option `callsGateway` may call from their origin (CORS), without cookies. */
  readonly fromConsole?: true;
  /** Accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Bytes of the body at most; by default what `bodyBytesMaxOf` derives from the credential. */
  readonly bodyBytesMax?: number;
  /** What the body leaves out is kept again with it, so that as much is kept as the largest body brings, however small it is. */
  readonly keepsWhole?: true;
  /** A body that works as it stands, but for the ids in it. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The body may be left out altogether. */
  readonly bodyOptional?: true;
  /** Characters that cannot be stored are replaced and not refused: what the request ends must not depend on a name in it. */
  readonly repairsText?: true;
  readonly result: TSchema;
  /** HTTP status of success; 200 when absent. */
  readonly status?: 200 | 201 | 204;
  /** Media types of the answer, where they are not that of the wire; empty if the answer has no body. */
  readonly media?: readonly string[];
  /** When it answers 303, if it does; without `media` of its own every answer that succeeds is one. */
  readonly redirects?: string;
  /** How long anybody may keep the answer; without it nobody may. */
  readonly cacheSeconds?: number;
  /**
   * Set where nothing at all is written, not even when the caller's credential was last used: always, or when the body says `dry_run`.
   * Every row that says so is held to it by comparing the whole database before and after.
   */
  readonly writesNothing?: 'always' | 'dry_run';
  /**
   * What it does with a session, where the control plane's own pages ask: a new one they get as a cookie and never in the body, one that ended
   * is taken out of it, and what tells of one tells its token against forged requests besides.
   */
  readonly session?: 'opens' | 'ends' | 'tells';
  /** Stops something, or is on the way to stopping it: it has connections to the database that nothing else uses, and waits for no other work. */
  readonly emergency?: true;
  /** Served also where the time is not known for sure: it ends something, tells what has happened, or is on the way to an emergency. */
  readonly byAnyClock?: true;
  /** Served also while the organization waits for its deletion, though it changes something. */
  readonly whileEnding?: true;
  /** What an API key may do with it. Needed if a key can reach it, it changes something and it does not always need a step-up. */
  readonly automation?: AutomationRule;
  readonly emits: readonly EventType[];
  /** Codes the handler itself answers. Those every route can answer are in `COMMON_REFUSALS`. */
  readonly refuses: readonly ErrorCode[];
};

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type BodyOf<E extends Endpoint> = StaticOr<E['body'], undefined>;
export type QueryOf<E extends Endpoint> = StaticOr<E['query'], Record<string, never>>;
export type ResultOf<E extends Endpoint> = Static<E['result']>;
export type RefusedBy<E extends Endpoint> = E['refuses'][number];
export type EmittedBy<E extends Endpoint> = E['emits'][number];
/** What a handler may ask of its caller, beyond the row's own permission. */
export type MayNeed<E extends Endpoint> = E['mayNeed'] extends readonly string[] ? Extract<E['mayNeed'][number], Permission> : never;

type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParams<Rest> : never;
/** A path with a parameter that `PATH_PARAMETERS` does not know is no path. */
type KnownPath<P extends string> = [Exclude<PathParams<P>, PathParameter>] extends [never] ? P : never;

/** Keeps a row's literal types, so that handlers know their body, their codes and their events. */
export const endpoint = <const E extends Endpoint>(row: E & { readonly path: KnownPath<E['path']> }): E => row;

export type ParamsOf<E extends Endpoint> = Readonly<Record<PathParams<E['path']>, string>>;

const NO_PERMISSIONS: readonly Permission[] = [];

/** The permissions that a caller has to hold, every one of them. */
export const permissionsOf = ({ permissions }: Endpoint): readonly Permission[] =>
  permissions === undefined || 'none' in permissions ? NO_PERMISSIONS : permissions;

/** Returns `true` (always), `when_reducing` (only for a change that lowers enforcement) or `may` (depends on the resource or the body). */
export const stepUpOfRow = (row: Endpoint): true | 'when_reducing' | 'may' | undefined => {
  const asked = permissionsOf(row).map(stepUpOf);
  if (row.stepUp === true || asked.includes(true)) return true;
  return asked.find((each) => each !== false) || (row.mayNeed?.includes('step_up') ? 'may' : undefined);
};

/** Returns what an API key may do with it; undefined if no key can reach it, if it only reads, or if the row leaves it out. */
export const automationRule = (row: Endpoint): AutomationRule | undefined => {
  if (row.credential !== 'caller' || row.method === 'GET') return undefined;
  return row.automation ?? (stepUpOfRow(row) === true ? 'STEP_UP' : undefined);
};

/** Whether a session without the second factor that its organization requires is refused. */
export const needsFactor = ({ credential, beforeFactor }: Endpoint): boolean =>
  (credential === 'person' || credential === 'caller') && beforeFactor !== true;

/** Whether it gives something from or until a time, so that nobody may be served it by a clock that could be wrong. */
export const needsSureClock = (row: Endpoint): boolean => row.method !== 'GET' && !row.emergency && !row.byAnyClock;

/** Whether it makes something new in an organization, which its subscription has to cover. */
export const createsSomething = (row: Endpoint): boolean => row.status === 201 && permissionsOf(row).length > 0;

/** Whether it is refused while the organization waits for its deletion: whatever changes something and neither stops anything nor is about a person alone. */
export const stopsAtEnding = (row: Endpoint): boolean =>
  row.method !== 'GET' && permissionsOf(row).length > 0 && !row.emergency && row.writesNothing !== 'always' && !row.whileEnding;

/** Who is not known yet, or sends what takes no body, is not given the memory for a large one. */
export const bodyBytesMaxOf = (row: Endpoint): number =>
  row.bodyBytesMax ??
  (row.credential === 'none' || row.body === undefined ? LIMITS.bodies.unprovenBytesMax : LIMITS.bodies.requestBytesMax);

/** What the HTTP layer itself may answer, by kind of row; a handler never answers these. */
export const commonRefusals = (row: Endpoint): readonly ErrorCode[] => [
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
  ...(permissionsOf(row).length > 0 || row.session === 'opens' || (row.credential !== 'agent' && row.credential !== 'none')
    ? (['PERMISSION_DENIED'] as const)
    : []),
  ...(stepUpOfRow(row) ? (['STEP_UP_REQUIRED'] as const) : []),
  ...(stopsAtEnding(row) ? (['INVALID_STATE_TRANSITION'] as const) : []),
  ...(createsSomething(row) ? (['SUBSCRIPTION_REQUIRED'] as const) : []),
  ...(row.idempotent ? (['IDEMPOTENCY_KEY_REUSED', 'CONFLICT'] as const) : []),
  ...(parameterNamesOf(row.path).length > 0 ? (['NOT_FOUND'] as const) : []),
];
