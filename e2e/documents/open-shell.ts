import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const readyWithinMs = 60_000;
const READY = /Stop with Ctrl-C\.|"ready":true/;

/** A reader's terminal, whose variables persist. */
export type Shell = {
  /** Runs a script to its end; returns its output. The first failing command ends the shell, and is thrown with its output. */
  readonly run: (script: string) => Promise<string>;
  /** Starts a long-running command in the background; resolves once it is ready. */
  readonly start: (script: string) => Promise<void>;
  /** Sends Ctrl-C to everything that was started, the latest first. */
  readonly stopStarted: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Reads lines of the shell itself; scripts print to files. */
const listen = (bash: ChildProcess): ((answer: RegExp) => Promise<RegExpExecArray>) => {
  const lines: string[] = [];
  let ended = false;
  createInterface({ input: bash.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(line));
  bash.once('close', () => {
    ended = true;
  });
  return async (answer) => {
    for (;;) {
      const found = answer.exec(lines.shift() ?? '');
      if (found) return found;
      if (ended && lines.length === 0) throw new Error('a command failed');
      await sleep(10);
    }
  };
};

/** Starts bash in the folder; every script is stored there with its output. */
export const openShell = (folder: string, env: NodeJS.ProcessEnv): Shell => {
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = listen(bash);
  const send = (line: string): boolean => bash.stdin.write(`${line}\n`);
  const started: number[] = [];
  let scripts = 0;
  const keep = (script: string): { readonly file: string; readonly printed: () => string } => {
    scripts += 1;
    const file = path.join(folder, `typed-${scripts}`);
    writeFileSync(`${file}.sh`, script);
    writeFileSync(`${file}.out`, '');
    return { file, printed: () => readFileSync(`${file}.out`, 'utf8') };
  };
  send('set -euo pipefail');
  const run = async (script: string): Promise<string> => {
    const { file, printed } = keep(script);
    send(`source ${file}.sh > ${file}.out 2>&1 < /dev/null; echo done`);
    await answered(/^done$/).catch((error: Error) => {
      throw new Error(`${error.message}:\n${script}\n${printed()}`);
    });
    return printed();
  };
  const start = async (script: string): Promise<void> => {
    const { file, printed } = keep(script);
    // Job control gives it a process group, which Ctrl-C reaches as a whole.
    send(`set -m; (source ${file}.sh) > ${file}.out 2>&1 < /dev/null & echo started $!; set +m`);
    const [, pid] = await answered(/^started (\d+)$/);
    started.push(Number(pid));
    for (const until = Date.now() + readyWithinMs; !READY.test(printed()); await sleep(50)) {
      if (Date.now() > until) throw new Error(`was not ready in time:\n${script}\n${printed()}`);
    }
  };
  const stopStarted = async (): Promise<void> => {
    for (let pid = started.pop(); pid !== undefined; pid = started.pop()) {
      process.kill(-pid, 'SIGINT');
      send(`wait ${pid} || true; echo stopped`);
      await answered(/^stopped$/);
    }
  };
  const close = async (): Promise<void> => {
    if (bash.exitCode === null) await stopStarted();
    bash.stdin.end();
    if (bash.exitCode === null) await new Promise((resolve) => bash.once('close', resolve));
  };
  return { run, start, stopStarted, close };
};
