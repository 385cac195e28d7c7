import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { firstIdAt } from '../../lists/made-between.ts';

const { rowsMax, stretchesMax, rowsPerStretchMax } = LIMITS.compliance;

/** The organization, period and reference time of a measure. */
export type MeasureScope = { readonly organizationId: string; readonly from: Date; readonly to: Date; readonly now: Date };

/** Rows of a table, called `t` in both conditions. */
export type MeasureLook = {
  readonly table: string;
  readonly applies: RawBuilder<unknown>;
  readonly fulfils: RawBuilder<unknown>;
  readonly max?: number;
  /** A condition on indexed columns, applied before rows are read. */
  readonly within?: RawBuilder<unknown>;
};

type Row = { readonly looked: number; readonly counted: number; readonly fulfilled: number };

const tally = (rows: RawBuilder<unknown>, looked: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select ${looked} as looked, count(*) filter (where applies)::int as counted, count(*) filter (where fulfils)::int as fulfilled from (${rows}) as found`;

const judged = ({ applies, fulfils }: MeasureLook) =>
  sql`(${applies}) as applies, case when ${applies} then ${fulfils} else false end as fulfils`;

const NONE: Row = { looked: 0, counted: 0, fulfilled: 0 };

/** Reads the newest rows of a table, at most the given number. */
export const lookAtRows = async (tx: TenantTransaction, { organizationId }: MeasureScope, look: MeasureLook): Promise<MeasureCounts> => {
  const { table, max = rowsMax, within = sql`true` } = look;
  const rows = sql`
    select ${judged(look)}
      from (select * from ${sql.table(table)} where organization_id = ${organizationId} and ${within} order by id desc limit ${max}) as t`;
  const { looked, ...found } = (await tally(rows, sql`count(*)::int`).execute(tx)).rows[0] ?? NONE;
  return { ...found, looked_at: looked < max ? 'ALL' : 'NEWEST' };
};

/** Divides a period into ranges of equal length, by the times in identifiers. */
const listStretches = (prefix: string, { from, to }: MeasureScope): { readonly lows: string[]; readonly highs: string[] } => {
  const step = (to.getTime() - from.getTime()) / stretchesMax;
  const at = (n: number): string => firstIdAt(prefix, n === stretchesMax ? to.getTime() : from.getTime() + n * step);
  const starts = Array.from({ length: stretchesMax }, (_, n) => n);
  return { lows: starts.map(at), highs: starts.map((n) => at(n + 1)) };
};

export type PeriodLook = Omit<MeasureLook, 'within'> & { readonly prefix: string };

/** Rows of each stretch of a period, the last of it, so that a sample is of all the period and not of its end; named `t`, with `in_stretch`. */
export const rowsOfPeriod = (asked: MeasureScope, { table, prefix, max = rowsPerStretchMax }: Omit<PeriodLook, 'applies' | 'fulfils'>) => {
  const { lows, highs } = listStretches(prefix, asked);
  return sql`
    (select s.*, count(*) over (partition by b.low)::int as in_stretch
       from unnest(${lows}::text[], ${highs}::text[]) as b (low, high)
      cross join lateral (select * from ${sql.table(table)}
        where organization_id = ${asked.organizationId} and id >= b.low and id < b.high order by id desc limit ${max}) as s) as t`;
};

/** Reads rows created in the period; all of them, or a sample over it. */
export const lookAtPeriod = async (tx: TenantTransaction, asked: MeasureScope, look: PeriodLook): Promise<MeasureCounts> => {
  const rows = sql`select t.in_stretch, ${judged(look)} from ${rowsOfPeriod(asked, look)}`;
  const { looked, ...found } = (await tally(rows, sql`coalesce(max(in_stretch), 0)`).execute(tx)).rows[0] ?? NONE;
  return { ...found, looked_at: looked < (look.max ?? rowsPerStretchMax) ? 'ALL' : 'SAMPLE' };
};

/** Combines the results of several reads. */
export const together = (looks: readonly MeasureCounts[]): MeasureCounts => ({
  counted: looks.reduce((sum, { counted }) => sum + counted, 0),
  fulfilled: looks.reduce((sum, { fulfilled }) => sum + fulfilled, 0),
  looked_at: looks.find(({ looked_at }) => looked_at !== 'ALL')?.looked_at ?? 'ALL',
});

export const daysBefore = ({ now }: MeasureScope, days: number): Date => new Date(now.getTime() - days * 86_400_000);
