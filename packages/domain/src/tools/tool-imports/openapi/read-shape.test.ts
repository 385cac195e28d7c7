import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newResolve } from '../schema/resolve-reference.ts';
import { resolveShape } from './read-shape.ts';

test('visits a schema that references itself many times as quickly as any other', () => {
  const itself = { $ref: '#/components/schemas/A' };
  const schemas = {
    A: { anyOf: Array.from({ length: 20 }, () => ({ ...itself })) },
    B: { allOf: Array.from({ length: 20 }, () => ({ $ref: '#/components/schemas/B' })) },
  };
  const resolve = newResolve({ components: { schemas } });
  assert.equal(resolveShape(itself, resolve).kind, 'other');
  assert.equal(resolveShape({ $ref: '#/components/schemas/B' }, resolve).kind, 'other');
});

test('visits a schema that is referenced many times once', () => {
  let looks = 0;
  const counted = {
    ownKeys: (target: object) => {
      looks += 1;
      return Reflect.ownKeys(target);
    },
  };
  const properties = new Proxy(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { type: 'string' }])), counted);
  const levels = Array.from({ length: 5 }, (_, n) => [
    `S${n}`,
    { allOf: Array.from({ length: 30 }, () => ({ $ref: `#/components/schemas/S${n + 1}` })) },
  ]);
  const schemas = { ...Object.fromEntries(levels), S5: { type: 'object', properties, required: ['p1'] } };
  const resolve = newResolve({ components: { schemas } });
  const shape = resolveShape({ $ref: '#/components/schemas/S0' }, resolve);
  assert.ok(shape.kind === 'object' && Object.keys(shape.properties).length === 50 && shape.required.has('p1'));
  assert.ok(looks < 10, `its fields were gone through ${looks} times`);
});

test('keeps the reference of a plain value and of a list, and treats too many joined schemas as no object', () => {
  const schemas = {
    Word: { type: 'string' },
    Words: { type: 'array', items: { type: 'string' } },
    Many: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`a${n}`, {}])),
    More: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`b${n}`, {}])),
  };
  const resolve = newResolve({ components: { schemas } });
  for (const [name, kind] of [
    ['Word', 'scalar'],
    ['Words', 'list'],
  ] as const) {
    const schema = { $ref: `#/components/schemas/${name}` };
    assert.deepEqual([resolveShape(schema, resolve), resolveShape({ ...schema }, resolve)], Array(2).fill({ kind, schema }));
  }
  const together = { allOf: [{ properties: schemas.Many }, { properties: schemas.More }] };
  assert.equal(resolveShape(together, resolve).kind, 'other');
});
