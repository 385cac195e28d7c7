import type { ContextScope } from '@svc/contract/risk/flow-words.ts';
import { BENCH_TOOLS } from './flow-tools.ts';
import { makeSessions, type SessionKind } from './make-sessions.ts';
import { compileTemplates, runSession } from './run-session.ts';

export type FamilyResult = {
  readonly id: string;
  readonly title: string;
  readonly kind: SessionKind;
  readonly sessions: number;
  /** Attacks whose harm, or the data for it, was not allowed; honest sessions with a request that was not allowed. */
  readonly stopped: number;
};

export type FlowEvaluation = {
  readonly scope: ContextScope;
  readonly families: readonly FamilyResult[];
  readonly sessions: number;
  readonly stoppedShare: number;
  readonly heldShare: number;
};

const readShare = (families: readonly FamilyResult[]): number => {
  const sum = (member: 'sessions' | 'stopped') => families.reduce((total, each) => total + each[member], 0);
  return sum('stopped') / Math.max(1, sum('sessions'));
};

/** Runs every session against the flow templates. */
export const evaluateFlow = (scope: ContextScope, templates?: readonly string[]): FlowEvaluation => {
  const policies = compileTemplates(templates);
  const sessions = makeSessions();
  const families = [...Map.groupBy(sessions, ({ family }) => family)].map(([{ id, title }, same]): FamilyResult => {
    const kind = same[0]?.kind ?? 'HONEST';
    const stopped = same.filter((session) => {
      const held = runSession(policies, session, scope);
      return kind === 'HONEST'
        ? held.length > 0
        : held.some(({ isHarm, tool }) => isHarm === true || BENCH_TOOLS[tool].flow.labels.length > 0);
    });
    return { id, title, kind, sessions: same.length, stopped: stopped.length };
  });
  const of = (kind: SessionKind) => families.filter((each) => each.kind === kind);
  return { scope, families, sessions: sessions.length, stoppedShare: readShare(of('ATTACK')), heldShare: readShare(of('HONEST')) };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Formats the result as a table, with the known misses separate. */
export const describeFlow = ({ scope, families, sessions, stoppedShare, heldShare }: FlowEvaluation): string => {
  const line = ({ id, title, stopped, sessions: all }: FamilyResult): string =>
    `  ${id.padEnd(4)} ${`${stopped}/${all}`.padStart(6)}  ${title}`;
  const part = (kind: SessionKind): string =>
    families
      .filter((each) => each.kind === kind)
      .map(line)
      .join('\n');
  return [
    `${sessions} sessions, flow contexts by ${scope}`,
    `Attacks stopped: ${percent(stoppedShare)}`,
    part('ATTACK'),
    `Honest sessions held: ${percent(heldShare)}`,
    part('HONEST'),
    'Known misses (stopped of all)',
    part('KNOWN_MISS'),
  ].join('\n');
};
