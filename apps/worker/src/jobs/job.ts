import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { type Change, change } from '@svc/postgres/change/change.ts';
import { takeSweepLock } from '@svc/postgres/change/sweep-lock.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import { createSystemContext, newSystemIds, type SystemIds } from '../system-context.ts';
import type { JobMeter } from './job-meter.ts';

export type JobDeps = {
  readonly database: Database;
  /** Finds the organizations with work. The work itself is done inside one of them. */
  readonly identity: Database;
  readonly log: Logger;
  /** The database's time, so that the clock of this machine ends nothing early or late. */
  readonly clock: () => Date;
  /** No round begins while this returns false; without it the clock always counts as certain. */
  readonly isClockSure?: () => Promise<boolean>;
  /** Counts rounds and failures. */
  readonly meter?: JobMeter | undefined;
};

/** A job writes the events that CLOCK_EVENTS lists for it, or none. */
export type Job<Emitted extends ClockEvent = never> = {
  readonly name: string;
  readonly everyMs: number;
  readonly findOrganizations: (identity: Database, now: Date) => Promise<string[]>;
  /** One bounded step in one organization; returns true while there is more to do. */
  readonly step: (change: Change<Emitted>, organizationId: string, now: Date) => Promise<boolean>;
};

/** A job with any events. */
export type AnyJob = Job<ClockEvent>;

/** Makes one change in an organization without a request. */
export const changeByClock = <Result>(
  { database, ids = newSystemIds() }: Pick<JobDeps, 'database'> & { readonly ids?: SystemIds },
  organizationId: string,
  now: Date,
  work: (change: Change<ClockEvent>) => Promise<Result>,
) => change<ClockEvent, Result>(database, createSystemContext(organizationId, now, ids), work);

/** One of several replicas takes the step; the others find nothing to do. */
const takeStep = (deps: JobDeps & { readonly ids: SystemIds }, job: AnyJob, organizationId: string): Promise<boolean> => {
  const now = deps.clock();
  return changeByClock(deps, organizationId, now, async (each) =>
    (await takeSweepLock(each.tx, job.name, organizationId)) ? await job.step(each, organizationId, now) : false,
  );
};

/** Runs a part of a job. Logs a failure with the ids of its audit events; a later round retries. */
export const runPart = <Result>(
  deps: Pick<JobDeps, 'log' | 'meter'>,
  job: string,
  organizationId: string | undefined,
  work: (ids: SystemIds) => Promise<Result>,
): Promise<Result | Refusal> => {
  const ids = newSystemIds();
  return runOrRefuse(
    () => work(ids),
    (error) => {
      deps.meter?.failed(job);
      const line = { request_id: ids.requestId, trace_id: ids.traceId, err: error, job, organization_id: organizationId };
      deps.log.warn(line, 'a job broke off and is tried again');
    },
  );
};

const never = (): boolean => false;

/**
 * Runs a job once for every organization with work. A failure in one does not stop the others. `isOver` is called when each had a step: the
 * next round does the rest, and finds new organizations.
 */
export const runJob = async (deps: JobDeps, job: AnyJob, isStopped = never, isOver = never): Promise<void> => {
  const organizations = await runPart(deps, job.name, undefined, () => job.findOrganizations(deps.identity, deps.clock()));
  if (!Array.isArray(organizations)) return;
  // One step each in rotation: an organization with much work does not delay others.
  for (let left: readonly string[] = organizations; left.length > 0 && !isStopped(); ) {
    const unfinished: string[] = [];
    for (const organizationId of left) {
      if (isStopped()) return;
      const step = (ids: SystemIds) => takeStep({ ...deps, ids }, job, organizationId);
      if ((await runPart(deps, job.name, organizationId, step)) === true) unfinished.push(organizationId);
    }
    if (isOver()) return;
    left = unfinished;
  }
};
