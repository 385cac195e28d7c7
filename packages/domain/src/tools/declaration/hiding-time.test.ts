import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { hideExecutionSecrets } from './hide-execution-secrets.ts';

const CHARS = 60_000;
const PIECES = ['-eyJ', '.eyJaaaaaa', 'a', '_', 'a: ', 'sk-', 'Bearer ', 'aB1', '{a}', '/bot', '1:', '"', '\\'];

/** Processor time of the best of three, in milliseconds. */
const computeTime = (execution: ToolExecution): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      hideExecutionSecrets(execution);
      const spent = process.cpuUsage(before);
      return (spent.user + spent.system) / 1_000;
    }),
  );

const base: ToolExecution = { method: 'POST', url: 'https://h.example/' };

test('shows a tool in time linear in its declaration', () => {
  for (const piece of PIECES) {
    const text = piece.repeat(Math.ceil(CHARS / piece.length));
    for (const execution of [
      { ...base, body: { x: text } },
      { ...base, graphql: { query: text } },
      { ...base, headers: { 'x-note': text } },
    ])
      assert.ok(computeTime(execution as ToolExecution) < 300, `${piece}: ${computeTime(execution as ToolExecution)} ms`);
  }
});
