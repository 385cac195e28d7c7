import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../../endpoints.ts';
import type { Endpoint } from '../../rows/endpoint.ts';
import { ALL_EVENT_TYPES } from '../events.ts';
import { CLOCK_EVENTS } from './clock-events.ts';
import { COMMAND_EVENTS } from './command-events.ts';
import { isWaiting, WAITING_EVENTS } from './waiting-events.ts';

const rows = Object.values(ENDPOINTS) as Endpoint[];
const written = new Set([
  ...rows.flatMap(({ emits }) => emits),
  ...Object.values(CLOCK_EVENTS).flat(),
  ...Object.values(COMMAND_EVENTS).flat(),
]);

test('every type is written by a row, a job or a command, or has a named reason to wait; none has both', () => {
  for (const type of ALL_EVENT_TYPES)
    assert.notEqual(
      written.has(type),
      isWaiting(type),
      `${type} ${isWaiting(type) ? 'is written: take it out of WAITING_EVENTS' : 'is not written, and not in WAITING_EVENTS'}`,
    );
  for (const capability of Object.values(WAITING_EVENTS)) assert.match(capability, /^[a-zA-Z][\w ]+$/);
});
