import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listMisnamedSettings } from '@svc/contract/tables/misnamed-settings.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { listFaults } from './faults/list-faults.ts';
import { StoryFault } from './faults/story-fault.ts';
import { describeService } from './start/announce.ts';
import { HELP, readArguments } from './start/read-arguments.ts';
import { type StartedService, startService } from './start/start-service.ts';
import { type Stoppable, stopInOrder } from './stop/stop-in-order.ts';
import { listenForStop } from './stop/stop-signals.ts';

const tell = (line: string): void => console.log(line);
const complain = (line: string): void => console.error(line);

/** Loaded only on request. A failure to create demo data is reported and does not stop the service. */
const addDemo = async (service: StartedService): Promise<void> => {
  const { seedDemo } = await import('./demo/seed/seed-demo.ts');
  try {
    await seedDemo(service, tell);
  } catch (error) {
    if (!(error instanceof StoryFault)) throw error;
    complain(`The demo data is not complete: ${error.message}`);
  }
};

// A closed terminal must not prevent an orderly shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..');
const asked = readArguments(process.argv.slice(2), process.env);
if ('what' in asked && asked.what !== 'start') {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  tell(asked.what === 'help' ? HELP : version);
  process.exit(0);
}

const { signal, asked: askedToStop, hurry } = listenForStop();
for (const sentence of listMisnamedSettings(Object.keys(process.env))) complain(sentence);

// Settings for another PostgreSQL must not affect connections to the embedded one.
if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];

const started: Stoppable[][] = [];
let exitCode = 0;
try {
  if ('fault' in asked) throw new LaunchFault(asked.fault);
  const withDemo = asked.what === 'start' && asked.withDemo;
  const service = await startService({ env: process.env, projectRoot, log: tell, signal, started });
  tell(describeService(service, performance.now()));
  if (withDemo) await addDemo(service);
  const broken = await Promise.race([askedToStop, service.broken]);
  if (broken === undefined) tell('Stopping ...');
  else {
    complain(broken);
    exitCode = 1;
  }
} catch (error) {
  const faults = signal.aborted ? [] : listFaults(error);
  if (faults === undefined) throw error;
  for (const fault of faults) complain(fault);
  exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await stopInOrder(started, hurry);
}
if (exitCode === 0) tell('Stopped.');
process.exit(exitCode);
