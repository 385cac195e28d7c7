import type { Readable } from 'node:stream';
import type { Endpoints, PlaneOperation } from '@svc/contract/endpoints.ts';
import type {
  EmittedBy,
  Endpoint,
  EndpointBody,
  EndpointQuery,
  EndpointResult,
  MayNeed,
  ParamsOf,
  RefusedBy,
} from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Watcher } from '@svc/enforcement/facts/watcher.ts';
import type { Change, Changed, ConstraintRefusals, EventActor } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import type { NotedFacts } from '@svc/program/log/new-logger.ts';
import type { Logger } from 'pino';
import type { SerializedResult } from '../answers/written.ts';
import type { ListSection } from '../lists/list-section.ts';
import type { A2aAnswer } from '../wires/a2a.ts';
import type { Bytes } from '../wires/bytes.ts';
import type { Download } from '../wires/download.ts';
import type { McpAnswer } from '../wires/mcp.ts';
import type { StaticPage } from '../wires/page.ts';
import type { StreamResult } from '../wires/stream.ts';

/** A signed-in person or an API key. */
export type Caller = {
  readonly actor: EventActor;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Time from which the organization no longer exists; null unless its deletion is scheduled. */
  readonly organizationDeletesAt: string | null;
  /** Lists of networks, each of which must contain the caller's address; an empty one contains any. */
  readonly networks: readonly (readonly string[])[];
  readonly roleId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The workspaces that a member or a key is limited to; null for the whole organization. */
  readonly workspaceIds: readonly string[] | null;
  /** Length of the chain of keys that created it, including itself; 0 for a person. */
  readonly keysBehind: number;
  readonly credentialId: string;
  /** The emergency access of its session; null without one, and for an API key. */
  readonly breakGlassId: string | null;
  /** Sign-in that all sessions opened from one another share; null for an API key. */
  readonly signInId: string | null;
  /** The person's epoch that the session is based on; null for an API key. */
  readonly personEpoch: number | null;
  /** For a terminal's session: the sign-in of the browser that approved it. */
  readonly approvedBySignInId: string | null;
  readonly expiresAt: string;
  /** Time when the session was opened; null for an API key. */
  readonly openedAt: string | null;
  readonly email: string | null;
  /** The proofs of a session; empty for an API key. */
  readonly amr: readonly Proof[];
  /** Proofs that count in this organization only, because its provider vouched for them. */
  readonly vouchedAmr: readonly Proof[];
  /** True if the organization requires a second factor that the session lacks. */
  readonly lacksFactor: boolean;
  /** Time until which a step-up is valid; always null for an API key, which can never step up. */
  readonly steppedUpUntil: string | null;
  /** True if this use of the credential must be recorded. */
  readonly isUseDue: boolean;
};

/** An agent with a verified token. Its permissions are never read from the token. */
export type AgentCaller = {
  readonly agentId: string;
  /** Null if the pipeline checks its session, which reads the name itself. */
  readonly name: string | null;
  readonly organizationId: string;
  readonly environmentId: string;
  readonly generation: number;
  readonly sessionId: string;
  readonly sessionSeries: number;
  /** Flow context of the session; null if its assertion named none. */
  readonly context: string | null;
  /** Its client library as it claims. */
  readonly sdkName: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

/** The directory that provisions an organization, by its token. */
export type DirectoryCaller = {
  readonly organizationId: string;
  /** Creator of the token: the directory's permissions are at most theirs. */
  readonly madeBy: string;
  /** Like those of any caller. */
  readonly networks: Caller['networks'];
};

/** The caller as handlers see it: permissions are checked, and only those that the row names. */
export type KnownCaller = Omit<Caller, 'permissions'>;

type CallerOf<E extends Endpoint> = E['credential'] extends 'person' ? Caller : E['credential'] extends 'caller' ? KnownCaller : undefined;
type DirectoryOf<E extends Endpoint> = E['credential'] extends 'directory' ? DirectoryCaller : undefined;
type AgentOf<E extends Endpoint> = E['credential'] extends 'agent' ? AgentCaller : undefined;

/** Input from which a wire formats its response. */
type AnsweredBy<E extends Endpoint> = E['wire'] extends 'page' | 'posted-page'
  ? StaticPage
  : E['wire'] extends 'bytes'
    ? Bytes
    : E['wire'] extends 'download'
      ? Download
      : E['wire'] extends 'stream'
        ? StreamResult
        : E['wire'] extends 'mcp'
          ? McpAnswer
          : E['wire'] extends 'a2a'
            ? A2aAnswer
            : EndpointResult<E> | SerializedResult<EndpointResult<E>> | ListSection<EndpointResult<E>>;

type AssetOf<E extends Endpoint> = E['assets'] extends readonly string[] ? E['assets'][number] : never;

/** Codes that a handler may return: those of its row; others do not compile. */
export type HandlerResult<E extends Endpoint> = AnsweredBy<E> | Refusal<RefusedBy<E>>;

/** Input of a handler for one request: validated input, the caller, and the only way to write. */
export type Call<E extends Endpoint> = {
  readonly params: ParamsOf<E>;
  readonly query: EndpointQuery<E>;
  readonly body: EndpointBody<E>;
  readonly caller: CallerOf<E>;
  readonly agent: AgentOf<E>;
  readonly directory: DirectoryOf<E>;
  /** True if the caller has a permission that only some requests to this row need. */
  readonly holds: (permission: MayNeed<E>) => boolean;
  /** Returns which of these permissions the caller lacks. */
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
  /** The caller's scope: the organization, or the workspace or environment it is limited to. */
  readonly scope: TenantScope;
  readonly requestId: string;
  readonly traceId: string;
  readonly now: Date;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  /** For a page: the requested asset; undefined for the page itself. */
  readonly asset: AssetOf<E> | undefined;
  /** For a page: true if the client prefers HTML to JSON. */
  readonly wantsHtml: () => boolean;
  /** Returns a cookie of the request; undefined if it is missing or ambiguous. */
  readonly cookie: (name: string) => string | undefined;
  /** For a file: its bytes as they arrive; null if there are none. The handler reads and bounds them. */
  readonly arriving: Readable | null;
  /** For a stream: the id to resume from. */
  readonly lastEventId: string | undefined;
  /** Returns a header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Method and target of the request as they were sent, and whether the path is below that of the row. */
  readonly requestLine: { readonly method: string; readonly target: string; readonly isSubPath: boolean };
  /** Adds a cookie to the response, as a line of `Set-Cookie`. */
  readonly setCookie: (line: string) => void;
  /** True if the request comes from the machine of this plane, without a proxy. */
  readonly isFromHere: () => boolean;
  /** True if a page of this plane requests it, which keeps results in cookies. */
  readonly isOwnPage: () => boolean;
  /** True if a page of another site sent the browser here without a click. */
  readonly isSentByOthers: () => boolean;
  readonly idempotencyKey: string | undefined;
  /** Releases the slot for decisions: the rest waits for another server. */
  readonly onCall: () => void;
  /**
   * Releases its slot altogether: nothing happens until an event that it waits for, which is bounded elsewhere. The caller is authenticated
   * and authorized again before the response.
   */
  readonly onRest: () => void;
  /** Queues expensive work fairly by organization. A request has a slot when it begins; work after a wait needs this. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** True if the client disconnected. */
  readonly isGone: () => boolean;
  /** Telemetry of the request; undefined without it. */
  readonly watcher: Watcher | undefined;
  readonly log: Logger;
  /** Adds facts to the log line of this request. */
  readonly note: (facts: NotedFacts) => void;
  readonly database: Database;
  readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun>;
  readonly refuse: <C extends RefusedBy<E> & ErrorCode>(
    code: C,
    message?: string,
    details?: Readonly<Record<string, unknown>>,
  ) => Refusal<C>;
  /** Builds VALIDATION_FAILED at one position of the body. */
  readonly fault: (pointer: string, message: string) => Refusal<'VALIDATION_FAILED'>;
  /** Runs one transaction: rows, audit events, epochs and the idempotency record commit together. */
  readonly change: <Result, R extends Refusal<RefusedBy<E>> = never>(
    work: (change: Change<EmittedBy<E>>) => Promise<Result>,
    onConflict?: ConstraintRefusals<R>,
    /** Scope and actor for rows without a caller, such as sign-up. */
    as?: { readonly scope: TenantScope; readonly actor: EventActor },
  ) => Promise<Changed<Result> | R>;
};

export type Handler<E extends Endpoint, Deps> = (call: Call<E>, deps: Deps) => Promise<HandlerResult<E>> | HandlerResult<E>;

/** One handler per row of the plane: a missing one does not compile. */
export type Handlers<Plane extends Endpoint['plane'], Deps> = {
  readonly [Name in PlaneOperation<Plane>]: Handler<Endpoints[Name], Deps>;
};

/** Handlers of one area: one of another area does not compile either. */
export type AreaHandlers<Plane extends Endpoint['plane'], Area extends Endpoint['area'], Deps> = {
  readonly [Name in PlaneOperation<Plane> as Endpoints[Name]['area'] extends Area ? Name : never]: Handler<Endpoints[Name], Deps>;
};
