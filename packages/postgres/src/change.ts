import type { ErrorCode } from '@svc/contract/errors.ts';
import { EVENTS, type EventType } from '@svc/contract/events.ts';
import { isRefusal, type Refusal } from '@svc/contract/refusal.ts';
import type { PrincipalType, Severity } from '@svc/contract/vocabulary.ts';
import { maskMembers } from '@svc/policy/mask-members.ts';
import pg from 'pg';
import type { Database } from './connect.ts';
import { inTenant, type TenantScope, type TenantTransaction } from './in-tenant.ts';

export type Actor = { readonly type: PrincipalType; readonly id: string; readonly name: string | null };

/** Everything a change carries besides its own rows. */
export type ChangeContext = {
  readonly scope: TenantScope;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceId: string;
  readonly now: Date;
  readonly newEventId: () => string;
};

export type EventDetails = {
  readonly subject: { readonly type: string; readonly id: string };
  readonly workspace_id?: string | null;
  readonly environment_id?: string | null;
  /** Only to raise what the table of events says. */
  readonly severity?: Severity;
  /** Told to whoever reads the audit: secrets in it are masked when it is written. */
  readonly data?: Readonly<Record<string, unknown>>;
};

export type Change<Emitted extends EventType> = {
  readonly tx: TenantTransaction;
  readonly emit: (type: Emitted, details: EventDetails) => void;
};

/** Named unique constraints and the refusal each one means. */
export type ConstraintRefusals<R extends Refusal> = Readonly<Record<string, () => R>>;

/** A refusal whose rows and events are kept, for example a failed sign-in that is counted. */
export type Kept<R extends Refusal> = { readonly kept: R };
export const keep = <R extends Refusal>(refused: R): Kept<R> => ({ kept: refused });
export const isKept = (value: unknown): value is Kept<Refusal> => typeof value === 'object' && value !== null && 'kept' in value;

class RolledBack extends Error {
  readonly refused: Refusal;
  constructor(refused: Refusal) {
    super('rolled back');
    this.refused = refused;
  }
}

/** Deeper than anything that a change is told by. */
const DATA_DEPTH_MAX = 32;

const insertEvents = async (tx: TenantTransaction, context: ChangeContext, events: readonly (EventDetails & { type: EventType })[]) => {
  if (events.length === 0) return;
  await tx
    .insertInto('audit_events')
    .values(
      events.map((event) => ({
        organization_id: context.scope.organization_id,
        id: context.newEventId(),
        type: event.type,
        occurred_at: context.now,
        workspace_id: event.workspace_id ?? null,
        environment_id: event.environment_id ?? null,
        actor_type: context.actor.type,
        actor_id: context.actor.id,
        actor_name: context.actor.name,
        subject_type: event.subject.type,
        subject_id: event.subject.id,
        severity: event.severity ?? EVENTS[event.type].severity,
        request_id: context.requestId,
        trace_id: context.traceId,
        data: JSON.stringify(maskMembers(event.data ?? {}, DATA_DEPTH_MAX)),
      })),
    )
    .execute();
};

const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined;

type Outcome<Result> = Exclude<Result, Kept<Refusal>> | (Result extends Kept<infer R> ? R : never);

/**
 * The only way to write: rows, their audit events and the epochs they move commit together or not at all.
 * A refusal that `work` returns rolls everything back, unless it is wrapped in `keep`.
 */
export const change = async <Emitted extends EventType, Result, R extends Refusal<ErrorCode> = never>(
  database: Database,
  context: ChangeContext,
  work: (change: Change<Emitted>) => Promise<Result>,
  onConflict?: ConstraintRefusals<R>,
): Promise<Outcome<Result> | R> => {
  const run = inTenant(database, context.scope, async (tx) => {
    const events: (EventDetails & { type: EventType })[] = [];
    const result = await work({ tx, emit: (type, details) => events.push({ type, ...details }) });
    if (isRefusal(result)) throw new RolledBack(result);
    await insertEvents(tx, context, events);
    return (isKept(result) ? result.kept : result) as Outcome<Result>;
  });
  return run.catch((error: unknown): Outcome<Result> | R => {
    if (error instanceof RolledBack) return error.refused as Outcome<Result>;
    const refused = onConflict?.[violatedConstraint(error) ?? ''];
    if (refused) return refused();
    throw error;
  });
};
