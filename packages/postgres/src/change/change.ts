import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import pg from 'pg';
import { appendEvents } from '../audit/append-events.ts';
import type { EmittedEvent, EventActor, EventDetails } from '../audit/emitted-event.ts';
import type { Database } from '../connection/connect.ts';
import { inOtherOrganization } from '../connection/in-other-organization.ts';
import { inTenant, type TenantScope, type TenantTransaction } from '../connection/in-tenant.ts';

export type { EventActor, EventDetails };

/** The context of a change, apart from its rows. */
export type ChangeContext = {
  readonly scope: TenantScope;
  readonly actor: EventActor;
  /** The break-glass grant that the change is made under: its events name it. */
  readonly breakGlassId?: string | null;
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

/** A refusal whose rows and events are committed, for example a failed sign-in that is counted. */
export type KeptRefusal<R extends Refusal> = { readonly kept: R };
export const keep = <R extends Refusal>(refused: R): KeptRefusal<R> => ({ kept: refused });
export const isKept = (value: unknown): value is KeptRefusal<Refusal> => typeof value === 'object' && value !== null && 'kept' in value;

/** A result of work that had no effect without a refusal: its rows and events are rolled back. */
export type Undone<Value> = { readonly undone: Value };
export const undo = <const Value>(value: Value): Undone<Value> => ({ undone: value });
export const isUndone = (value: unknown): value is Undone<unknown> => typeof value === 'object' && value !== null && 'undone' in value;

/** The result of a change: that of its work, unwrapped from `keep` and `undo`. */
export type Changed<Result> =
  | Exclude<Result, KeptRefusal<Refusal> | Undone<unknown>>
  | (Result extends KeptRefusal<infer R> ? R : never)
  | (Result extends Undone<infer Value> ? Value : never);

class RolledBack extends Error {
  readonly told: unknown;
  constructor(told: unknown) {
    super('rolled back');
    this.told = told;
  }
}

/** A circle of waiting that the server broke, or an order that it could not keep: it undid the whole transaction, and nothing of it was seen. */
const BROKEN_OFF = new Set(['40P01', '40001']);
const TRIES = 3;

/** Retries a transaction that the server aborted (deadlock or serialization failure), since the other one has finished. */
const again = async <Result>(transaction: () => Promise<Result>, left = TRIES - 1): Promise<Result> =>
  transaction().catch((error: unknown) => {
    if (left > 0 && error instanceof pg.DatabaseError && BROKEN_OFF.has(error.code ?? '')) return again(transaction, left - 1);
    throw error;
  });

const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined;

/** Adds events to the records they belong into, which are nearly always that of the change alone. */
const appendToEach = async (tx: TenantTransaction, here: string, told: readonly EmittedEvent[]): Promise<void> => {
  await appendEvents(
    tx,
    told.filter(({ organization_id }) => organization_id === here),
  );
  const elsewhere = told.filter(({ organization_id }) => organization_id !== here);
  for (const [organizationId, events] of Map.groupBy(elsewhere, ({ organization_id }) => organization_id))
    await inOtherOrganization(tx, { from: here, to: organizationId }, () => appendEvents(tx, events));
};

/**
 * The only way to write: rows, their audit events and the epochs they change commit together or not at all (transactional outbox).
 * A refusal that `work` returns rolls everything back, unless it is wrapped in `keep`; so does a result wrapped in `undo`.
 * `work` is run again if the server aborted it to resolve a deadlock, so it must have no effect except through `tx` and `emit`.
 */
export const change = async <Emitted extends EventType, Result, R extends Refusal<ErrorCode> = never>(
  database: Database,
  context: ChangeContext,
  work: (change: Change<Emitted>) => Promise<Result>,
  onConflict?: ConstraintRefusals<R>,
): Promise<Changed<Result> | R> => {
  const { actor, now: occurred_at, requestId: request_id, traceId: trace_id } = context;
  const shared = { occurred_at, actor, request_id, trace_id };
  const transaction = async (tx: TenantTransaction): Promise<Changed<Result>> => {
    const events: (EventDetails & { type: EventType })[] = [];
    const result = await work({ tx, emit: (type, details) => events.push({ type, ...details }) });
    if (isRefusal(result)) throw new RolledBack(result);
    if (isUndone(result)) throw new RolledBack(result.undone);
    const told = events.map(({ elsewhere, ...event }) => {
      const organization_id = elsewhere ?? context.scope.organization_id;
      const data = context.breakGlassId ? { ...event.data, break_glass: context.breakGlassId } : event.data;
      return { ...event, ...(data === undefined ? {} : { data }), ...shared, organization_id, id: context.newEventId() };
    });
    await appendToEach(tx, context.scope.organization_id, told);
    return (isKept(result) ? result.kept : result) as Changed<Result>;
  };
  return again(() => inTenant(database, context.scope, transaction)).catch((error: unknown): Changed<Result> | R => {
    if (error instanceof RolledBack) return error.told as Changed<Result>;
    const refused = onConflict?.[violatedConstraint(error) ?? ''];
    if (refused) return refused();
    throw error;
  });
};
