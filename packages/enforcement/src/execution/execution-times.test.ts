import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { computeExecutionTimes } from './execution-times.ts';

const { SVC_EGRESS_TIMEOUT_MS: egress, SVC_DATABASE_TIMEOUT_MS: database } = SETTING_TABLE;

test('the lease and the drain outlast a call of maximum duration that is recorded at the last attempt, with any settings', () => {
  for (const egressTimeoutMs of [egress.from, egress.otherwise, egress.to])
    for (const databaseTimeoutMs of [database.from, database.otherwise, database.to]) {
      const { recordWithinMs, afterCallMs, drainMs } = computeExecutionTimes({ egressTimeoutMs, databaseTimeoutMs });
      // The last attempt waits for its slot, a connection and its statement.
      const longestMs = egressTimeoutMs + LIMITS.egress.largeAnswerMs + recordWithinMs + 3 * databaseTimeoutMs;
      const settings = `${egressTimeoutMs} ms, ${databaseTimeoutMs} ms`;
      assert.ok(egressTimeoutMs + afterCallMs > longestMs, settings);
      assert.ok(drainMs >= longestMs, settings);
    }
});
