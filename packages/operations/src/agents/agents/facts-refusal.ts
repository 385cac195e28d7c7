import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { EventActor } from '@svc/postgres/audit/emitted-event.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type AgentPlace, listAgentFieldsRead } from '../../policies/policies/fields-read-of-agent.ts';

type Labels = Readonly<Record<string, string>>;

/** Returns the fields of the labels that differ. */
export const listLabelFields = (before: Labels, after: Labels): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !Object.hasOwn(before, name) || !Object.hasOwn(after, name) || before[name] !== after[name])
    .map((name) => `agent.labels.${name}`);

/** Refuses an API key that changes a fact about an agent which a rule in force reads: it could turn a refusal into an allow. */
export const findFactsRefusal = async (
  tx: TenantTransaction,
  { scope, by }: { readonly scope: TenantScope; readonly by: Pick<EventActor, 'type'> },
  agent: AgentPlace,
  fields: readonly string[],
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  if (by.type !== 'API_KEY' || fields.length === 0) return undefined;
  const read = await listAgentFieldsRead(tx, scope, agent);
  const found = fields.filter((field) => read.has(field));
  if (found.length === 0) return undefined;
  const message = `Rules in force read ${found.slice(0, 5).join(', ')}, so an API key cannot set this. Have a signed-in person make the change.`;
  return buildRefusal('PERMISSION_DENIED', message, { fields: found });
};
