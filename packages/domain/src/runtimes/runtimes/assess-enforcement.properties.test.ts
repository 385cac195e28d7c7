import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENFORCEMENT_STATUSES, EVIDENCE_NAMES, FINDING_SEVERITIES } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import { assessEnforcement, forecastEnforcement, type LiveFinding, type NeededEvidence, type Observation } from './assess-enforcement.ts';
import { isWeaker } from './enforcement-order.ts';

/** More than 200,000 cases over all properties in a long run. */
const RUNS = { numRuns: countRepetitions({ short: 500, long: 41_000 }) };
const HOUR = 3_600_000;
const START = Date.parse('2030-01-01T00:00:00.000Z');
const NAMES = EVIDENCE_NAMES.slice(0, 5);
const at = (ms: number): string => new Date(START + ms).toISOString();

const need: fc.Arbitrary<NeededEvidence> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    livesMs: fc.option(fc.integer({ min: 1, max: 10 }).map((hours) => hours * HOUR)),
    otherwise: fc.constantFrom('UNKNOWN' as const, 'DETECTED' as const, 'PARTIAL' as const),
    breach: fc.boolean(),
  })
  .map(({ breach, ...rest }) => (breach ? { ...rest, isBreach: true } : rest));
const observation: fc.Arbitrary<Observation> = fc.record({
  name: fc.constantFrom(...NAMES),
  holds: fc.constantFrom(true, true, true, false, null),
  observed_at: fc.integer({ min: -12, max: 2 }).map((hours) => at(hours * HOUR)),
});
const finding: fc.Arbitrary<LiveFinding> = fc.record({
  id: fc.constant('fnd_1'),
  kind: fc.constant('DIRECT_HTTP'),
  severity: fc.constantFrom(...FINDING_SEVERITIES),
  contained_by: fc.option(fc.constantFrom(...NAMES)),
  accepted_until: fc.option(fc.integer({ min: -3, max: 12 }).map((hours) => at(hours * HOUR))),
});
const evidence = fc.record({
  terms: fc.record({
    ceiling: fc.constantFrom('DETECTED' as const, 'PARTIAL' as const, 'ENFORCED' as const),
    needs: fc.uniqueArray(need, { selector: ({ name }) => name, maxLength: 5 }),
  }),
  observations: fc.uniqueArray(observation, { selector: ({ name }) => name, maxLength: 5 }),
  findings: fc.array(finding, { maxLength: 4 }),
});
const hours = fc.integer({ min: 0, max: 24 });
const later = (ms: number): Date => new Date(START + ms);

test('never exceeds its ceiling, and gives every bound as a reason', () => {
  fc.assert(
    fc.property(evidence, hours, (given, hour) => {
      const { status, reasons } = assessEnforcement(given, later(hour * HOUR));
      assert.ok(!isWeaker(given.terms.ceiling, status));
      for (const { at_most } of reasons) assert.ok(!isWeaker(at_most, status));
    }),
    RUNS,
  );
});

test('never rises with less evidence or one more finding', () => {
  fc.assert(
    fc.property(evidence, finding, fc.nat(), (given, more, which) => {
      const { status } = assessEnforcement(given, later(0));
      const dropped = given.observations.filter((each, index) => index !== which % 5 || each.holds === false);
      assert.ok(!isWeaker(status, assessEnforcement({ ...given, observations: dropped }, later(0)).status));
      assert.ok(!isWeaker(status, assessEnforcement({ ...given, findings: [...given.findings, more] }, later(0)).status));
    }),
    RUNS,
  );
});

test('never rises by time alone, once no observation is in the future', () => {
  fc.assert(
    fc.property(evidence, hours, hours, (given, first, more) => {
      const from = later((3 + first) * HOUR);
      const to = later((3 + first + more) * HOUR);
      assert.ok(!isWeaker(assessEnforcement(given, from).status, assessEnforcement(given, to).status));
    }),
    RUNS,
  );
});

test('requires fresh evidence of everything needed, and no open uncontained finding above LOW, for ENFORCED', () => {
  fc.assert(
    fc.property(evidence, (given) => {
      if (assessEnforcement(given, later(0)).status !== 'ENFORCED') return;
      for (const { name, livesMs } of given.terms.needs) {
        const found = given.observations.find((each) => each.name === name);
        assert.equal(found?.holds, true);
        assert.ok(livesMs === null || Date.parse(found?.observed_at ?? '') + livesMs > START);
      }
      for (const { severity, contained_by } of given.findings) assert.ok(severity === 'LOW' || contained_by !== null);
    }),
    RUNS,
  );
});

test('forecasts at every moment what an assessment at that moment states', () => {
  fc.assert(
    fc.property(evidence, hours, (given, hour) => {
      const past = given.observations.filter(({ observed_at }) => Date.parse(observed_at) <= START);
      const known = { ...given, observations: past };
      const forecast = forecastEnforcement(known, later(0));
      const now = later(hour * HOUR);
      const told = forecast.findLast(({ from }) => Date.parse(from) <= now.getTime())?.status;
      assert.equal(told, assessEnforcement(known, now).status);
      for (const [index, { status }] of forecast.entries())
        if (index > 0) assert.ok(isWeaker(status, forecast[index - 1]?.status ?? 'BYPASSED'));
    }),
    RUNS,
  );
});

test('never forgets a bypass found by a test', () => {
  const terms = {
    ceiling: 'ENFORCED' as const,
    needs: [{ name: 'CANARY_NODE' as const, livesMs: HOUR, otherwise: 'DETECTED' as const, isBreach: true as const }],
  };
  const observations = [{ name: 'CANARY_NODE' as const, holds: false, observed_at: at(-HOUR * 100) }];
  assert.equal(assessEnforcement({ terms, observations, findings: [] }, later(0)).status, ENFORCEMENT_STATUSES[0]);
});
