import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { approve, newPkce, redeem, startTerminal } from '@svc/testing/people/terminal.ts';
import type { NounTests } from '../noun-tests.ts';
import { SYSTEM } from '../scene/play.ts';

const LOOPBACK_PORT = 8_085;

export const cliTests = {
  bodies: () => ({
    startCliSignIn: { flow: 'DEVICE', code_challenge: 'a'.repeat(43), client: {} },
    redeemCliSignIn: { request_id: 'cli_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', code_verifier: 'a'.repeat(43) },
    approveCliRequest: { user_code: 'BCDF-GHJK' },
    denyCliRequest: {},
  }),
  recipes: {
    startCliSignIn: async ({ planes }) => {
      const body = { flow: 'DEVICE', code_challenge: newPkce().code_challenge, client: {} };
      return [{ answer: await call(planes.controlUrl, 'POST', '/v1/auth/cli/start', { body }), events: [] }];
    },
    approveCliRequest: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const answer = await approve(planes.controlUrl, token, await startTerminal(planes.controlUrl, LOOPBACK_PORT));
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['cli.authorization_approved', 'user', user.id]] }];
    },
    denyCliRequest: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const { request_id } = await startTerminal(planes.controlUrl);
      const answer = await call(planes.controlUrl, 'POST', `/v1/auth/cli/requests/${request_id}/deny`, { token });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['cli.authorization_denied', 'user', user.id]] }];
    },
    redeemCliSignIn: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const terminal = await startTerminal(planes.controlUrl);
      await approve(planes.controlUrl, token, terminal);
      const answer = await redeem(planes.controlUrl, terminal);
      const { json } = await call(planes.controlUrl, 'GET', '/v1/auth/sessions', { token: answer.json.token });
      const session = (json as { readonly id: string; readonly current: boolean }[]).find(({ current }) => current)?.id ?? '';
      const again = await redeem(planes.controlUrl, terminal);
      return [
        { answer, by: { type: 'USER', id: user.id }, events: [['cli.session_issued', 'user', user.id]] },
        { answer: again, by: SYSTEM, events: [['session.revoked', 'session', session]] },
      ];
    },
  },
} as const satisfies NounTests;
