import { parseArgs } from 'node:util';

export type BreakGlassCommand = {
  /** Id or exact name. */
  readonly organization: string;
  readonly reason: string;
  /** Targets of the stop: only these agents, or these environments, or all environments of the organization if both are empty. */
  readonly environments: readonly string[];
  readonly agents: readonly string[];
};

const REASON_LENGTH_MAX = 1_000;

export const USAGE = `Stops the agents of an organization from this machine, without a sign-in:

    npm run ops -- break-glass pause <organization> --reason "..."                         all its environments
    npm run ops -- break-glass pause <organization> --environment env_... --reason "..."   one environment, or several
    npm run ops -- break-glass suspend <organization> --agent agt_... --reason "..."       one agent, or several

<organization> is an id or a name; agents and environments are ids. To resume, sign in to the service.`;

const OPTIONS = {
  environment: { type: 'string', multiple: true },
  agent: { type: 'string', multiple: true },
  reason: { type: 'string' },
} as const;

/** True if the arguments request help. */
export const requestsHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

/** Parses the arguments of `npm run ops -- break-glass`; returns a sentence if they are no command. */
export const readBreakGlassCommand = (words: readonly string[]): BreakGlassCommand | string => {
  let parsed: ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const [verb, organization, ...more] = parsed.positionals;
  const { environment: environments = [], agent: agents = [], reason = '' } = parsed.values;
  if (verb !== 'pause' && verb !== 'suspend') return 'Say what to do: pause or suspend.';
  if (organization === undefined || more.length > 0) return 'Name one organization, by its id or its name in quotes.';
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX)
    return `Say why, in at most ${REASON_LENGTH_MAX} characters: --reason "..."`;
  if (verb === 'pause' && agents.length > 0) return 'An agent is suspended, not paused: use suspend.';
  if (verb === 'suspend' && (agents.length === 0 || environments.length > 0)) return 'Name the agents to suspend: --agent agt_...';
  return { organization, reason: reason.trim(), environments, agents };
};
