import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import pg from 'pg';
import { appendEvents } from '../audit/append-events.ts';
import type { Actor, EventDetails } from '../audit/told-event.ts';
import type { Database } from '../connection/connect.ts';
import { inTenant, type TenantScope, type TenantTransaction } from '../connection/in-tenant.ts';

export type { Actor, EventDetails };

/** Everything a change carries besides its own rows. */
export type ChangeContext = {
  readonly scope: TenantScope;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceId: string;
  readonly now: Date;
  readonly newEventId: () => string;
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
  const { actor, now: occurred_at, requestId: request_id, traceId: trace_id } = context;
  const shared = { organization_id: context.scope.organization_id, occurred_at, actor, request_id, trace_id };
  const run = inTenant(database, context.scope, async (tx) => {
    const events: (EventDetails & { type: EventType })[] = [];
    const result = await work({ tx, emit: (type, details) => events.push({ type, ...details }) });
    if (isRefusal(result)) throw new RolledBack(result);
    await appendEvents(
      tx,
      events.map((event) => ({ ...event, ...shared, id: context.newEventId() })),
    );
    return (isKept(result) ? result.kept : result) as Outcome<Result>;
  });
  return run.catch((error: unknown): Outcome<Result> | R => {
    if (error instanceof RolledBack) return error.refused as Outcome<Result>;
    const refused = onConflict?.[violatedConstraint(error) ?? ''];
    if (refused) return refused();
    throw error;
  });
};
