import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { RiskFamily } from '@svc/contract/risk/signal-table.ts';
import { newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { readTrace } from '@svc/domain/risk/conduct/conduct-trace.ts';
import { decodeConduct, encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { type FoldedAction, foldAction } from '@svc/domain/risk/conduct/fold-action.ts';
import { outcomeOf } from '@svc/domain/risk/conduct/outcome-of.ts';
import { ofTypes } from '@svc/postgres/audit/read-feed.ts';
import { readConducts, writeConducts } from '@svc/postgres/risk/fold-conduct.ts';
import type { EventConsumer } from './consumer.ts';

export const CONDUCT_CONSUMER = 'conduct';

/** Events of decisions. Simulated ones teach nothing. */
export const DECIDED_TYPES: readonly string[] = ['allowed', 'blocked', 'limited', 'masked', 'approval_required', 'observed'].map(
  (decided) => `action.${decided}`,
);

type DecidedData = {
  readonly agent_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly conduct?: string;
  readonly risk?: { readonly signals: readonly { readonly family: RiskFamily; readonly counted: number }[] };
};

const actionOf = ({ occurred_at, data }: AuditEvent): FoldedAction => {
  const { status, code, conduct, risk } = data as unknown as DecidedData;
  return {
    atMs: Date.parse(occurred_at),
    outcome: outcomeOf({ status, code }),
    trace: readTrace(conduct),
    counted: (risk?.signals ?? []).map(({ family, counted }) => ({ family, points: counted })),
  };
};

const keyOf = ({ organization_id, data }: AuditEvent): string => `${organization_id} ${(data as unknown as DecidedData).agent_id}`;

/** Folds each decision once into the history of its agent, in the transaction that moves the position of the feed. */
export const foldConduct: EventConsumer = {
  name: CONDUCT_CONSUMER,
  begins: 'now',
  interest: ofTypes(DECIDED_TYPES),
  take: async (tx, events) => {
    const byAgent = Map.groupBy(
      events.map(({ event }) => event),
      keyOf,
    );
    const agents = [...byAgent.keys()].map((key) => {
      const [organization_id = '', agent_id = ''] = key.split(' ');
      return { organization_id, agent_id };
    });
    const stored = new Map((await readConducts(tx, agents)).map((each) => [`${each.organization_id} ${each.agent_id}`, each.state]));
    const folded = agents.map((agent) => {
      const key = `${agent.organization_id} ${agent.agent_id}`;
      const state = stored.get(key);
      const conduct = (state && decodeConduct(state)) ?? newConduct();
      for (const event of byAgent.get(key) ?? []) foldAction(conduct, actionOf(event));
      return { ...agent, state: encodeConduct(conduct) };
    });
    await writeConducts(tx, folded);
  },
};
