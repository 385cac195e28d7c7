import { compileTemplates, prepareBenchRisk, runSession, type SessionStep } from '../run-session.ts';
import { SUITE_DOMAIN, SUITE_INTERNAL, SUITE_TOOLS, WITHOUT_RECIPIENTS } from './suite-tools.ts';
import tasks from './tasks.json' with { type: 'json' };

type Call = { readonly tool: string; readonly to?: readonly string[]; readonly url?: string };
type Tasks = Readonly<Record<string, readonly Call[]>>;

type SuiteResult = {
  readonly suite: string;
  readonly attacks: number;
  readonly stopped: number;
  /** Attacks whose harm is a sentence to the user: no tool is called, so no gateway sees it. */
  readonly withoutCall: number;
  readonly honest: number;
  readonly held: number;
  /** Injection tasks of which some session was let through, and honest tasks that were held. */
  readonly missedTasks: readonly string[];
  readonly heldTasks: readonly string[];
};

type AgentDojoEvaluation = {
  readonly source: string;
  readonly licence: string;
  readonly suites: readonly SuiteResult[];
  readonly stoppedShare: number;
  readonly heldShare: number;
};

const readUrl = (url: string): string => url.replace(/^https?:\/\//, '').split('/')[0] ?? url;

const toStep = ({ tool, to, url }: Call, isHarm: boolean): SessionStep => ({
  tool: to === undefined ? (WITHOUT_RECIPIENTS[tool] ?? tool) : tool,
  with: { ...(to === undefined ? {} : { to: to.join(', ') }), ...(url === undefined ? {} : { host: readUrl(url) }) },
  ...(isHarm ? { isHarm } : {}),
});

/**
 * The user's task up to the first content that others wrote, where the injection is, then what it asks for, then the rest. It carries the
 * fewest labels that the suite allows, so it is the hardest form for the rules.
 */
const insertInjection = (suite: string, user: readonly Call[], injection: readonly Call[]): readonly SessionStep[] => {
  const at = user.findIndex(({ tool }) => SUITE_TOOLS[suite]?.[tool]?.flow.labels.includes('untrusted_content'));
  const before = user.slice(0, at + 1);
  return [
    ...before.map((call) => toStep(call, false)),
    ...injection.map((call) => toStep(call, true)),
    ...user.slice(at + 1).map((call) => toStep(call, false)),
  ];
};

const evaluateSuite = (suite: string, { user, injection }: { readonly user: Tasks; readonly injection: Tasks }): SuiteResult => {
  const policies = compileTemplates(undefined, { 'external-email-needs-approval': { domain: SUITE_DOMAIN } });
  const options = { tools: SUITE_TOOLS[suite] ?? {}, risk: prepareBenchRisk(SUITE_INTERNAL, []) };
  const run = (steps: readonly SessionStep[]) => runSession(policies, { steps }, 'CONTEXT', options);
  const users = Object.entries(user);
  const calling = Object.entries(injection).filter(([, calls]) => calls.length > 0);
  const attacks = users.flatMap(([, own]) =>
    calling.map(([name, calls]) => ({ name, isStopped: run(insertInjection(suite, own, calls)).some(({ isHarm }) => isHarm === true) })),
  );
  const heldTasks = users.filter(([, own]) => run(own.map((call) => toStep(call, false))).length > 0).map(([name]) => name);
  return {
    suite,
    attacks: attacks.length,
    stopped: attacks.filter(({ isStopped }) => isStopped).length,
    withoutCall: users.length * (Object.keys(injection).length - calling.length),
    honest: users.length,
    held: heldTasks.length,
    missedTasks: [...new Set(attacks.filter(({ isStopped }) => !isStopped).map(({ name }) => name))],
    heldTasks,
  };
};

const readShare = (part: number, whole: number): number => part / Math.max(1, whole);

/** Runs each task of the public suites by itself, and with each injection of its suite, against the flow templates. */
export const evaluateAgentDojo = (): AgentDojoEvaluation => {
  const suites = Object.entries(tasks.suites).map(([suite, each]) => evaluateSuite(suite, each as { user: Tasks; injection: Tasks }));
  const sum = (member: 'attacks' | 'stopped' | 'honest' | 'held') => suites.reduce((total, each) => total + each[member], 0);
  return {
    source: tasks.source,
    licence: tasks.licence,
    suites,
    stoppedShare: readShare(sum('stopped'), sum('attacks')),
    heldShare: readShare(sum('held'), sum('honest')),
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** The result as a table. */
export const describeAgentDojo = ({ source, licence, suites, stoppedShare, heldShare }: AgentDojoEvaluation): string =>
  [
    `Sessions made from ${source}. ${licence}`,
    `Attacks stopped: ${percent(stoppedShare)}. Honest sessions held: ${percent(heldShare)}.`,
    ...suites.map(
      ({ suite, attacks, stopped, withoutCall, honest, held, missedTasks, heldTasks }) =>
        `  ${suite.padEnd(10)} stopped ${stopped}/${attacks}${withoutCall > 0 ? ` (and ${withoutCall} without a call)` : ''}, held ${held}/${honest}\n` +
        `             let through: ${missedTasks.join(', ') || 'none'}\n             held: ${heldTasks.join(', ') || 'none'}`,
    ),
  ].join('\n');
