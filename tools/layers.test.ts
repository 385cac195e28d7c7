import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYERS, PURE_ROOMS } from './layers.ts';

const adapters = ['postgres', 'shared-state', 'egress', 'keyring'];

test('no room reaches itself, however many rooms lie between', () => {
  const reach = (room: string, seen: readonly string[] = []): readonly string[] =>
    (LAYERS[room] ?? []).flatMap((below) => (seen.includes(below) ? [below] : [below, ...reach(below, [...seen, below])]));
  for (const room of Object.keys(LAYERS)) assert.ok(!reach(room).includes(room), room);
});

test('every room that is named has a place of its own', () => {
  for (const below of Object.values(LAYERS).flat()) assert.ok(Object.hasOwn(LAYERS, below), below);
});

test('adapters do not know each other, and pure rooms do not know adapters', () => {
  for (const room of [...adapters, ...PURE_ROOMS])
    assert.deepEqual(
      LAYERS[room]?.filter((below) => adapters.includes(below)),
      [],
      room,
    );
});

test('nobody imports an app', () => {
  const apps = ['control-plane', 'gateway', 'worker', 'launcher', 'console'];
  assert.deepEqual(
    Object.values(LAYERS)
      .flat()
      .filter((below) => apps.includes(below)),
    [],
  );
});
