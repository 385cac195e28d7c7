import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDED_EVENT_TYPES,
  ALL_EVENT_TYPES,
  EVENT_ROWS,
  EVENT_TYPES,
  type EventType,
  isWebhookEventType,
  WEBHOOK_EVENT_TYPES,
} from './events.ts';

test('the table holds exactly 156 types, 32 of them for webhooks', () => {
  assert.equal(EVENT_TYPES.length, 156);
  assert.equal(WEBHOOK_EVENT_TYPES.length, 32);
});

test('added types are none of the 156, and no webhook subscription can name one', () => {
  assert.equal(new Set(ALL_EVENT_TYPES).size, EVENT_TYPES.length + ADDED_EVENT_TYPES.length);
  assert.ok(ADDED_EVENT_TYPES.includes('notification_channel.created'));
  for (const type of ADDED_EVENT_TYPES) assert.equal(isWebhookEventType(type), false, type);
});

test('a name is a noun and what happened to it, in snake_case', () => {
  for (const type of ALL_EVENT_TYPES) assert.match(type, /^[a-z][a-z0-9_]*\.[a-z]+(_[a-z]+)*$/);
});

test('each noun offers webhooks the number of types that the contract states', () => {
  const counts: Record<string, number> = {};
  for (const type of WEBHOOK_EVENT_TYPES) {
    const noun = type.slice(0, type.indexOf('.'));
    counts[noun] = (counts[noun] ?? 0) + 1;
  }
  const expected = {
    a2a: 1,
    action: 5,
    agent: 6,
    approval: 4,
    credential: 3,
    delegation: 2,
    incident: 2,
    mcp: 1,
    policy: 4,
    risk: 1,
    security: 1,
    trust: 2,
  };
  assert.deepEqual(counts, expected);
});

test('nothing about people, sessions, keys or settings is sent by webhook', () => {
  const kept = EVENT_TYPES.filter((type) => /^(user|session|apikey|member|role|sso|scim|audit|webhook|cli)\./.test(type));
  assert.ok(kept.length > 30);
  for (const type of kept) assert.equal(isWebhookEventType(type), false, type);
});

test('events that end an identity, stop an environment or probe limits are critical', () => {
  const critical: readonly EventType[] = [
    'agent.revoked',
    'agent.isolated',
    'environment.paused',
    'delegation.escalation_blocked',
    'security.emergency_action_executed',
  ];
  for (const type of critical) assert.equal(EVENT_ROWS[type].severity, 'critical', type);
});

test('every type states in a sentence when it is written', () => {
  for (const type of ALL_EVENT_TYPES) assert.match(EVENT_ROWS[type].when, /^[A-Z].{10,120}\.$/, type);
});
