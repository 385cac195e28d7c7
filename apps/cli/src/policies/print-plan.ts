import type { Cli } from '../session/cli.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import type { Difference, Plan, PlanStep, PolicyCheckResult } from './plan-policies.ts';

const MARKS = { create: '+', draft: '~', activate: '↑', none: '=' } as const;
const WORDS = { create: 'new', draft: 'new version', activate: 'saved, not active', none: 'no change' } as const;
const LISTED_MAX = 8;

const changeLines = (what: string, { added, removed, changed }: Difference): readonly string[] =>
  [
    ...added.map((name) => `+ ${what} ${name}`),
    ...changed.map((name) => `~ ${what} ${name}`),
    ...removed.map((name) => `- ${what} ${name}`),
  ].map(escapeControlCharacters);

const countText = (count: number, word: string): string => (count === 0 ? '' : `${count} ${word}`);

/** Actions of the last days that would be decided otherwise, and by which agents. */
const replayLine = ({ replay, replay_note }: PolicyCheckResult): string => {
  if (replay === null) return `replay: ${replay_note ?? 'none'}`;
  const { actions, days, by_agent } = replay;
  const parts = [
    countText(actions.newly_held, 'newly held'),
    countText(actions.newly_blocked, 'newly blocked'),
    countText(actions.newly_allowed, 'newly permitted'),
    countText(actions.other_terms, 'with other terms'),
    countText(actions.unknown, 'unknown'),
  ].filter((part) => part !== '');
  const agents = by_agent
    .slice(0, 5)
    .map((each) => `${each.agent_name} ${each.newly_held + each.newly_blocked + each.newly_allowed + each.other_terms}`);
  const who = agents.length === 0 ? '' : ` (${agents.join(', ')})`;
  return `replay of ${days} days (${actions.read} actions): ${parts.length === 0 ? 'no action would be decided otherwise' : parts.join(', ')}${who}`;
};

const checkLines = (cli: Cli, check: PolicyCheckResult): readonly string[] => {
  const { io } = cli;
  const failed = check.tests.results.filter(({ passed }) => !passed);
  return [
    `tests: ${check.tests.passed} pass${failed.length === 0 ? '' : `, ${io.paint('red', `${failed.length} FAIL`)}`}`,
    ...failed
      .slice(0, LISTED_MAX)
      .map(
        ({ name, difference }) =>
          `  ${io.paint('red', 'FAIL')} ${escapeControlCharacters(name)}: ${escapeControlCharacters(difference ?? '')}`,
      ),
    ...(check.untested_rules.length === 0 ? [] : [`rules without a test: ${check.untested_rules.map(escapeControlCharacters).join(', ')}`]),
    ...check.warnings
      .slice(0, LISTED_MAX)
      .map(({ kind, pointer, message }) => `${io.paint('yellow', 'warning')} ${kind} at ${pointer}: ${escapeControlCharacters(message)}`),
    ...check.invariants.map(
      ({ name, verdict }) =>
        `invariant ${escapeControlCharacters(name)}: ${verdict === 'PROVED' ? io.paint('green', verdict) : io.paint('red', verdict)}`,
    ),
    ...(check.invariants_note === null ? [] : [escapeControlCharacters(check.invariants_note)]),
    escapeControlCharacters(replayLine(check)),
  ];
};

const stepLines = (cli: Cli, step: PlanStep): readonly string[] => {
  const { file, kind, fault, check } = step;
  return [
    `${MARKS[kind]} ${cli.io.paint('bold', escapeControlCharacters(file.name))}  ${WORDS[kind]}`,
    ...[
      ...changeLines('rule', step.rules),
      ...changeLines('test', step.tests),
      ...(fault === undefined
        ? []
        : [
            `${cli.io.paint('red', 'invalid')}: ${escapeControlCharacters(fault.message)}`,
            ...fault.faults.map(({ pointer, message }) => `  ${escapeControlCharacters(pointer)}: ${escapeControlCharacters(message)}`),
          ]),
      ...(check === undefined ? [] : checkLines(cli, check)),
    ].map((line) => `    ${line}`),
  ];
};

export const planLines = (cli: Cli, { steps, extra }: Plan, prunes = false): readonly string[] => {
  const count = (kind: PlanStep['kind']): number => steps.filter((step) => step.kind === kind).length;
  return [
    ...steps
      .filter(({ kind, check, fault }) => kind !== 'none' || check !== undefined || fault !== undefined)
      .flatMap((step) => stepLines(cli, step)),
    ...(prunes ? extra.map(({ name }) => `- ${cli.io.paint('bold', escapeControlCharacters(name))}  suspended, has no file`) : []),
    ...(prunes || extra.length === 0
      ? []
      : [`Active and not in the folder: ${extra.map(({ name }) => escapeControlCharacters(name)).join(', ')}`]),
    `Plan: ${count('create')} to create, ${count('draft')} to change, ${count('activate')} to activate, ${prunes ? `${extra.length} to suspend, ` : ''}${count('none')} unchanged.`,
  ];
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/[\p{Cc}]/gu, ' ');

/** Tests and invariants in the format that CI systems read (JUnit XML). */
export const formatJunit = (steps: readonly PlanStep[]): string => {
  const suites = steps.flatMap(({ file, check, fault }) => {
    const cases = [
      ...(fault === undefined ? [] : [{ name: 'is valid', failure: fault.message }]),
      ...(check?.tests.results ?? []).map(({ name, passed, difference }) => ({
        name,
        failure: passed ? undefined : (difference ?? 'failed'),
      })),
      ...(check?.invariants ?? []).map(({ name, verdict }) => ({
        name: `invariant: ${name}`,
        failure: verdict === 'PROVED' ? undefined : verdict,
      })),
    ];
    if (cases.length === 0) return [];
    const failures = cases.filter(({ failure }) => failure !== undefined).length;
    const lines = cases.map(({ name, failure }) =>
      failure === undefined
        ? `    <testcase name="${escapeXml(name)}"/>`
        : `    <testcase name="${escapeXml(name)}"><failure message="${escapeXml(failure)}"/></testcase>`,
    );
    return [`  <testsuite name="${escapeXml(file.name)}" tests="${cases.length}" failures="${failures}">`, ...lines, '  </testsuite>'];
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
};

/** The plan for a comment on a pull request. */
export const formatMarkdown = (cli: Cli, plan: Plan): string =>
  `### svc policies plan\n\n\`\`\`text\n${planLines(cli, plan).join('\n')}\n\`\`\``;
