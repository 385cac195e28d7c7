import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FailedSignIns } from '@svc/postgres/risk/report-failed-assertions.ts';
import { newFailedAssertions } from './failed-assertions.ts';

const NOW = Date.parse('2026-06-10T12:00:00.000Z');
const AGENT = 'agt_00000000000000000000000000';

const open = (report: (failures: FailedSignIns) => Promise<void> = async () => undefined) => {
  const reports: FailedSignIns[] = [];
  const failed = newFailedAssertions({
    homes: async (agentId) => (agentId === AGENT ? { organization_id: 'org_1', environment_id: 'env_1' } : undefined),
    report: (_, failures) => {
      reports.push(failures);
      return report(failures);
    },
    onError: () => undefined,
  });
  return { failed, reports, settle: () => new Promise((resolve) => setImmediate(resolve)) };
};

describe('failed assertions of an agent', () => {
  test('are reported from 50 on within five minutes, with their networks, and at most once a minute', async () => {
    const { failed, reports, settle } = open();
    for (let at = 0; at < 49; at += 1) failed.count(AGENT, `192.0.${at % 3}.7`, NOW + at);
    await settle();
    assert.equal(reports.length, 0);
    for (let at = 49; at < 5_000; at += 1) failed.count(AGENT, '192.0.2.7', NOW + at);
    await settle();
    assert.deepEqual(
      reports.map(({ agentId, count, networks }) => [agentId, count, networks.length]),
      [[AGENT, 50, 3]],
    );
    failed.count(AGENT, '192.0.2.7', NOW + 61_000);
    await settle();
    assert.deepEqual(
      reports.map(({ count }) => count),
      [50, 4_951],
    );
  });

  test('are not reported when they are spread over a longer time, or name no agent', async () => {
    const { failed, reports, settle } = open();
    for (let at = 0; at < 200; at += 1) failed.count(AGENT, '192.0.2.7', NOW + at * 10_000);
    for (let at = 0; at < 200; at += 1) failed.count('agt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '192.0.2.7', NOW + at);
    await settle();
    assert.deepEqual(reports, []);
  });

  test('are reported one agent at a time, and a report that fails does not stop the next', async () => {
    let fail = (_: Error): void => undefined;
    const { failed, reports, settle } = open(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    for (let at = 0; at < 50; at += 1) failed.count(AGENT, '192.0.2.7', NOW + at);
    await settle();
    for (let at = 0; at < 50; at += 1) failed.count(AGENT, '192.0.2.7', NOW + 61_000 + at);
    await settle();
    assert.equal(reports.length, 1);
    fail(new Error('the database does not answer'));
    await settle();
    failed.count(AGENT, '192.0.2.7', NOW + 62_000);
    await settle();
    assert.equal(reports.length, 2);
  });
});
