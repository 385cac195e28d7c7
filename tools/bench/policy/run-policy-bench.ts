import { connectAsOwner } from '@svc/testing/database/database.ts';
import { startChild } from '../child.ts';
import { type BenchMachine, readMachine } from '../machine.ts';
import { type CleanupSteps, startService } from '../service.ts';
import { type InProcessReport, measureInProcess } from './in-process.ts';
import { installCerbos } from './install-cerbos.ts';
import { type HttpReport, measureOverHttp } from './over-http.ts';
import type { PolicyPlan } from './plan.ts';

export type PolicyReport = {
  readonly plan: PolicyPlan;
  readonly machine: BenchMachine;
  readonly inProcess: InProcessReport;
  readonly overHttp: HttpReport;
  /** Why Cerbos is missing from the second table, if it is. */
  readonly cerbosMissing: string | null;
};

const readVersion = async (databaseUrl: string): Promise<string> => {
  const client = await connectAsOwner(databaseUrl);
  const { rows } = await client.query("select current_setting('server_version') as version");
  await client.end();
  return rows[0].version;
};

const undoAll = async (undo: CleanupSteps): Promise<void> => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
};

/** Runs the whole bench to the end of every process it started, also if it is interrupted. */
export const runPolicyBench = async (plan: PolicyPlan, log: (line: string) => void): Promise<PolicyReport> => {
  const undo: CleanupSteps = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void undoAll(undo).then(() => process.exit(130)));
  try {
    log('Five engines in one process ...');
    const inProcess = await measureInProcess(plan.inProcess);
    log('Starting the service on a fresh database, and looking for Cerbos ...');
    const cerbos = await installCerbos();
    const [service, generator] = [await startService(undo), await startChild('generator.ts', undo)];
    const program = 'program' in cerbos ? cerbos.program : undefined;
    const overHttp = await measureOverHttp(plan.http, service, generator, program, log);
    const machine = readMachine(await readVersion(service.databaseUrl));
    return { plan, machine, inProcess, overHttp, cerbosMissing: 'missing' in cerbos ? cerbos.missing : null };
  } finally {
    await undoAll(undo);
  }
};
