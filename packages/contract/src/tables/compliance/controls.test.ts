import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../../endpoints.ts';
import { type Endpoint, listPermissions } from '../../rows/endpoint.ts';
import { getBuiltInRole } from '../built-in-roles.ts';
import { CONTROLS, type Control } from './controls.ts';
import { FRAMEWORKS } from './frameworks.ts';
import type { MeasureDefinition } from './measure.ts';
import { MEASURE_NAMES, MEASURES } from './measures.ts';

const controls = Object.entries(CONTROLS) as [string, Control][];
const measures = Object.entries(MEASURES) as [string, MeasureDefinition][];
const rows = Object.values(ENDPOINTS) as Endpoint[];

test('every point of a framework is covered by a control', () => {
  for (const [framework, { references }] of Object.entries(FRAMEWORKS))
    for (const reference of Object.keys(references)) {
      const answering = controls.filter(([, control]) =>
        (control.references[framework as keyof typeof FRAMEWORKS] as readonly string[] | undefined)?.includes(reference),
      );
      assert.notEqual(answering.length, 0, `${framework} ${reference}`);
    }
});

test('the frameworks are the required ones, with all ten risks of agentic applications and articles 12, 14, 19 and 26', () => {
  const asi = Array.from({ length: 10 }, (_, n) => `ASI${String(n + 1).padStart(2, '0')}`);
  assert.deepEqual(Object.keys(FRAMEWORKS.OWASP_AGENTIC.references), asi);
  const articles = Object.keys(FRAMEWORKS.EU_AI_ACT.references).map((reference) => reference.replace(/\(.*/, ''));
  assert.deepEqual([...new Set(articles)], ['12', '14', '19', '26']);
  for (const reference of Object.keys(FRAMEWORKS.ISO_42001.references)) assert.match(reference, /^A\.\d+(\.\d+)+$/);
  for (const reference of Object.keys(FRAMEWORKS.SOC_2.references)) assert.match(reference, /^CC[1-9]\.\d$/);
});

test('every measure belongs to a control, and each control states what remains with the operator', () => {
  const used = new Set(controls.flatMap(([, control]) => control.measures));
  for (const name of MEASURE_NAMES) assert.ok(used.has(name), name);
  for (const [name, { operator, title, asks }] of controls) assert.ok(operator && title && asks, name);
});

test('a measure of a period never ignores that nothing happened in it', () => {
  for (const [name, { of, ifNone }] of measures) if (of === 'PERIOD') assert.equal(ifNone, 'NOT_MET', name);
});

test('each piece of evidence is an existing request, with a valid query, that an auditor may send', () => {
  const { permissions } = getBuiltInRole('auditor');
  for (const [name, { evidence }] of measures) {
    assert.notEqual(evidence.length, 0, name);
    for (const { path, permission, query = {}, inPeriod } of evidence) {
      const row = rows.find((each) => each.path === path && each.method === 'GET' && each.plane === 'control');
      assert.ok(row, `${name}: ${path}`);
      assert.deepEqual(listPermissions(row), [permission], `${name}: ${path}`);
      assert.ok(permissions.includes(permission), `${name}: ${permission}`);
      const known = Object.keys((row.query as { properties?: object } | undefined)?.properties ?? {});
      for (const asked of [...Object.keys(query), ...(inPeriod ? ['from', 'to'] : [])])
        assert.ok(known.includes(asked), `${path} ${asked}`);
    }
  }
});
