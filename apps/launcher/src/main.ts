import path from 'node:path';
import { DatabaseServerFault } from '@svc/postgres/server/database-server-fault.ts';
import { describeService } from './announce.ts';
import { StoryFault } from './demo/story-fault.ts';
import { LaunchFault } from './launch-fault.ts';
import { type Service, startService } from './start-service.ts';
import { type Stoppable, stopInOrder } from './stop-in-order.ts';
import { listenForStop } from './stop-signals.ts';

const tell = (line: string): void => console.log(line);
const complain = (line: string): void => console.error(line);

/** Undefined for what is no fault of a person's: that is a breakage, to be seen with its stack. */
const faultsOf = (error: unknown): readonly string[] | undefined => {
  if (error instanceof LaunchFault) return error.faults;
  return error instanceof DatabaseServerFault ? [error.message] : undefined;
};

/** Loaded only when it is asked for. That demo data cannot be made is told, and no reason to stop what runs. */
const addDemo = async (service: Service): Promise<void> => {
  const { seedDemo } = await import('./seed-demo.ts');
  try {
    await seedDemo(service, tell);
  } catch (error) {
    if (!(error instanceof StoryFault)) throw error;
    complain(`The demo data is not complete: ${error.message}`);
  }
};

const { signal, asked, hurry } = listenForStop();
// A terminal that is gone must not keep the rest from being stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Settings meant for another PostgreSQL must not bend the connections to the embedded one.
if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];

const started: Stoppable[][] = [];
let exitCode = 0;
try {
  const unknown = process.argv.slice(2).filter((argument) => argument !== '--demo');
  if (unknown.length > 0)
    throw new LaunchFault(`${unknown.join(' ')} means nothing here: run "npm start", or "npm start -- --demo" for demo data.`);
  const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..');
  const service = await startService({ env: process.env, projectRoot, log: tell, signal, started });
  const withDemo = process.argv.includes('--demo');
  tell(describeService(service, performance.now()));
  if (withDemo) await addDemo(service);
  const broken = await Promise.race([asked, service.broken]);
  if (broken === undefined) tell('Stopping ...');
  else {
    complain(broken);
    exitCode = 1;
  }
} catch (error) {
  const faults = signal.aborted ? [] : faultsOf(error);
  if (faults === undefined) throw error;
  for (const fault of faults) complain(fault);
  exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await stopInOrder(started, hurry);
}
if (exitCode === 0) tell('Stopped.');
process.exit(exitCode);
