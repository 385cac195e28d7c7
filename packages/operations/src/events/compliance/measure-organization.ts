import type { MeasureName } from '@svc/contract/tables/compliance/measures.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countMeasure } from '@svc/postgres/events/compliance/count-measure.ts';
import type { MeasureScope } from '@svc/postgres/events/compliance/look-at.ts';

/** Runs each measure in a short transaction of its own, so that a report blocks nothing. */
type Reader = <Result>(work: (tx: TenantTransaction) => Promise<Result>) => Promise<Result>;

/** Counts what these measures need, one after the other. */
export const measureOrganization = async (
  read: Reader,
  names: readonly MeasureName[],
  asked: MeasureScope,
): Promise<ReadonlyMap<MeasureName, MeasureCounts>> => {
  const counts = new Map<MeasureName, MeasureCounts>();
  for (const name of names) counts.set(name, await read((tx) => countMeasure(tx, name, asked)));
  return counts;
};
