import type { Child } from './child.ts';
import type { JobReport, LoadJob } from './job.ts';
import { canMeasure, getFamilyMicros, getProcessMicros } from './processor-time.ts';

/** Result of one period of load. Processor time is in microseconds per operation, null if the system does not report it. */
export type LoadMeasure = {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeMicros: number | null;
  readonly postgresMicros: number | null;
  /** Processor time of other processes on the path, if reported. */
  readonly besidesMicros: number | null;
};

/** Processor time of each program per decision, from its request until its events are sealed, in microseconds. */
export type ProgramMicros = { readonly gateway: number; readonly postgres: number; readonly worker: number; readonly controlPlane: number };

export type LoadTarget = {
  /** The server process under load. */
  readonly pid: number;
  /** The database's first process; null if the server has none. */
  readonly postgresPid: number | null;
  /** Other processes that take part. */
  readonly besides?: readonly number[];
};

export type MeasuredJob = { readonly measure: LoadMeasure; readonly report: JobReport };

/** Runs one job and reads the servers' processor time around it. A wrong response invalidates a bench, so it ends there. */
export const measure = async (generator: Child, target: LoadTarget, job: LoadJob): Promise<MeasuredJob> => {
  const { besides = [] } = target;
  const read = () => ({
    node: getProcessMicros(target.pid),
    postgres: target.postgresPid === null ? 0 : getFamilyMicros(target.postgresPid),
    besides: besides.reduce((sum, pid) => sum + getProcessMicros(pid), 0),
  });
  const before = read();
  const report = (await generator.ask(job)) as JobReport;
  const after = read();
  if (report.wrong > 0)
    throw new Error(`${report.wrong} of ${report.answered} answers were not the expected ones; the first:\n${report.complaint}`);
  const { answered, tookMs, p50Ms, p99Ms } = report;
  const each = (micros: number): number | null => (canMeasure && answered > 0 ? micros / answered : null);
  return {
    report,
    measure: {
      answered,
      perSecond: (answered * 1000) / tookMs,
      p50Ms,
      p99Ms,
      nodeMicros: each(after.node - before.node),
      postgresMicros: target.postgresPid === null ? null : each(after.postgres - before.postgres),
      besidesMicros: besides.length === 0 ? null : each(after.besides - before.besides),
    },
  };
};
