import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { classifyOutcome } from '@svc/domain/risk/conduct/classify-outcome.ts';
import { type Conduct, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { readTrace } from '@svc/domain/risk/conduct/conduct-trace.ts';
import { decodeConduct, encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { type FoldedAction, foldAction } from '@svc/domain/risk/conduct/fold-action.ts';
import { passThreshold } from '@svc/domain/risk/conduct/pass-threshold.ts';
import { UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import type { Risk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import { THRESHOLD } from '@svc/operations/risk/risk-events/raise-risk-events.ts';
import { selectEventTypes } from '@svc/postgres/audit/read-feed.ts';
import { type ContextUse, readConducts, touchContexts, writeConducts } from '@svc/postgres/risk/fold-conduct.ts';
import { leaveRiskNotices, type RiskNotice } from '@svc/postgres/risk/risk-events.ts';
import type { EventConsumer } from './consumer.ts';

export const CONDUCT_CONSUMER = 'conduct';

/** Types of decision events. Simulated ones are not learned from. */
export const DECIDED_TYPES: readonly string[] = ['allowed', 'blocked', 'limited', 'masked', 'approval_required', 'observed'].map(
  (decided) => `action.${decided}`,
);

type DecidedData = {
  readonly agent_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly conduct?: string;
  /** Flow context; null for the unnamed one. Absent if all contexts of the agent counted. */
  readonly context?: string | null;
  readonly risk?: Pick<Risk, 'score' | 'level' | 'thresholds' | 'signals'>;
};

const getData = ({ data }: AuditEvent): DecidedData => data as unknown as DecidedData;

const getAction = (event: AuditEvent): FoldedAction => {
  const { status, code, conduct, risk } = getData(event);
  return {
    atMs: Date.parse(event.occurred_at),
    outcome: classifyOutcome({ status, code }),
    trace: readTrace(conduct),
    counted: (risk?.signals ?? []).map(({ family, counted }) => ({ family, points: counted })),
  };
};

const getKey = (event: AuditEvent): string => `${event.organization_id} ${getData(event).agent_id}`;

/** Returns the findings of one decision above the threshold for risk events. */
const listNotices = (event: AuditEvent): RiskNotice[] => {
  const { risk, agent_id } = getData(event);
  const { organization_id, workspace_id, environment_id, occurred_at, subject } = event;
  if (risk === undefined || risk.level === 'LOW' || workspace_id === null || environment_id === null) return [];
  const shared = { organization_id, workspace_id, environment_id, agent_id, score: risk.score, count: 1 };
  return risk.signals.map(({ name, subject: about, counted, sentence, evidence }) => ({
    ...{ ...shared, signal: name, subject: about, points: counted, sentence, evidence: { ...evidence } },
    ...{ first_at: occurred_at, last_at: occurred_at, last_action_id: subject.id },
  }));
};

/** Returns the notice that an agent passed its threshold with this decision. */
const thresholdNotice = (conduct: Conduct, event: AuditEvent): RiskNotice[] => {
  const { risk, agent_id } = getData(event);
  const { organization_id, workspace_id, environment_id, occurred_at, subject } = event;
  if (risk === undefined || workspace_id === null || environment_id === null) return [];
  const passed = passThreshold(conduct, risk.thresholds.high, Date.parse(occurred_at));
  if (passed === undefined) return [];
  return [
    {
      ...{
        organization_id,
        workspace_id,
        environment_id,
        agent_id,
        signal: THRESHOLD,
        subject: subject.id,
        points: 0,
        score: passed,
        count: 1,
      },
      sentence: `The risk of the agent is ${passed}; its threshold is ${risk.thresholds.high}.`,
      evidence: { threshold: risk.thresholds.high, signals: risk.signals.map(({ name }) => name) },
      ...{ first_at: occurred_at, last_at: occurred_at, last_action_id: subject.id },
    },
  ];
};

/** Merges findings of the same agent, signal and subject. */
const countedTogether = (notices: readonly RiskNotice[]): RiskNotice[] =>
  [
    ...Map.groupBy(
      notices,
      ({ organization_id, agent_id, signal, subject }) => `${organization_id} ${agent_id} ${signal} ${subject}`,
    ).values(),
  ].map((same) => {
    const last = same.at(-1) as RiskNotice;
    const first_at = same[0]?.first_at ?? last.first_at;
    return { ...last, first_at, count: same.length, score: Math.max(...same.map(({ score }) => score)) };
  });

const readUse = (event: AuditEvent): ContextUse => {
  const { agent_id, context } = getData(event);
  const name = context === undefined ? null : (context ?? UNNAMED);
  return { organization_id: event.organization_id, agent_id, name, at: event.occurred_at };
};

/** Returns the last use of each context. */
const lastUses = (decided: readonly AuditEvent[]): ContextUse[] => [
  ...new Map(decided.map(readUse).map((use) => [JSON.stringify([use.organization_id, use.agent_id, use.name]), use])).values(),
];

/** Folds each decision once into the history of its agent, in the transaction that moves the position of the feed. */
export const foldConduct: EventConsumer = {
  name: CONDUCT_CONSUMER,
  begins: 'now',
  interest: selectEventTypes(DECIDED_TYPES),
  take: async (tx, events) => {
    const decided = events.map(({ event }) => event);
    const byAgent = Map.groupBy(decided, getKey);
    const agents = [...byAgent.values()].flatMap(([first]) =>
      first === undefined ? [] : [{ organization_id: first.organization_id, agent_id: getData(first).agent_id }],
    );
    const stored = new Map((await readConducts(tx, agents)).map((each) => [`${each.organization_id} ${each.agent_id}`, each.state]));
    const notices: RiskNotice[] = decided.flatMap(listNotices);
    const folded = agents.map((agent) => {
      const key = `${agent.organization_id} ${agent.agent_id}`;
      const state = stored.get(key);
      const conduct = (state && decodeConduct(state)) ?? newConduct();
      for (const event of byAgent.get(key) ?? []) {
        foldAction(conduct, getAction(event));
        notices.push(...thresholdNotice(conduct, event));
      }
      return { ...agent, state: encodeConduct(conduct) };
    });
    await writeConducts(tx, folded);
    await touchContexts(tx, lastUses(decided));
    await leaveRiskNotices(tx, countedTogether(notices));
  },
};
