import type { ControlState } from '@svc/contract/tables/compliance/controls.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import { EVENT_NAMES, type StoredEventRow } from '../../audit/as-audit-event.ts';
import { hasValidMac } from '../../audit/row-mac.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { firstIdAt } from '../../lists/made-between.ts';
import type { KeptStates } from './judgements.ts';

type Row = StoredEventRow & { readonly mac_hex: string | null };
type Changed = {
  readonly control: string;
  readonly before: { readonly state: ControlState };
  readonly after: { readonly state: ControlState };
};

/** States by the name of the control; a control without a recorded state is missing. */
export type StatesAt = Readonly<Record<string, ControlState>>;

/** Changes of the states that the service recorded, nearest to a time first, on one side of it. */
const readChanges = async (tx: TenantTransaction, organizationId: string, at: Date, side: 'before' | 'after'): Promise<Changed[]> => {
  const bound = firstIdAt('evt', at.getTime() + 1);
  const { rows } = await sql<Row>`
    select ${sql.join(EVENT_NAMES.map((name) => sql.ref(name)))}, encode(mac, 'hex') as mac_hex from audit_events
     where organization_id = ${organizationId} and subject_id = ${organizationId} and type = 'compliance.control_updated'
       and ${side === 'before' ? sql`id < ${bound}` : sql`id >= ${bound}`}
     order by id ${side === 'before' ? sql`desc` : sql`asc`} limit ${LIMITS.compliance.rowsMax}`.execute(tx);
  return rows.filter(({ mac_hex, ...row }) => hasValidMac(tx, row, mac_hex)).map(({ data }) => data as unknown as Changed);
};

/**
 * The state of each control at a time in the past, as the job recorded it: after the last change before that time, before the first change
 * after it, or the present state if that has lasted since. None before the organization existed.
 */
export const readStatesAt = async (tx: TenantTransaction, organizationId: string, at: Date, recorded: KeptStates): Promise<StatesAt> => {
  const organization = await tx.selectFrom('organizations').select('created_at').where('id', '=', organizationId).executeTakeFirst();
  if (organization === undefined || Date.parse(organization.created_at) > at.getTime()) return {};
  const states: Record<string, ControlState> = {};
  for (const [name, { state, since }] of Object.entries(recorded)) if (Date.parse(since) <= at.getTime()) states[name] = state;
  for (const { control, before } of (await readChanges(tx, organizationId, at, 'after')).reverse()) states[control] = before.state;
  for (const { control, after } of (await readChanges(tx, organizationId, at, 'before')).reverse()) states[control] = after.state;
  return states;
};
