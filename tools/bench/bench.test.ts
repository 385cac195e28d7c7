import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getRatios } from './describe.ts';
import { QUICK } from './plan.ts';
import { ROWS, runBench } from './run-bench.ts';

test('the bench measures every row in every round, and the database holds one action for each governed response', async () => {
  const report = await runBench(QUICK, () => undefined);
  assert.equal(report.rounds.length, QUICK.rounds);
  const measures = [...report.rounds.flatMap((round) => ROWS.map((kind) => round[kind])), report.alone, report.minting];
  for (const measure of measures) {
    assert.ok(measure.answered > 0 && measure.perSecond > 0, JSON.stringify(measure));
    assert.ok(measure.p50Ms > 0 && measure.p50Ms <= measure.p99Ms, JSON.stringify(measure));
  }
  const { action, dryRun, sealing, overInsert, medianAction, medianDryRun, medianSealing } = getRatios(report);
  for (const ratio of [...action, ...dryRun, ...sealing, ...overInsert, medianAction, medianDryRun, medianSealing])
    assert.ok(ratio > 0 && Number.isFinite(ratio), String(ratio));
  for (const { programs } of report.rounds)
    assert.ok(programs === null || programs.gateway + programs.postgres + programs.worker > 0, JSON.stringify(programs));
  assert.equal(report.minting.answered, QUICK.mints);
  assert.ok(report.gatewayMegabytes === null || report.gatewayMegabytes > 10);
  assert.equal(report.bytes.echoAnswer, report.bytes.answer);
  assert.ok(report.recorded.answered > 0);
  assert.equal(report.recorded.rows, report.recorded.answered);
});
