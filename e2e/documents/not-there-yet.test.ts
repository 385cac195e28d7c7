import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { listPermissions } from '@svc/contract/rows/endpoint.ts';
import { WEBHOOK_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { PERMISSIONS } from '@svc/contract/tables/permissions.ts';
import { isWaiting, WAITING_EVENTS } from '@svc/contract/tables/written/waiting-events.ts';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const section = /^## What is not there yet\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(readme)?.[1] ?? '';

const webhookGuide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');

const getArea = (permission: string): string => `${permission.split(':')[0]}:*`;

test('the README names exactly the permissions that no endpoint requires', () => {
  const asked = new Set(Object.values(ENDPOINTS).flatMap((row) => listPermissions(row)));
  const areasAsked = new Set([...asked].map(getArea));
  const idle = Object.keys(PERMISSIONS).filter((permission) => !asked.has(permission as keyof typeof PERMISSIONS));
  const expected = new Set(idle.map((permission) => (areasAsked.has(getArea(permission)) ? permission : getArea(permission))));
  const named = new Set([...section.matchAll(/`([a-z0-9]+:(?:[a-z_]+|\*))`/g)].map(([, permission]) => permission));
  assert.ok(asked.size > 20);
  assert.deepEqual([...named].sort(), [...expected].sort());
});

test('the guide of webhooks names exactly the types that can be subscribed to and are not sent yet, with the reason', () => {
  const rows = [...webhookGuide.matchAll(/^\| (`[a-z0-9_.`, ]+`) \| ([^|]+) \|$/gm)];
  const told = rows.flatMap(([, types = '', capability]) => [...types.matchAll(/`([a-z0-9_.]+)`/g)].map(([, type]) => [type, capability]));
  const expected = WEBHOOK_EVENT_TYPES.flatMap((type) => (isWaiting(type) ? [[type, WAITING_EVENTS[type]]] : []));
  assert.deepEqual(told.toSorted(), expected.toSorted());
});
