import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { styleText } from 'node:util';
import { newNarrator } from './demo/narrator.ts';
import { findService } from './demo/story/find-service.ts';
import { playStory } from './demo/story/play-story.ts';
import { listFaults } from './faults/list-faults.ts';
import { mayRun } from './start/only-help.ts';

/**
 * npm run demo
 *
 * Plays the main story against the running service, and fails if a result differs.
 */
const say = (line: string): void => console.log(line);

const HELP = `Runs an example against the running service: actions that are allowed, held, approved, executed, blocked, and a revoked agent.

    npm run demo

Uses the service of DATA_DIR. Each run creates a new organization.`;

const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..');

const play = async (): Promise<void> => {
  const where = await findService(process.env, projectRoot);
  say(`An agent that refunds customers, governed by the service at ${where.controlUrl} (people) and ${where.gatewayUrl} (agents).`);
  const { email, password } = await playStory(
    where,
    randomBytes(3).toString('hex'),
    newNarrator(say, (style, text) => styleText(style, text, { stream: process.stdout })),
  );
  say(`
The demo is complete. The organization of Ada remains; sign in as her to look around:

    e-mail    ${email}
    password  ${password}
    In a browser at ${where.controlUrl}/overview; POST ${where.controlUrl}/v1/auth/login returns a token; ${where.controlUrl}/docs accepts it under "Authorize"

Next steps:

    ${where.controlUrl}/docs    API reference of the control plane
    ${where.gatewayUrl}/docs    API reference of the gateway
    docs/guides/first-governed-tool.md    the same steps with your own organization
    docs/walk-of-an-action.md             the path of a request through the code`);
};

try {
  if (mayRun(process.argv.slice(2), HELP)) await play();
} catch (error) {
  const faults = listFaults(error);
  if (faults === undefined) throw error;
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
}
