import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, openUnauthenticatedSocket, runInParallel } from '../../hostile-client.ts';

type Prepared = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly owner: string;
  readonly token: string;
  readonly toolId: string;
  readonly ids: readonly string[];
};

const HELD = LIMITS.approvals.pendingPerAgentMax;

export const attack: Attack<Prepared> = {
  title:
    'a tenant with hundreds of waiting approvals waits for them by sixty connections it never reads, goes on asking, and changes their tool',
  longOnly: true,
  prepare: async (scene) => {
    const rules = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'Ask first.', approval: { approver_role: 'owner' } }];
    const { tenant, act, tool, token } = await scene.newHostile({ rules });
    const { controlUrl } = tenant;
    const ids: string[] = [];
    for (let n = 0; n < HELD; n += 20) {
      const held = await Promise.all(Array.from({ length: 20 }, (_, at) => act({ parameters: { n: n + at, note: 'x'.repeat(20_000) } })));
      for (const { json, text } of held) {
        const id: unknown = json.error?.details?.approval_id;
        if (typeof id !== 'string') throw new Error(text);
        ids.push(id);
      }
    }
    await mustCall(controlUrl, 'POST', `/v1/approvals/${ids[0]}/questions`, { token: tenant.token, body: { question: 'Why?' } });
    return { controlUrl, gatewayUrl: scene.gatewayUrl, owner: tenant.token, token, toolId: tool.id, ids };
  },
  spend: async ({ controlUrl, gatewayUrl, owner, token, toolId, ids }, signal) => {
    const waitOn = (turn: number): void => {
      if (signal.aborted) return;
      const socket = openUnauthenticatedSocket(gatewayUrl).pause();
      socket.once('connect', () =>
        socket.write(
          `GET /gateway/v1/approvals/${ids[turn % ids.length]}?wait=30 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(
            8,
          ),
        ),
      );
      socket.once('close', () => setTimeout(waitOn, 100, turn + 1));
    };
    for (let turn = 0; turn < 60; turn += 1) waitOn(turn);
    const acts = createUnauthenticatedAgent(32);
    const acting = runInParallel(32, signal, (turn) =>
      ask(acts, gatewayUrl, {
        method: 'POST',
        path: '/gateway/v1/actions',
        token,
        body: JSON.stringify({ tool: 'pay', parameters: { turn, at: performance.now(), note: 'x'.repeat(20_000) } }),
      }),
    );
    const people = createUnauthenticatedAgent(12);
    const looking = runInParallel(12, signal, (turn) => {
      const path = turn % 3 === 0 ? '/v1/approvals?limit=200&status=PENDING&order=oldest' : `/v1/approvals/${ids[turn % ids.length]}`;
      return turn % 20 === 19
        ? ask(people, controlUrl, {
            method: 'PATCH',
            path: `/v1/tools/${toolId}`,
            token: owner,
            body: JSON.stringify({ risk_rating: turn % 40 === 19 ? 'HIGH' : 'LOW', accept_warnings: true }),
          })
        : ask(people, controlUrl, { method: 'GET', path, token: owner });
    });
    await Promise.all([acting, looking]);
  },
};
