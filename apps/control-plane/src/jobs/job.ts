import type { EventType } from '@svc/contract/tables/events.ts';
import { orRefusal } from '@svc/http/answers/error-to-wire.ts';
import { type Actor, type Change, change } from '@svc/postgres/change/change.ts';
import { takeSweepLock } from '@svc/postgres/change/sweep-lock.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { traceIdOf } from '@svc/program/ids/trace.ts';
import type { Logger } from 'pino';

export type JobDeps = {
  readonly database: Database;
  /** Finds the organizations that have something to do; whatever is done is done inside one of them. */
  readonly identity: Database;
  readonly log: Logger;
  /** The database's time, so that nothing ends early or late by a clock of this machine. */
  readonly clock: () => Date;
  /** No round begins while this says no; without it the clock is always sure. */
  readonly isClockSure?: () => boolean;
};

export type Job = {
  readonly name: string;
  readonly everyMs: number;
  readonly findOrganizations: (identity: Database, now: Date) => Promise<string[]>;
  /** One bounded step in one organization; true while there is more to do. */
  readonly step: (change: Change<EventType>, organizationId: string, now: Date) => Promise<boolean>;
};

const CLOCK: Actor = { type: 'SYSTEM', id: 'system', name: null };

/** One change in one organization that nobody asked for but the clock. */
export const changeByClock = <Result>(
  { database }: Pick<JobDeps, 'database'>,
  organizationId: string,
  now: Date,
  work: (change: Change<EventType>) => Promise<Result>,
) => {
  const context = {
    scope: { organization_id: organizationId },
    actor: CLOCK,
    requestId: newId('request'),
    traceId: traceIdOf(undefined),
    now,
    newEventId: () => newId('audit_event'),
  };
  return change<EventType, Result>(database, context, work);
};

/** Of several replicas one takes the step; the others find nothing to do. */
const takeStep = (deps: JobDeps, job: Job, organizationId: string): Promise<boolean> => {
  const now = deps.clock();
  return changeByClock(deps, organizationId, now, async (each) =>
    (await takeSweepLock(each.tx, job.name, organizationId)) ? await job.step(each, organizationId, now) : false,
  );
};

/** Runs a job once over every organization that needs it. What breaks in one is told and holds up none of the others. */
export const runJob = async (deps: JobDeps, job: Job, isStopped: () => boolean = () => false): Promise<void> => {
  const tell = (organizationId?: string) => (error: unknown) =>
    deps.log.warn({ err: error, job: job.name, organization_id: organizationId }, 'a job broke off and is tried again');
  const organizations = await orRefusal(() => job.findOrganizations(deps.identity, deps.clock()), tell());
  if (!Array.isArray(organizations)) return;
  // A step of each in turn: one that has much to do holds up none of the others.
  for (let left: readonly string[] = organizations; left.length > 0 && !isStopped(); ) {
    const unfinished: string[] = [];
    for (const organizationId of left) {
      if (isStopped()) return;
      if ((await orRefusal(() => takeStep(deps, job, organizationId), tell(organizationId))) === true) unfinished.push(organizationId);
    }
    left = unfinished;
  }
};
