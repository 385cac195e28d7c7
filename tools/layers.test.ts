import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYERS, PURE_ROOMS } from './layers.ts';

const adapters = ['postgres', 'shared-state', 'egress', 'keyring'];

test('no room reaches itself, through any number of rooms', () => {
  const reach = (room: string, seen: readonly string[] = []): readonly string[] =>
    (LAYERS[room] ?? []).flatMap((below) => (seen.includes(below) ? [below] : [below, ...reach(below, [...seen, below])]));
  for (const room of Object.keys(LAYERS)) assert.ok(!reach(room).includes(room), room);
});

test('every named room has its own place', () => {
  for (const below of Object.values(LAYERS).flat()) assert.ok(Object.hasOwn(LAYERS, below), below);
});

test('adapters do not import each other, and pure rooms do not import adapters', () => {
  for (const room of [...adapters, ...PURE_ROOMS])
    assert.deepEqual(
      LAYERS[room]?.filter((below) => adapters.includes(below)),
      [],
      room,
    );
});

test('no package imports an app', () => {
  const apps = ['control-plane', 'gateway', 'worker', 'launcher', 'console'];
  assert.deepEqual(
    Object.values(LAYERS)
      .flat()
      .filter((below) => apps.includes(below)),
    [],
  );
});
