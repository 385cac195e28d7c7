import { setTimeout as wait } from 'node:timers/promises';
import { isServiceError } from '@svc/client/errors.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import type { Cli, CliConnection } from './cli.ts';
import { computeWait } from './server-deadline.ts';

/**
 * Lets the person step up this session in a browser, which has their passkeys, and waits for it. The address is always printed; over SSH and
 * without a display it is opened in any browser by the person.
 */
export const stepUpInBrowser = async (cli: Cli, { client }: CliConnection): Promise<void> => {
  const before = (await client.getSession()).step_up_expires_at;
  const started = await client.request('requestStepUp', { body: {} });
  if (!started.ok) throw started.error;
  const { user_code, verification_uri, poll_after_seconds, expires_at } = started.body;
  cli.io.note(`Open ${verification_uri}${cli.settings.remote ? ' in any browser' : ''}`);
  cli.io.note(`and compare the code: ${cli.io.paint('bold', user_code)}`);
  if (!cli.settings.remote) openBrowser(cli.settings, verification_uri);
  const deadline = performance.now() + computeWait(expires_at, started.headers);
  while (performance.now() < deadline) {
    await wait(poll_after_seconds * 1000);
    const outcome = await client.request('getSession');
    if (!outcome.ok && !isServiceError(outcome.error, 'RATE_LIMITED', 'SERVICE_UNREACHABLE')) throw outcome.error;
    const now = outcome.ok ? outcome.body.step_up_expires_at : before;
    if (now !== before && now !== null) return;
  }
  throw new CommandError(EXIT.refused, 'The request expired: no one confirmed it.', 'Run the command again.', 'STEP_UP_REQUIRED');
};
