import type { Readable } from 'node:stream';
import type { Endpoints, OperationsOf } from '@svc/contract/endpoints.ts';
import type { BodyOf, EmittedBy, Endpoint, MayNeed, ParamsOf, QueryOf, RefusedBy, ResultOf } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Watcher } from '@svc/enforcement/facts/watcher.ts';
import type { Actor, Change, Changed, ConstraintRefusals } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import type { NotedFacts } from '@svc/program/log/new-logger.ts';
import type { Logger } from 'pino';
import type { Written } from '../answers/written.ts';
import type { Part } from '../lists/listed-part.ts';
import type { A2aAnswer } from '../wires/a2a.ts';
import type { Bytes } from '../wires/bytes.ts';
import type { Download } from '../wires/download.ts';
import type { McpAnswer } from '../wires/mcp.ts';
import type { Page } from '../wires/page.ts';
import type { Streamed } from '../wires/stream.ts';

/** A signed-in person or an API key. */
export type Caller = {
  readonly actor: Actor;
  readonly organizationId: string;
  readonly organizationName: string;
  /** From when on there is no organization any more; null while nobody has asked for its deletion. */
  readonly organizationDeletesAt: string | null;
  /** Sets of networks, each of which has to admit the address it calls from; an empty one admits any. */
  readonly networks: readonly (readonly string[])[];
  readonly roleId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The workspaces a member or a key is limited to; null for the whole organization. */
  readonly workspaceIds: readonly string[] | null;
  /** How many keys it was made with, one after the other, itself included; none for a person. */
  readonly keysBehind: number;
  readonly credentialId: string;
  /** The emergency access that its session acts under; null without one, and for an API key. */
  readonly breakGlassId: string | null;
  /** What all sessions belong to that were opened from one another; null for an API key. */
  readonly signInId: string | null;
  /** The epoch of the person that the session rests on; null for an API key. */
  readonly personEpoch: number | null;
  /** Of a terminal's session: the sign-in of the browser that approved it. */
  readonly approvedBySignInId: string | null;
  readonly expiresAt: string;
  /** When a session was opened; null for an API key. */
  readonly openedAt: string | null;
  readonly email: string | null;
  /** The proofs that a session rests on; none for an API key. */
  readonly amr: readonly Proof[];
  /** Those of them that count in this organization only, because its provider vouched for them. */
  readonly vouchedAmr: readonly Proof[];
  /** Whether the organization requires a second factor that the session does not rest on. */
  readonly lacksFactor: boolean;
  /** Until when a step-up holds; always null for an API key, which can never step up. */
  readonly steppedUpUntil: string | null;
  /** Whether this use of the credential is to be noted. */
  readonly isUseDue: boolean;
};

/** An agent by its verified token. What it may do is never read from the token. */
export type AgentCaller = {
  readonly agentId: string;
  /** Null where the pipeline checks its session, which reads the name itself. */
  readonly name: string | null;
  readonly organizationId: string;
  readonly environmentId: string;
  readonly generation: number;
  readonly sessionId: string;
  readonly sessionSeries: number;
  /** Flow context of the session; null if its assertion named none. */
  readonly context: string | null;
  /** Its client library by its own account. */
  readonly sdkName: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

/** The directory that provisions an organization, by its token. */
export type DirectoryCaller = {
  readonly organizationId: string;
  /** The person who made the token: it reaches nobody whom they do not. */
  readonly madeBy: string;
  /** As of any caller. */
  readonly networks: Caller['networks'];
};

/** As most handlers see the caller: permissions are asked for, and only those that the row names. */
export type KnownCaller = Omit<Caller, 'permissions'>;

type CallerOf<E extends Endpoint> = E['credential'] extends 'person' ? Caller : E['credential'] extends 'caller' ? KnownCaller : undefined;
type DirectoryOf<E extends Endpoint> = E['credential'] extends 'directory' ? DirectoryCaller : undefined;
type AgentOf<E extends Endpoint> = E['credential'] extends 'agent' ? AgentCaller : undefined;

/** What a wire makes its answer of. */
type AnsweredBy<E extends Endpoint> = E['wire'] extends 'page' | 'posted-page'
  ? Page
  : E['wire'] extends 'bytes'
    ? Bytes
    : E['wire'] extends 'download'
      ? Download
      : E['wire'] extends 'stream'
        ? Streamed
        : E['wire'] extends 'mcp'
          ? McpAnswer
          : E['wire'] extends 'a2a'
            ? A2aAnswer
            : ResultOf<E> | Written<ResultOf<E>> | Part<ResultOf<E>>;

type AssetOf<E extends Endpoint> = E['assets'] extends readonly string[] ? E['assets'][number] : never;

/** Codes a handler may answer: those of its row; anything else does not compile. */
export type HandlerResult<E extends Endpoint> = AnsweredBy<E> | Refusal<RefusedBy<E>>;

/** What one request hands to its handler: checked input, who asks, and the one way to write. */
export type Call<E extends Endpoint> = {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: CallerOf<E>;
  readonly agent: AgentOf<E>;
  readonly directory: DirectoryOf<E>;
  /** Whether the caller, person or key, holds what only some requests to this row need. */
  readonly holds: (permission: MayNeed<E>) => boolean;
  /** What the caller would need besides, to have all of these. */
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
  /** What the caller may see here: the organization, or the workspace or environment it is limited to. */
  readonly scope: TenantScope;
  readonly requestId: string;
  readonly traceId: string;
  readonly now: Date;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  /** Of a page: which of its assets is asked for; undefined where it is the page itself. */
  readonly asset: AssetOf<E> | undefined;
  /** Of a page: whether whoever asks would rather have HTML than JSON. */
  readonly wantsHtml: () => boolean;
  /** A cookie of the request; undefined where there is none, or more than one of the name. */
  readonly cookie: (name: string) => string | undefined;
  /** Of a file: its bytes as they arrive; null where none are sent. Read by the handler, which bounds them. */
  readonly arriving: Readable | null;
  /** Of a stream: what it is taken up again by. */
  readonly lastEventId: string | undefined;
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Method and target of the request as they were sent, and whether the path is below that of the row. */
  readonly requestLine: { readonly method: string; readonly target: string; readonly isSubPath: boolean };
  /** Adds a cookie to the answer, as a line of `Set-Cookie`. */
  readonly setCookie: (line: string) => void;
  /** Whether it was asked on the machine of this plane, and by nobody who passed it on. */
  readonly isFromHere: () => boolean;
  /** Whether a page of this plane asks, which keeps what it is given in cookies. */
  readonly isOwnPage: () => boolean;
  /** Whether a page of another site sent the browser here without its person having clicked. */
  readonly isSentByOthers: () => boolean;
  readonly idempotencyKey: string | undefined;
  /** Gives up the place among those that are decided: what follows waits for somebody else. */
  readonly onCall: () => void;
  /**
   * Gives up its place altogether: nothing is done for it until something happens that it waits for, which is bounded elsewhere. Who it is
   * and whether they may is asked once more before it is answered.
   */
  readonly onRest: () => void;
  /**
   * Runs what is dear when it is the turn of the organization. A request has its turn when it begins; what it does after it has waited for
   * something is in nobody's turn but by this.
   */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Whether whoever asked has hung up. */
  readonly isGone: () => boolean;
  /** Told how the request goes; undefined while nobody watches. */
  readonly watcher: Watcher | undefined;
  readonly log: Logger;
  /** Adds to the line of this request in the log. */
  readonly note: (facts: NotedFacts) => void;
  readonly database: Database;
  readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun>;
  readonly refuse: <C extends RefusedBy<E> & ErrorCode>(
    code: C,
    message?: string,
    details?: Readonly<Record<string, unknown>>,
  ) => Refusal<C>;
  /** VALIDATION_FAILED at one place of the body. */
  readonly fault: (pointer: string, message: string) => Refusal<'VALIDATION_FAILED'>;
  /** One transaction: rows, audit events, epochs and the idempotency record commit together. */
  readonly change: <Result, R extends Refusal<RefusedBy<E>> = never>(
    work: (change: Change<EmittedBy<E>>) => Promise<Result>,
    onConflict?: ConstraintRefusals<R>,
    /** Overrides for rows without a caller, such as sign-up. */
    as?: { readonly scope: TenantScope; readonly actor: Actor },
  ) => Promise<Changed<Result> | R>;
};

export type Handler<E extends Endpoint, Deps> = (call: Call<E>, deps: Deps) => Promise<HandlerResult<E>> | HandlerResult<E>;

/** One handler per row of the plane: a missing one does not compile. */
export type Handlers<Plane extends Endpoint['plane'], Deps> = {
  readonly [Name in OperationsOf<Plane>]: Handler<Endpoints[Name], Deps>;
};

/** Those of one area: whatever is of another does not compile either. */
export type AreaHandlers<Plane extends Endpoint['plane'], Area extends Endpoint['area'], Deps> = {
  readonly [Name in OperationsOf<Plane> as Endpoints[Name]['area'] extends Area ? Name : never]: Handler<Endpoints[Name], Deps>;
};
