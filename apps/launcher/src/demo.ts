import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { styleText } from 'node:util';
import { newNarrator } from './demo/narrator.ts';
import { findService } from './demo/story/find-service.ts';
import { playStory } from './demo/story/play-story.ts';
import { faultsOf } from './faults/faults-of.ts';
import { mayRun } from './start/only-help.ts';

/** npm run demo: plays the main job against the service that runs, and says so when anything comes out otherwise. */
const say = (line: string): void => console.log(line);

const HELP = `Plays an agent's day against the service that runs: allowed, held, approved, executed, blocked and revoked.

    npm run demo

The service is that of DATA_DIR. Each run makes an organization of its own.`;

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
Everything came out as told. Ada keeps her organization; sign in as her to look around:

    e-mail    ${email}
    password  ${password}
    In a browser at ${where.controlUrl}/overview; POST ${where.controlUrl}/v1/auth/login answers a token; ${where.controlUrl}/docs takes it under "Authorize"

Where to look next:

    ${where.controlUrl}/docs    every call of the control plane, to read and to try
    ${where.gatewayUrl}/docs    the same for agents
    docs/guides/first-governed-tool.md    do it yourself, with an organization of your own
    docs/walk-of-an-action.md             how a request walks through the code`);
};

try {
  if (mayRun(process.argv.slice(2), HELP)) await play();
} catch (error) {
  const faults = faultsOf(error);
  if (faults === undefined) throw error;
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
}
