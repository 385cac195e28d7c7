import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  ENFORCEMENT_STATUSES,
  EVIDENCE_NAMES,
  FINDING_KINDS,
  FINDING_SEVERITIES,
  RUNTIME_KINDS,
  type RuntimeKind,
} from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import {
  assessEnforcement,
  forecastEnforcement,
  type LiveFinding,
  type NeededEvidence,
  type Observation,
} from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';
import { isWeaker, weakest } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { enforcementAt } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import { getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import { EXAMPLES, SECRET } from './examples.fixture.ts';
import { FINDING_TEXTS } from './findings/finding-texts.ts';
import { type Inspected, inspectExample } from './inspect-example.fixture.ts';
import { buildEnforcementTerms, RUNTIME_KIND_ROWS } from './kinds.ts';

const START = Date.parse('2030-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const EVIDENCE_CHARS_MAX = 16_384;
const RUNS = { seed: getSeed(320), numRuns: 300 };
const at = (ms: number): string => new Date(START + ms).toISOString();

const readFolder = (kind: RuntimeKind): string => kind.toLowerCase().replaceAll('_', '-');

test('every folder of a kind has a row and an example, and every word of the contract has a folder', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((each) => each.isDirectory() && existsSync(join(import.meta.dirname, each.name, `${each.name}.ts`)))
    .map(({ name }) => name);
  const kinds = folders.filter((name) => name !== 'digest');
  assert.deepEqual(
    kinds.toSorted(),
    Object.keys(EXAMPLES)
      .map((kind) => readFolder(kind as RuntimeKind))
      .toSorted(),
  );
  assert.deepEqual(Object.keys(RUNTIME_KIND_ROWS).toSorted(), [...RUNTIME_KINDS].toSorted());
});

test('every kind of finding has a title and a remedy', () => {
  for (const kind of FINDING_KINDS) {
    const { title, remedy } = FINDING_TEXTS[kind];
    assert.match(title, /^[A-Z].{5,}[^.]$/, kind);
    assert.match(remedy, /^[A-Z].{5,}\.$/s, kind);
  }
});

/** Returns the most that evidence allows, written apart from the function that is tested. */
const bound = (needs: readonly NeededEvidence[], observations: readonly Observation[], now: number) =>
  needs.flatMap(({ name, livesMs, otherwise }) => {
    const found = observations.find((each) => each.name === name);
    const isFresh = found?.holds === true && (livesMs === null || Date.parse(found.observed_at) + livesMs > now);
    return isFresh ? [] : [otherwise];
  });

const finding: fc.Arbitrary<LiveFinding> = fc.record({
  ...{ id: fc.constant('fnd_1'), kind: fc.constantFrom(...FINDING_KINDS), severity: fc.constantFrom(...FINDING_SEVERITIES) },
  ...{
    contained_by: fc.option(fc.constantFrom(...EVIDENCE_NAMES)),
    accepted_until: fc.option(fc.constantFrom(at(-DAY_MS), at(30 * DAY_MS))),
  },
});

const readObservations = (needs: readonly NeededEvidence[]) =>
  fc.tuple(
    ...needs.map(({ name }) =>
      fc.option(
        fc.record({
          name: fc.constant(name),
          holds: fc.constantFrom(true, true, true, false, null),
          observed_at: fc.integer({ min: -20 * DAY_MS, max: 0 }).map(at),
        }),
      ),
    ),
  );

const fingerprint = ({ kind, workflow, node, subject }: Inspected['findings'][number]): string =>
  JSON.stringify([kind, workflow?.id ?? null, node?.id ?? null, subject]);

for (const kind of RUNTIME_KINDS) {
  const row = RUNTIME_KIND_ROWS[kind];
  const example = EXAMPLES[kind];
  const terms = buildEnforcementTerms(kind, {});
  const { needs, ceiling } = terms;

  describe(`${kind} conforms`, () => {
    test('its row names distinct products, and evidence that lowers the status while it is missing', () => {
      assert.equal(row.kind, kind);
      assert.ok(row.products.length > 0 && new Set(row.products).size === row.products.length);
      assert.deepEqual(Object.keys(example.products).toSorted(), [...row.products].toSorted());
      assert.equal(row.inspection.by, example.by);
      assert.ok(ENFORCEMENT_STATUSES.includes(ceiling) && needs.length > 0);
      assert.equal(new Set(needs.map(({ name }) => name)).size, needs.length);
      for (const { name, livesMs, otherwise } of needs) {
        assert.ok(EVIDENCE_NAMES.includes(name) && isWeaker(otherwise, ceiling), name);
        assert.ok(livesMs !== null && livesMs > 0, `${name} never ages`);
      }
    });

    test('its capabilities state how each subject is prevented, detected or neither, with limits', () => {
      const { capabilities } = row;
      assert.equal(new Set(capabilities.map(({ subject }) => subject)).size, capabilities.length);
      for (const { subject, how, by, needs: names, limits } of capabilities) {
        assert.ok(['PREVENTED', 'DETECTED', 'NEITHER'].includes(how), subject);
        assert.equal(by === '', how === 'NEITHER', `${subject} names its lever`);
        assert.match(limits, /^[A-Z].*\.$/s, `${subject} names its limits`);
        for (const name of names) assert.ok(EVIDENCE_NAMES.includes(name), `${subject}: ${name}`);
        if (how === 'PREVENTED')
          for (const name of names)
            assert.ok(
              needs.some((need) => need.name === name),
              `${subject}: ${name} is not needed`,
            );
      }
      const prevents = capabilities.some(({ how }) => how === 'PREVENTED');
      assert.equal(prevents, isWeaker('DETECTED', ceiling), 'a kind above DETECTED prevents something, and no other does');
    });

    test('its status is never above its ceiling or its evidence', () => {
      fc.assert(
        fc.property(readObservations(needs), fc.array(finding, { maxLength: 3 }), fc.nat(20 * DAY_MS), (drawn, findings, ms) => {
          const observations = drawn.flatMap((each) => each ?? []);
          const now = START + ms;
          const { status, reasons } = assessEnforcement({ terms, observations, findings }, new Date(now));
          const least = weakest([ceiling, ...bound(needs, observations, now)]) ?? ceiling;
          assert.ok(!isWeaker(least, status), `${status} is above ${least}`);
          if (status !== ceiling) assert.ok(reasons.length > 0);
        }),
        RUNS,
      );
    });

    test('its status falls when it is read later, without a new assessment', () => {
      fc.assert(
        fc.property(fc.nat(40 * DAY_MS), (ms) => {
          const observations = needs.map(({ name }) => ({ name, holds: true, observed_at: at(0) }));
          const enforcement_forecast = forecastEnforcement({ terms, observations, findings: [] }, new Date(START));
          const stored = { status: 'ACTIVE' as const, fail_closed: true, settings: {}, enforcement_forecast };
          assert.equal(enforcementAt(stored, new Date(START)), ceiling);
          const least = weakest([ceiling, ...bound(needs, observations, START + ms)]);
          assert.equal(enforcementAt(stored, new Date(START + ms)), least);
        }),
        RUNS,
      );
    });

    for (const product of row.products) {
      test(`${product}: evidence and findings have their form, and contain no secret`, async () => {
        for (const which of ['good', 'bad'] as const) {
          const { evidence, findings, stored } = await inspectExample(kind, product, which);
          assert.ok(evidence.length > 0);
          for (const { name, holds, source, detail, data } of evidence) {
            assert.ok(EVIDENCE_NAMES.includes(name), name);
            assert.ok(holds === null || typeof holds === 'boolean');
            assert.ok(source !== '' && detail !== '' && source.length <= 200 && detail.length <= 2_000, name);
            assert.ok(JSON.stringify(data ?? {}).length <= EVIDENCE_CHARS_MAX, name);
          }
          for (const each of findings) {
            assert.ok(FINDING_KINDS.includes(each.kind) && FINDING_SEVERITIES.includes(each.severity), each.kind);
            assert.ok(FINDING_TEXTS[each.kind].remedy !== '');
            assert.ok(JSON.stringify(each.evidence).length <= EVIDENCE_CHARS_MAX);
            assert.ok(each.contained_by === null || EVIDENCE_NAMES.includes(each.contained_by), each.kind);
          }
          assert.equal(new Set(findings.map(fingerprint)).size, findings.length, 'findings share a fingerprint');
          assert.ok(!JSON.stringify([evidence, findings, stored]).includes(SECRET));
        }
      });

      test(`${product}: a way around the service is found, and nothing is found without one`, async () => {
        const readStatus = ({ evidence, findings }: Inspected) => {
          const observations = evidence.map(({ name, holds }) => ({ name, holds, observed_at: at(0) }));
          const live = findings.map((each, index) => ({ ...each, id: `fnd_${index}`, accepted_until: null }));
          return assessEnforcement({ terms, observations, findings: live }, new Date(START)).status;
        };
        const good = await inspectExample(kind, product, 'good');
        assert.deepEqual(
          good.findings.filter(({ severity, workflow }) => severity !== 'LOW' && (example.by === 'reports' || workflow !== null)),
          [],
        );
        const bad = await inspectExample(kind, product, 'bad');
        assert.ok(bad.findings.some(({ severity }) => severity === 'HIGH' || severity === 'CRITICAL'));
        assert.equal(readStatus(bad), 'BYPASSED');
        assert.notEqual(readStatus(good), 'BYPASSED');
        assert.ok(isWeaker(readStatus({ evidence: [], findings: [], stored: [] }), 'PARTIAL'), 'nothing was observed');
      });
    }
  });
}
