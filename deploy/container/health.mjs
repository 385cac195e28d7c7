// Exits with 0 if the program of this container answers that it is alive. The program is named by the command line of process 1.
import { readFileSync } from 'node:fs';

const words = readFileSync('/proc/1/cmdline', 'utf8');
const workerAddress = process.env.SVC_WORKER_METRICS ?? '9465';
const ports = {
  'control-plane': process.env.CONTROL_PLANE_PORT ?? '4000',
  gateway: process.env.GATEWAY_PORT ?? '4100',
  worker: workerAddress.slice(workerAddress.lastIndexOf(':') + 1),
};
const program = Object.keys(ports).find((name) => new RegExp(`(^|[/\\0])${name}([./\\0]|$)`).test(words));
// A command for operators has no port.
if (program === undefined) process.exit(0);
try {
  const { status } = await fetch(`http://127.0.0.1:${ports[program]}/health/live`, { signal: AbortSignal.timeout(4_000) });
  process.exit(status === 200 ? 0 : 1);
} catch {
  process.exit(1);
}
