import type { ChildProcess } from 'node:child_process';
import { letWork, startWorkerProcess, unrefChild } from '../../aside/start-aside.ts';
import type { ProofReply, ProofTask, ScopeResult } from './proof-worker.ts';

/** Maximum duration of one proof; time in the queue does not count. */
export const PROOF_MS_MAX = 10_000;
/** Memory limit of one proof, which protects the memory of the service. */
const MEMORY_MAX_MB = 256;

/** `found` is the result of the process; `given_up` is the number of the scope at which time or memory was used up. */
export type Aside = { readonly found: ScopeResult | null } | { readonly given_up: number };

type Prover = { readonly child: ChildProcess; hear: (reply: ProofReply | 'ended') => void };

let idle: Prover | null = null;

const start = (): Prover => {
  const child = startWorkerProcess(new URL('./proof-worker.ts', import.meta.url), MEMORY_MAX_MB);
  const prover: Prover = { child, hear: () => undefined };
  const end = (): void => {
    if (idle === prover) idle = null;
    prover.hear('ended');
  };
  child.on('message', (reply) => prover.hear(reply as ProofReply));
  child.on('error', end);
  child.on('exit', end);
  return prover;
};

/** Keeps one idle process for the next question without keeping this one alive. */
const keep = (prover: Prover): void => {
  prover.hear = () => undefined;
  if (idle !== null) return void prover.child.kill('SIGKILL');
  idle = prover;
  unrefChild(prover.child);
};

/**
 * Proves in a worker process (a pool that keeps one warm), so that no other call waits. A proof that exceeds its time or memory ends only
 * that process and counts as given up.
 */
export const proveInWorkerProcess = (question: ProofTask): Promise<Aside> =>
  new Promise((resolve) => {
    const prover = idle ?? start();
    idle = null;
    let at = 0;
    const giveUp = (): void => {
      clearTimeout(timer);
      prover.hear = () => undefined;
      prover.child.kill('SIGKILL');
      resolve({ given_up: at });
    };
    const timer = setTimeout(giveUp, PROOF_MS_MAX);
    prover.hear = (reply) => {
      if (reply === 'ended') return giveUp();
      if (reply.kind === 'looking') {
        at = reply.at;
        return;
      }
      clearTimeout(timer);
      keep(prover);
      resolve({ found: reply.found });
    };
    letWork(prover.child);
    // A message that could not be sent is reported by the end of the process.
    prover.child.send(question, () => undefined);
  });
