import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { MEASURES } from '@svc/contract/tables/compliance/measures.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { listControls, listMeasures, writeReport } from '@svc/domain/events/compliance/write-report.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { measureOrganization } from '@svc/operations/events/compliance/measure-organization.ts';
import { searchInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readJudgement } from '@svc/postgres/events/compliance/judgements.ts';
import { readStatesAt } from '@svc/postgres/events/compliance/states-at.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import type { EventsDeps } from '../deps.ts';

/** One at a time per organization: the report makes many short reads. */
const inTurn = createFairQueue(4);
const { periodDays, periodDaysMax } = LIMITS.compliance;
const DAY_MS = 86_400_000;
const PART = 'The report covers the whole organization, and your access is limited to a part of it. Ask a user with full access.';

type Call = Parameters<Handler<Endpoints['getComplianceReport'], EventsDeps>>[0];

/** Returns the period of the report. It ends now at the latest, since nothing is recorded after that. */
const getPeriod = (call: Call) => {
  const { from, to } = call.query;
  const end = Math.min(call.now.getTime(), to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to));
  const begin = from === undefined ? end - periodDays * DAY_MS : Date.parse(from);
  if (begin >= end) return call.fault('/from', 'Must be before the end of the period, and in the past.');
  if (end - begin > periodDaysMax * DAY_MS) return call.fault('/from', `The period must be at most ${periodDaysMax} days.`);
  return { from: new Date(begin), to: new Date(end) };
};

export const getComplianceReport: Handler<Endpoints['getComplianceReport'], EventsDeps> = async (call) => {
  const { organization_id, workspace_ids, environment_id } = call.scope;
  if (workspace_ids || environment_id) return call.refuse('PERMISSION_DENIED', PART);
  const wrongTime = findTimeFilterRefusal(call.query);
  if (wrongTime) return wrongTime;
  const period = getPeriod(call);
  if (isRefusal(period)) return period;
  const { framework } = call.query;
  const asked = { organizationId: organization_id, ...period, now: call.now };
  const read = <Result>(work: (tx: TenantTransaction) => Promise<Result>) => searchInTenant(call.database, call.scope, work);
  return inTurn(organization_id, async () => {
    const isPast = period.to.getTime() < call.now.getTime();
    const measures = listMeasures(listControls(framework)).filter((name) => !isPast || MEASURES[name].of === 'PERIOD');
    const counts = await measureOrganization(read, measures, asked);
    const recorded = await read((tx) => readJudgement(tx, organization_id));
    const past = isPast ? { past: await read((tx) => readStatesAt(tx, organization_id, period.to, recorded)) } : {};
    const told = { from: period.from.toISOString(), to: period.to.toISOString() };
    return writeReport({ organization_id, generated_at: call.now.toISOString(), framework }, { period: told, counts, recorded, ...past });
  });
};
