import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { approve, redeem, startTerminal } from '@svc/testing/people/terminal.ts';
import type { RaceCase } from '../race.ts';

const PORT = 8_085;

export const TERMINALS: readonly RaceCase[] = [
  {
    name: 'a request of the command line, by DEVICE',
    expire: "update cli_requests set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['GONE'],
    ready: async ({ urls: [base = ''] }) => {
      const { token } = await signUp(base);
      const terminal = await startTerminal(base);
      await approve(base, token, terminal);
      return { use: (_, url) => redeem(url, terminal) };
    },
  },
  {
    name: 'a request of the command line, by LOOPBACK',
    expire: "update cli_requests set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['GONE'],
    ready: async ({ urls: [base = ''] }) => {
      const { token } = await signUp(base);
      const terminal = await startTerminal(base, PORT);
      const { json } = await approve(base, token, terminal);
      const code = new URL(json.redirect_uri).searchParams.get('code') ?? '';
      return { use: (_, url) => redeem(url, terminal, code) };
    },
  },
  {
    name: 'the decision on a request of the command line, for and against',
    expire: "update cli_requests set expires_at = now() - interval '1 second'",
    opens: 0,
    loses: ['GONE'],
    ready: async ({ urls: [base = ''] }) => {
      const { token } = await signUp(base);
      const terminal = await startTerminal(base, PORT);
      const deny = (url: string) => call(url, 'POST', `/v1/auth/cli/requests/${terminal.request_id}/deny`, { token, body: {} });
      return { use: (n, url) => (n % 4 < 2 ? approve(url, token, terminal) : deny(url)) };
    },
  },
];
