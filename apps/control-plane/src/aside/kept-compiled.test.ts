import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const programs = ['tools/tool-imports/reading/read-worker.ts', 'policies/analysis/analysis-worker.ts', 'policies/proving/proof-worker.ts'];
const withinMs = 60_000;
/** Each consists of more files than this. */
const KEPT_MIN = 20;

const readFiles = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

/** Starts a program as the control plane does, with another cache folder. */
const start = (program: string, folder: string): ChildProcess =>
  fork(path.resolve(import.meta.dirname, '..', program), [], { execArgv: [], env: { NODE_COMPILE_CACHE: folder }, stdio: 'ignore' });

describe('a worker process', () => {
  for (const program of programs)
    it(`keeps its compile cache although it is killed: ${path.basename(program)}`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'compiled-'));
      const child = start(program, folder);
      try {
        const until = Date.now() + withinMs;
        while ((await readFiles(folder)) < KEPT_MIN && Date.now() < until) await sleep(50);
        assert.equal(child.kill('SIGKILL'), true, 'it still ran');
        await once(child, 'exit');
        assert.ok((await readFiles(folder)) >= KEPT_MIN, `${await readFiles(folder)} files`);
      } finally {
        child.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
    });
});
