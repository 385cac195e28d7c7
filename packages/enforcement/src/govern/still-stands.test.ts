import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import { decide } from '../decision/decide.ts';
import { readMcpResult } from '../execution/read-mcp-result.ts';
import { readResult } from '../execution/read-result.ts';
import { createEmptyContexts } from '../facts/context-facts.ts';
import type { Command } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import { getFacts, NOW } from '../facts/sample-facts.fixture.ts';
import type { Executors, GovernedCall } from '../ports/executors.ts';
import type { Ports } from '../ports/ports.ts';
import { resolveOutcome } from './action-status.ts';
import { isCallStillAllowed } from './still-stands.ts';

const execution = parseExecution({ method: 'POST', url: 'https://pay.example/refunds' });
assert.ok(!('faults' in execution));
const asked = getFacts({ tool: { kind: 'HTTP', execution, allowlist: [{ host: 'pay.example', subdomains: false }] } });

const executors: Executors = {
  http: {
    disabledFor: () => undefined,
    timeoutMs: () => 1_000,
    execute: () => Promise.reject(new Error('nothing is called here')),
    readResult: (_, result) => readResult(result),
    mask: (execution) => execution,
  },
  mcp: {
    disabledFor: () => undefined,
    timeoutMs: () => 1_000,
    execute: () => Promise.reject(new Error('nothing is called here')),
    readResult: (_, result) => readMcpResult(result),
    mask: (execution) => execution,
  },
  a2a: {
    disabledFor: () => undefined,
    timeoutMs: () => 1_000,
    execute: () => Promise.reject(new Error('nothing is called here')),
    readResult: (_, result) => readMcpResult(result),
    mask: (execution) => execution,
  },
};
const callOf = (of: Facts): GovernedCall => {
  const verdict = decide(of, 'act');
  assert.ok(!isRefusal(verdict));
  return resolveOutcome(verdict, executors).call ?? assert.fail('it is not to be called');
};

/** Creates a state that changes on command: what was read before is then outdated. */
const movingState = (before: Facts, after: Facts) => {
  let newest = before;
  const ports: Pick<Ports, 'governance' | 'executors' | 'clock' | 'onBreakage'> = {
    governance: {
      environment: () => newest.environment,
      agent: () => Promise.resolve(newest.agent),
      contexts: (_agent, key) => createEmptyContexts(key),
      forget: () => undefined,
      isCurrent: (environment) => Promise.resolve(environment === newest.environment),
    },
    executors,
    clock: () => NOW,
    onBreakage: (error) => assert.fail(error as Error),
  };
  return {
    ports: ports as Ports,
    move: (): void => {
      newest = after;
    },
  };
};

const getCommand = (inTurn: Command['inTurn']): Command => ({
  organizationId: asked.environment.organization_id,
  agentId: asked.agent.agent_id,
  principal: { type: 'AGENT', id: asked.agent.agent_id, name: null },
  session: asked.session,
  source: asked.source,
  request: asked.request,
  parametersJson: JSON.stringify(asked.request.parameters),
  parametersBytes: asked.parametersBytes,
  requestId: 'req_1',
  traceId: 'trace',
  idempotency: null,
  ...(inTurn === undefined ? {} : { inTurn }),
  askedBy: 'act',
});

const changed = (environment: Partial<Facts['environment']>): Facts => ({
  ...asked,
  environment: { ...asked.environment, epoch: 2, ...environment },
});

test('a waiting call may be sent while nothing has changed', async () => {
  const { ports } = movingState(asked, asked);
  assert.equal(
    await isCallStillAllowed(
      ports,
      getCommand((work) => work()),
      asked,
      callOf(asked),
    ),
    true,
  );
});

test('a stop during the renewed decision of a waiting call stops it', async () => {
  const { ports, move } = movingState(asked, changed({ paused_reason: 'incident' }));
  const inTurn: Command['inTurn'] = async (work) => {
    const done = await work();
    move();
    return done;
  };
  assert.equal(await isCallStillAllowed(ports, getCommand(inTurn), asked, callOf(asked)), false);
});

test('an unrelated change permits it', async () => {
  const { ports, move } = movingState(asked, changed({}));
  const inTurn: Command['inTurn'] = (work) => {
    move();
    return work();
  };
  assert.equal(await isCallStillAllowed(ports, getCommand(inTurn), asked, callOf(asked)), true);
});
