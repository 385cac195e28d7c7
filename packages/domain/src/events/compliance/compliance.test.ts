import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTROLS, type Control } from '@svc/contract/tables/compliance/controls.ts';
import { MEASURE_NAMES, MEASURES } from '@svc/contract/tables/compliance/measures.ts';
import { judgeControl, stateOfAll } from './judge-control.ts';
import { judgeMeasure } from './judge-measure.ts';
import { verifiedLeaves } from './verified-leaves.ts';
import { listControls, listMeasures, writeReport } from './write-report.ts';

const share = { needs: { metShare: 1, partialShare: 0.5 }, ifNone: 'NOT_MET' } as const;
const all = (fulfilled: number, counted: number) => ({ fulfilled, counted, looked_at: 'ALL' }) as const;
const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
const said = { organization_id: 'org_1', generated_at: period.to };

test('meets a measure only by its counts, and never without any', () => {
  assert.deepEqual(
    [all(4, 4), all(3, 4), all(2, 4), all(1, 4), all(0, 4), all(0, 0)].map((counts) => judgeMeasure(share, counts)),
    ['MET', 'PARTIAL', 'PARTIAL', 'NOT_MET', 'NOT_MET', 'NOT_MET'],
  );
  assert.equal(judgeMeasure({ ...share, ifNone: 'NOT_APPLICABLE' }, all(0, 0)), 'NOT_APPLICABLE');
  const two = { needs: { count: 2 }, ifNone: 'NOT_MET' } as const;
  assert.deepEqual(
    [0, 1, 2, 3].map((n) => judgeMeasure(two, all(n, n))),
    ['NOT_MET', 'PARTIAL', 'MET', 'MET'],
  );
  for (const name of MEASURE_NAMES) assert.notEqual(judgeMeasure(MEASURES[name], all(0, 0)), 'MET', name);
});

test('does not meet a partly read measure, except by a sample over the whole period', () => {
  assert.equal(judgeMeasure(share, { ...all(5, 5), looked_at: 'NEWEST' }), 'PARTIAL');
  assert.equal(judgeMeasure(share, { ...all(5, 5), looked_at: 'SAMPLE' }), 'MET');
});

test('combines the measures of a control, and never meets it if the service sees only a part', () => {
  assert.equal(stateOfAll(['MET', 'NOT_APPLICABLE']), 'MET');
  assert.equal(stateOfAll(['MET', 'NOT_MET']), 'PARTIAL');
  assert.equal(stateOfAll(['NOT_MET', 'NOT_APPLICABLE']), 'NOT_MET');
  assert.equal(stateOfAll(['PARTIAL']), 'PARTIAL');
  assert.equal(stateOfAll(['NOT_APPLICABLE']), 'NOT_APPLICABLE');
  assert.equal(stateOfAll([]), 'NOT_APPLICABLE');
  assert.equal(judgeControl({ neverWhole: 'A part is not seen.' }, ['MET']), 'PARTIAL');
  assert.equal(judgeControl({}, ['MET']), 'MET');
});

test('counts a log as verified as far as the verifications of a period cover, and not at all after a fault', () => {
  const told = (from_sequence: number, to_sequence: number, intact = true) => ({ intact, from_sequence, to_sequence, tree_size: 100 });
  assert.deepEqual(verifiedLeaves([]), all(0, 0));
  assert.deepEqual(verifiedLeaves([told(50, 100), told(0, 50)]), all(100, 100));
  assert.deepEqual(verifiedLeaves([told(50, 100), told(0, 40)]), all(90, 100));
  assert.deepEqual(verifiedLeaves([told(0, 60), told(20, 40), told(50, 70)]), all(70, 100));
  assert.deepEqual(verifiedLeaves([told(0, 100), told(30, 60, false)]), all(0, 100));
  assert.deepEqual(verifiedLeaves([{ ...told(0, 0, false), tree_size: 0 }]), all(0, 1));
});

test('meets nothing for an organization without data, and names what is missing for every control', () => {
  const report = writeReport(said, { period, counts: new Map(), recorded: {} });
  assert.equal(report.counts.MET, 0);
  for (const { state, lacking, name } of report.controls) assert.equal(lacking.length > 0, state !== 'NOT_APPLICABLE', name);
  for (const { references } of report.frameworks) for (const { state } of references) assert.notEqual(state, 'MET');
});

test('keeps controls partial that are never seen whole, with the reason, even if all measures are met', () => {
  const counts = new Map(MEASURE_NAMES.map((name) => [name, all(200, 200)]));
  const report = writeReport(said, { period, counts, recorded: {} });
  for (const { name, state, lacking } of report.controls) {
    const control: Control = CONTROLS[name as keyof typeof CONTROLS];
    assert.equal(state, control.neverWhole ? 'PARTIAL' : 'MET', name);
    assert.deepEqual(lacking, control.neverWhole ? [control.neverWhole] : [], name);
  }
});

test('limits a report of one framework to its controls and their measures', () => {
  const report = writeReport({ ...said, framework: 'EU_AI_ACT' }, { period, counts: new Map(), recorded: {} });
  assert.deepEqual(
    report.frameworks.map(({ name }) => name),
    ['EU_AI_ACT'],
  );
  assert.ok(report.controls.every(({ references }) => references.some(({ framework }) => framework === 'EU_AI_ACT')));
  assert.ok(listMeasures(listControls('EU_AI_ACT')).length < MEASURE_NAMES.length);
});
