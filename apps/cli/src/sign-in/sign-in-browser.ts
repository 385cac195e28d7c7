import { arch, hostname, platform } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationResult } from '@svc/client/client.ts';
import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { Cli } from '../session/cli.ts';
import { computeWait } from '../session/server-deadline.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { listenLoopback } from './listen-loopback.ts';
import { newPkce } from './pkce.ts';

type NewSession = OperationResult<'redeemCliSignIn'>;

/** Seconds that a poll waits longer after RATE_LIMITED. */
const SLOWER_SECONDS = 5;

const describeMachine = (version: string) => ({ hostname: hostname().slice(0, 253), platform: `${platform()} ${arch()}`, version });

const expired = (): CommandError => new CommandError(EXIT.signIn, 'The sign-in request expired.', 'Run svc login again.', 'GONE');

/** The browser of this machine brings the code to a port on 127.0.0.1 (PKCE, S256). */
export const signInLoopback = async (cli: Cli): Promise<NewSession> => {
  const client = cli.anonymous();
  const { verifier, challenge } = newPkce();
  const loopback = await listenLoopback();
  try {
    const body = {
      flow: 'LOOPBACK',
      code_challenge: challenge,
      redirect_port: loopback.port,
      client: describeMachine(cli.version),
    } as const;
    const started = await client.request('startCliSignIn', { body });
    if (!started.ok) throw started.error;
    const { request_id, user_code, verification_uri, expires_at } = started.body;
    cli.io.note(`Open ${verification_uri}`);
    cli.io.note(`and compare the code: ${cli.io.paint('bold', user_code)}`);
    openBrowser(cli.settings, verification_uri);
    const timer = new AbortController();
    const code = await Promise.race([
      loopback.waitForCode(request_id),
      wait(computeWait(expires_at, started.headers), undefined, { signal: timer.signal }),
    ]);
    timer.abort();
    if (code === undefined) throw expired();
    return await client.redeemCliSignIn({ body: { request_id, code_verifier: verifier, code } });
  } finally {
    loopback.close();
  }
};

/** Any browser authorizes the terminal by a short code (device flow). */
export const signInDevice = async (cli: Cli): Promise<NewSession> => {
  const client = cli.anonymous();
  const { verifier, challenge } = newPkce();
  const started = await client.request('startCliSignIn', {
    body: { flow: 'DEVICE', code_challenge: challenge, client: describeMachine(cli.version) },
  });
  if (!started.ok) throw started.error;
  const { request_id, user_code, verification_uri, poll_after_seconds, expires_at } = started.body;
  cli.io.note(`Open ${verification_uri} in any browser`);
  cli.io.note(`and enter the code: ${cli.io.paint('bold', user_code)}`);
  let seconds = poll_after_seconds;
  const deadline = performance.now() + computeWait(expires_at, started.headers);
  while (performance.now() < deadline) {
    await wait(seconds * 1000);
    const outcome = await client.request('redeemCliSignIn', { body: { request_id, code_verifier: verifier } });
    if (outcome.ok) return outcome.body;
    if (isServiceError(outcome.error, 'RATE_LIMITED')) seconds += SLOWER_SECONDS;
    else if (!isServiceError(outcome.error, 'APPROVAL_REQUIRED', 'SERVICE_UNREACHABLE')) throw outcome.error;
  }
  throw expired();
};
